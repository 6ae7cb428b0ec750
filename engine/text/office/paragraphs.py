"""Parses the paragraphs of a Word document from its XML (ECMA-376, part 1, 17)."""

import re
from collections.abc import Mapping

from engine.errors import PageError
from engine.text.documents import TextBuilder
from engine.text.html import MAX_ANCHOR
from engine.text.office.package_parts import picture_text

HEADING, TITLE = "heading", "title"  # what a style makes of a paragraph
MAX_CODE = 4_096  # characters of a field's code

_BREAKS = {"tab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "ptab": " "}
_SKIPPED = frozenset(["Fallback", "moveFrom", "del"])  # said elsewhere, or taken back
_HYPERLINK = re.compile(r'\s*HYPERLINK\s+"([^"]+)"')  # 17.16.5.25
_OFF = frozenset(["0", "false", "off"])  # 22.9.2.7, ST_OnOff


class ParagraphParser:
    """Expat's events -> paragraphs; a text box has paragraphs inside a paragraph."""

    def __init__(self, levels: Mapping[str, str], targets: Mapping[str, str]) -> None:
        self.title = ""
        self.builder = TextBuilder()
        self._levels = levels
        self._targets = targets
        self._begun = False
        self._open: list[list[str]] = []  # text of the paragraphs we are in
        self._kinds: list[str] = []  # what each is: a heading, the title, or ''
        self._skipping = 0
        self._hidden = self._in_text = self._in_code = False
        self._code = ""
        self._link: tuple[str, int] | None = None  # href, and where in the paragraph its words begin

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
        elif name == "docPr" and self._open and not self._hidden:  # 20.4.2.5: a picture's alternative text
            self._open[-1].append(f" {picture_text(attributes)} ")
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

    def _add_paragraph(self, line: str, kind: str) -> None:
        if kind == TITLE and not self.title:
            self.title = line
        if kind == HEADING and line:
            self.builder.begin_section(line)
        else:
            self.builder.add_line(line)

    def _begin_link(self, href: str) -> None:
        self._link = (href, len(self._open[-1])) if href and self._open else None

    def _begin_field_link(self) -> None:
        """Begins to show the result of a field."""
        code = _HYPERLINK.match(self._code)
        if code:
            self._begin_link(code[1])
        self._code = ""

    def _end_link(self) -> None:
        if self._link and self._open:
            href, begin = self._link
            self.builder.add_link(href, "".join(self._open[-1][begin:]))
        self._link = None
