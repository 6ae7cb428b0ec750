"""Classifies the boxes of a page, DIV and the like, by element, class names and style."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from selectolax.lexbor import LexborNode

from engine.text.html import hidden
from engine.text.html.element_roles import ElementRole, classify_box, is_note
from engine.text.html.elements import BLOCKS, SECTIONING, ancestors, is_within, remove_element, tag_ids

MAX_PARTS = 1_000  # pieces of furniture; what follows is text: each costs a search of its own
FURNITURE_SHARE = 0.5  # of the text around: what has more is no furniture, whatever its name
FULL_OF_LINKS = 0.5  # of the characters of a box
PROSE_SHARE = 0.6  # of the characters of a box beside the text, in paragraphs: then it is a remark
PARAGRAPH = 80  # characters of one
SOME_LINKS = 0.1  # the same, of a box beside the text

MAX_MEASURED = 20_000_000  # characters, those of boxes in boxes again and again: 0.3 s

PLAIN_BOXES = tag_ids("div section ul ol dl table center fieldset")  # which say nothing by themselves
_NAV, _ASIDE, _FORM = (tag_ids(name) for name in ("nav", "aside", "form"))
_ENDS = tag_ids("header footer")
_SECTION = tag_ids("section")
_CONTENT = tag_ids("main article")
_PERHAPS = frozenset([ElementRole.FURNITURE, ElementRole.SIDE, ElementRole.MAYBE])


class Box(NamedTuple):
    """One element and what it is."""

    node: LexborNode
    role: ElementRole


def find_boxes(nodes: Iterable[LexborNode]) -> list[Box]:
    """Finds the boxes that have a role."""
    found = []
    for node in nodes:
        attributes, tag = node.attributes, node.tag_id
        kind = attributes.get("class") or ""
        role = classify_box(kind, attributes.get("role") or "") if attributes else ElementRole.PLAIN
        # The id of a section is its heading: one about cookies is no banner.
        if not role and "id" in attributes and tag not in _SECTION and not kind.startswith("sect"):
            role = classify_box(attributes["id"] or "")
        if tag not in PLAIN_BOXES:
            role = _classify_element(node, tag, role, attributes)
        if role:
            found.append(Box(node, role))
    return found


def _classify_element(
    node: LexborNode, tag: int, role: ElementRole, attributes: Mapping[str, str | None]
) -> ElementRole:
    if tag in _ASIDE:
        return ElementRole.PLAIN if is_note(attributes.get("class") or "") else ElementRole.FURNITURE
    if tag in _ENDS:
        return _classify_header_or_footer(node, role)
    if tag in _CONTENT:
        return role if role is ElementRole.TALK else ElementRole.CONTENT
    return ElementRole.FURNITURE if tag not in _FORM else role or ElementRole.MAYBE


def _classify_header_or_footer(node: LexborNode, role: ElementRole) -> ElementRole:
    """Classifies HEADER and FOOTER: the page's, unless in an article, which may have its own."""
    if any(above.tag_id in SECTIONING for above in ancestors(node)):
        return role if role is ElementRole.FURNITURE else ElementRole.MAYBE
    return ElementRole.FURNITURE


def remove_hidden(root: LexborNode) -> None:
    """Removes elements that an attribute hides, headings too."""
    nodes = {node.mem_id: node for node in root.css(hidden.SELECTOR)}  # css() may repeat itself
    nodes.pop(root.mem_id, None)
    for node in reversed(nodes.values()):
        if hidden.is_hidden(node, node.attributes):
            remove_element(node)


def text_length(node: LexborNode) -> int:
    """Counts the characters of an element's text, without white space."""
    return sum(map(len, node.text().split()))


def remove_boilerplate(root: LexborNode, boxes: Iterable[Box]) -> list[LexborNode]:
    """Removes boilerplate from an element; returns what was removed, the last first."""
    candidates = [box for box in boxes if box.role in _PERHAPS][:MAX_PARTS]
    most: float | None = None  # measured when it is needed: most pages with MAIN have no furniture in it
    measured = 0
    taken = []
    for node, role in reversed(candidates):
        if not is_within(node, root):
            continue
        characters = text_length(node)
        measured += characters
        if measured > MAX_MEASURED:
            break
        if not _is_boilerplate(node, role, characters):
            continue
        if node.tag_id not in _NAV:
            most = text_length(root) * FURNITURE_SHARE if most is None else most
            if characters > most:
                continue
        remove_element(node)
        taken.append(node)
    return taken


def _is_boilerplate(node: LexborNode, role: ElementRole, characters: int) -> bool:
    """Tells whether a box is boilerplate, unless it is too large for that."""
    if role is ElementRole.FURNITURE:
        return True
    enough = SOME_LINKS if role is ElementRole.SIDE else FULL_OF_LINKS
    linked = sum(text_length(link) for link in node.css("a"))
    if linked < enough * max(characters, 1) or node.css_first("h1") is not None:
        return False
    return role is not ElementRole.SIDE or _count_prose(node) < PROSE_SHARE * characters


def _count_prose(node: LexborNode) -> int:
    """Counts the characters of the paragraphs in a box, which may be boxes themselves."""
    leaves = (one for one in node.css("p,div") if all(child.tag_id not in BLOCKS for child in one.iter()))
    return sum(size for size in map(text_length, leaves) if size >= PARAGRAPH)
