"""Parses the shapes of a slide from its XML (ECMA-376, part 1, 19.3 and 21.1)."""

from collections.abc import Mapping

from engine.text.documents import TextBuilder
from engine.text.office.package_parts import picture_text

_SKIPPED = frozenset(["Fallback", "fld"])  # said for older readers again; the slide's number, today's date
_SHAPES = frozenset(["sp", "pic", "graphicFrame", "grpSp", "cxnSp"])
_TITLES = frozenset(["title", "ctrTitle"])  # 19.7.10, ST_PlaceholderType
_RUNNING = frozenset(["dt", "ftr", "hdr", "sldNum"])
_OFF = frozenset(["0", "false"])


class SlideParser:
    """Expat's events -> a section; with `only`, the lines of placeholders of that type.

    `is_hidden` says that the slide is not shown: then there is no section.
    """

    def __init__(self, builder: TextBuilder, targets: Mapping[str, str], only: str = "") -> None:
        self.is_hidden = False
        self._builder = builder
        self._targets = targets
        self._only = only
        self._skipping = 0
        self._shapes: list[bool] = []  # those we are in, and whether each is hidden
        self._placeholder = ""  # type of that shape
        self._alternative = ""  # text of the picture we are in
        self._line: list[str] | None = None  # the paragraph we are in
        self._run: tuple[int, str] | None = None  # where in the paragraph it begins, and where it leads
        self._in_text = False
        self._row_begun = self._cell_begun = False

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Begins an element. Raises TextLimitReached."""
        if self._skipping or name in _SKIPPED or self.is_hidden:
            self._skipping += 1
        elif name == "sld":
            self.is_hidden = attributes.get("show", "1") in _OFF
            if not self.is_hidden:
                self._builder.begin_section()
        elif name in _SHAPES:
            self._shapes.append(False)
            self._placeholder = self._alternative = ""
        elif name == "t":
            self._in_text = True
        elif name == "p":
            self._line, self._run = [], None
        elif name == "r" and self._line is not None:
            self._run = len(self._line), ""
        elif name == "br" and self._line is not None:
            self._line.append("\n")
        elif name in ("tr", "tc"):
            self._row_begun = self._row_begun and name == "tc"
            self._cell_begun = False
        else:
            self._start_of_shape(name, attributes)

    def _start_of_shape(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "cNvPr" and self._shapes:
            self._shapes[-1] = attributes.get("hidden", "0") not in _OFF
            self._alternative = picture_text(attributes)
            if not self._is_silent() and not self._only:
                self._builder.add_line(self._alternative)
        elif name == "ph":
            self._placeholder = attributes.get("type", "")
        elif name == "hlinkClick":
            target = self._targets.get(attributes.get("id", ""), "")
            if self._run:
                self._run = self._run[0], target
            elif self._line is None and not self._is_silent():
                self._builder.add_link(target, self._alternative)

    def end(self, name: str) -> None:
        """Ends an element. Raises TextLimitReached."""
        if self._skipping:
            self._skipping -= 1
        elif name == "t":
            self._in_text = False
        elif name == "r" and self._run and self._line is not None:
            begin, target = self._run
            if not self._is_silent():
                self._builder.add_link(target, "".join(self._line[begin:]))
            self._run = None
        elif name == "p" and self._line is not None:
            line, self._line = "".join(self._line), None
            self._add_paragraph(line)
        elif name == "tr":
            self._row_begun = False
        elif name in _SHAPES and self._shapes:
            self._shapes.pop()

    def text(self, text: str) -> None:
        """Handles text between tags."""
        if self._in_text and not self._skipping and self._line is not None:
            self._line.append(text)

    def _is_silent(self) -> bool:
        """Tells whether the shape we are in says nothing to somebody who reads."""
        if self._placeholder in _RUNNING or any(self._shapes):
            return True
        return bool(self._only) and self._placeholder != self._only

    def _add_paragraph(self, line: str) -> None:
        if self._is_silent():
            return
        if self._placeholder in _TITLES:
            self._builder.extend_heading(line)
        elif line and not line.isspace():
            self._builder.add_line(line, in_row=self._row_begun and not self._cell_begun)
            self._row_begun = self._cell_begun = True
