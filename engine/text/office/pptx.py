"""Reads PPTX: a section for each slide of a presentation, with its notes (ECMA-376, part 1, 13)."""

import time
from collections.abc import Callable, Iterator, Mapping

from engine.errors import PageError
from engine.model import Page
from engine.text.documents import (
    SHARE,
    DocumentSource,
    TextBuilder,
    TextLimitReached,
    ZipPackage,
    build_page,
    first_heading,
)
from engine.text.office.graphics import GraphicsParser
from engine.text.office.package_parts import (
    CORE_PROPERTIES,
    Relation,
    find_main_part,
    link_targets,
    parse_optional_part,
    parse_part,
    read_properties,
    read_relations,
)
from engine.text.office.slide import SlideParser

MAX_SLIDES = 2_000  # of one presentation; long ones have some hundred
NOTES = "notesSlide"
GRAPHICS = frozenset(["chart", "diagramData"])  # 21.2.2.27, 21.4.2.10: charts and SmartArt


def read_pptx(source: DocumentSource, clock: Callable[[], float] = time.process_time) -> Page:
    """Reads a PPTX; `cut` when it is too long or its beginning took more than half of the seconds.

    Raises PageError: `type` for a package with another kind of document, `encrypted`, `too large`, `broken`.
    """
    deadline = clock() + SHARE * source.seconds

    def late() -> bool:
        return clock() >= deadline

    package = ZipPackage(source.body)
    text = TextBuilder()
    cut = False
    try:
        for slide in _list_slides(package, late):
            _read_slide(package, slide, text, late)
    except TextLimitReached:
        cut = True
    return build_page(source, text, read_properties(package, CORE_PROPERTIES), first_heading(text), cut=cut)


def _list_slides(package: ZipPackage, late: Callable[[], bool]) -> Iterator[str]:
    """Yields the parts of the slides in their order. Raises TextLimitReached behind MAX_SLIDES."""
    main = find_main_part(package, "ppt/presentation.xml")
    relations = read_relations(package, main)
    slides = _SlideList()
    parse_part(package, main, slides, late)
    for number, identity in enumerate(slides.ids):
        if number >= MAX_SLIDES:
            raise TextLimitReached
        if identity in relations:
            yield relations[identity].target


class _SlideList:
    """The ids of relations with slides (19.2.1.33 and 34)."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self._begun = False

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Begins an element. Raises PageError('type') where the first is not a presentation's."""
        if not self._begun and name != "presentation":
            raise PageError("type", name[:100])
        self._begun = True
        if name == "sldId" and len(self.ids) <= MAX_SLIDES:
            self.ids.append(attributes.get("id", ""))

    def end(self, _: str) -> None:
        """Ends an element."""

    def text(self, _: str) -> None:
        """Ignores text: there is none."""


def _read_slide(package: ZipPackage, part: str, text: TextBuilder, late: Callable[[], bool]) -> None:
    """Reads a slide, its charts and its notes. Raises PageError, and TextLimitReached."""
    relations = read_relations(package, part)
    slide = SlideParser(text, link_targets(relations))
    parse_part(package, part, slide, late)
    if not slide.is_hidden:
        for relation in relations.values():
            _read_beside(package, relation, text, late)


def _read_beside(
    package: ZipPackage, relation: Relation, text: TextBuilder, late: Callable[[], bool]
) -> None:
    """Reads a part that stands on or behind a slide; one that is broken says what it can."""
    if relation.kind in GRAPHICS:
        graphics = GraphicsParser(text)
        parse_optional_part(package, relation.target, graphics.start, graphics.end, graphics.text, late=late)
    elif relation.kind == NOTES:
        links = link_targets(read_relations(package, relation.target))
        notes = SlideParser(text, links, only="body")
        parse_optional_part(package, relation.target, notes.start, notes.end, notes.text, late=late)
