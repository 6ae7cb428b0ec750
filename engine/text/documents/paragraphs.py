"""Parses the paragraphs of a Word document from its XML (ECMA-376, part 1, 17)."""

import re
from collections.abc import Callable, Iterator, Mapping

from engine.errors import PageError
from engine.model import Section
from engine.text.documents.print_layout import split_lines
from engine.text.html import MAX_ANCHOR, MAX_LINKS, MAX_SECTIONS, MAX_TEXT

HEADING, TITLE = "heading", "title"  # what a style makes of a paragraph
MAX_CODE = 4_096  # characters of a field's code

_BREAKS = {"tab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "ptab": " "}
_SKIPPED = frozenset(["Fallback", "moveFrom", "del"])  # said elsewhere, or taken back
_HYPERLINK = re.compile(r'\s*HYPERLINK\s+"([^"]+)"')  # 17.16.5.25
_OFF = frozenset(["0", "false", "off"])  # 22.9.2.7, ST_OnOff


class TextLimitReached(Exception):  # noqa: N818 - no error: what was read is kept
    """The document is longer than the limit."""


class ParagraphParser:
    """Expat's events -> paragraphs; a text box has paragraphs inside a paragraph."""

    def __init__(
        self, levels: Mapping[str, str], targets: Mapping[str, str], late: Callable[[], bool]
    ) -> None:
        self.title = ""
        self.first = ""  # paragraph with words in it
        self.links: list[tuple[str, str]] = []  # (href, anchor text)
        self._levels = levels
        self._targets = targets
        self._late = late
        self._headings = [""]
        self._texts: list[list[str]] = [[]]
        self._length = 0
        self._begun = False
        self._open: list[list[str]] = []  # text of the paragraphs we are in
        self._kinds: list[str] = []  # what each is: a heading, the title, or ''
        self._skipping = 0
        self._hidden = self._in_text = self._in_code = False
        self._code = ""
        self._link: tuple[str, int] | None = None  # href, and where in the paragraph its words begin

    def stop_when_late(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        """Yields the pieces, until it is late."""
        for piece in pieces:
            yield piece
            if self._late():
                raise TextLimitReached

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Begins an element. Raises PageError('type') where the first is not a Word document's."""
        if not self._begun and name != "document":
            raise PageError("type", name[:MAX_ANCHOR])
        self._begun = True
        if self._skipping or name in _SKIPPED:
            self._skipping += 1
        elif name == "t":
            self._in_text = not self._hidden
        elif name == "p":
            self._open.append([])
            self._kinds.append("")
        elif name in _BREAKS and self._open:
            self._open[-1].append(_BREAKS[name])
        elif name == "r":
            self._hidden = False
        elif name == "vanish":  # 17.3.2.41
            self._hidden = attributes.get("val", "1") not in _OFF
        else:
            self._start_of_kind(name, attributes)

    def _start_of_kind(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "pStyle" and self._kinds:
            self._kinds[-1] = self._levels.get(attributes.get("val", ""), "")
        elif (
            name == "outlineLvl" and self._kinds and attributes.get("val", "9") != "9"
        ):  # 17.3.1.20: 9 is none
            self._kinds[-1] = self._kinds[-1] or HEADING
        elif name == "hyperlink" and self._open:
            self._begin_link(self._targets.get(attributes.get("id", ""), ""))
        elif name == "instrText":
            self._in_code, self._code = True, ""
        elif name == "fldSimple":
            self._code = attributes.get("instr", "")
            self._begin_field_link()
        elif name == "fldChar":
            {"separate": self._begin_field_link, "end": self._end_link}.get(
                attributes.get("fldCharType", ""), lambda: None
            )()

    def end(self, name: str) -> None:
        """Ends an element."""
        if self._skipping:
            self._skipping -= 1
        elif name == "t":
            self._in_text = False
        elif name == "instrText":
            self._in_code = False
        elif name in ("hyperlink", "fldSimple"):
            self._end_link()
        elif name == "p" and self._open:
            self._end_link()
            self._add_paragraph(" ".join("".join(self._open.pop()).split()), self._kinds.pop())

    def text(self, text: str) -> None:
        """Handles text between tags."""
        if self._in_text and self._open:
            self._open[-1].append(text)
        elif self._in_code and len(self._code) < MAX_CODE:
            self._code += text

    def sections(self) -> tuple[Section, ...]:
        """Returns the sections; the first has no heading."""
        pairs = zip(self._headings, self._texts, strict=True)
        return tuple(Section(heading, "", "\n".join(lines)) for heading, lines in pairs)

    def _add_paragraph(self, line: str, kind: str) -> None:
        line = " ".join(split_lines(line))
        if not line:
            return
        self.first = self.first or line
        if kind == TITLE and not self.title:
            self.title = line
        if kind == HEADING and len(self._headings) <= MAX_SECTIONS:
            self._headings.append(line)
            self._texts.append([])
        else:
            self._texts[-1].append(line[: MAX_TEXT - self._length])
        self._length += len(line) + 1  # its line's end
        if self._length >= MAX_TEXT:
            raise TextLimitReached

    def _begin_link(self, href: str) -> None:
        self._link = (href, len(self._open[-1])) if href and self._open else None

    def _begin_field_link(self) -> None:
        """Begins to show the result of a field."""
        code = _HYPERLINK.match(self._code)
        if code:
            self._begin_link(code[1])
        self._code = ""

    def _end_link(self) -> None:
        if self._link and self._open and len(self.links) < MAX_LINKS:
            href, begin = self._link
            self.links.append((href, " ".join("".join(self._open[-1][begin:]).split())[:MAX_ANCHOR]))
        self._link = None
