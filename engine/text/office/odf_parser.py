"""Parses paragraphs of OpenDocument from their XML (OpenDocument 1.3, part 3, 3 to 9)."""

from collections.abc import Mapping

from engine.errors import PageError
from engine.text.documents import TextBuilder
from engine.text.office.odf_styles import OdfStyles

MAX_ANCHOR_DEPTH = 16  # links inside each other, which there may not be

_ROOTS = ("document-content", "body")
_SKIPPED = frozenset(
    [
        *("tracked-changes", "annotation", "note-citation", "ruby-text"),  # taken back, said beside, or twice
        *("table-of-content", "page-number", "page-count"),  # said again
        *("forms", "scripts", "script", "event-listeners", "content-validations", "dde-links", "binary-data"),
    ]
)
_PARAGRAPHS = frozenset(["p", "h"])
_ALTERNATIVES = frozenset(["title", "desc"])  # svg:title, svg:desc: 10.3.17 and 10.3.18
_BREAKS = {"s": " ", "tab": " ", "line-break": "\n"}
_TRUE = frozenset(["true", "1"])


class OdfParser:
    """Expat's events -> paragraphs; a frame has paragraphs inside a paragraph.

    What is made of them is for the kinds of documents, which have a class each: `body` is their element.
    """

    body = ""

    def __init__(self, builder: TextBuilder, styles: OdfStyles) -> None:
        self.title = ""
        self.builder = builder
        self.styles = styles
        self._path = 0  # elements before the body that were met in their order: the root, body, its kind
        self._skipping = 0
        self._open: list[list[str]] = []  # text of the paragraphs we are in
        self._kinds: list[tuple[str, str]] = []  # element and style of each
        self._links: list[tuple[str, int]] = []  # href, and where in its paragraph its words begin
        self._row_begun = self._cell_begun = False  # with words

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Begins an element. Raises PageError('type') for another kind of document, and TextLimitReached."""
        if self._path < len(_ROOTS) + 1:
            self._start_of_document(name, attributes)
        elif self._skipping or name in _SKIPPED or self._is_hidden(name, attributes):
            self._skipping += 1
        elif name in _PARAGRAPHS or (name in _ALTERNATIVES and not self._open):
            self._open.append([])
            self._kinds.append((name, attributes.get("style-name", "")))
        elif name in _ALTERNATIVES:
            self._open[-1].append(" ")
        elif name in _BREAKS and self._open:
            self._open[-1].append(_BREAKS[name])
        elif name == "a" and len(self._links) < MAX_ANCHOR_DEPTH:
            self._links.append((attributes.get("href", ""), len(self._open[-1]) if self._open else 0))
        elif name == "hidden-paragraph" and self._kinds and attributes.get("is-hidden") in _TRUE:
            self._kinds[-1] = "", ""
        else:
            self.begin(name, attributes)

    def end(self, name: str) -> None:
        """Ends an element. Raises TextLimitReached."""
        if self._path < len(_ROOTS) + 1:
            return
        if self._skipping:
            self._skipping -= 1
        elif name in _PARAGRAPHS or (name in _ALTERNATIVES and self._kinds and self._kinds[-1][0] == name):
            self._end_paragraph()
        elif name in _ALTERNATIVES and self._open:
            self._open[-1].append(" ")
        elif name == "a" and self._links:
            href, begin = self._links.pop()
            self.builder.add_link(href, "".join(self._open[-1][begin:]) if self._open else "")
        else:
            self.finish(name)

    def text(self, text: str) -> None:
        """Handles text between tags."""
        if self._open and not self._skipping:
            self._open[-1].append(text)

    def begin(self, name: str, attributes: Mapping[str, str]) -> None:
        """Begins any other element; a cell goes on the row in which it stands."""
        if name == "table-row":
            self._row_begun = self._cell_begun = False
        elif name == "table-cell":
            self._cell_begun = False

    def finish(self, name: str) -> None:
        """Ends any other element."""
        if name == "table-row":
            self._row_begun = False

    def add_paragraph(self, line: str, *, is_heading: bool) -> None:
        """Adds a paragraph that is shown, or a heading. Raises TextLimitReached."""
        self.builder.add_line(line, in_row=self._row_begun and not self._cell_begun)
        self._row_begun = self._cell_begun = True

    def is_hidden(self, name: str, attributes: Mapping[str, str]) -> bool:
        """Tells whether an element of this kind of document is not shown."""
        return False

    def _start_of_document(self, name: str, attributes: Mapping[str, str]) -> None:
        wanted = (*_ROOTS, self.body)
        if name == wanted[self._path]:
            self._path += 1
        elif self._path != 1:  # before the body stand styles
            raise PageError("type", name[:100])
        else:
            self.styles.start(name, attributes)

    def _is_hidden(self, name: str, attributes: Mapping[str, str]) -> bool:
        if name == "span":
            return self.styles.is_hidden("text", attributes.get("style-name", ""))
        if name in _PARAGRAPHS:
            return self.styles.is_hidden("paragraph", attributes.get("style-name", ""))
        if name == "section":
            return attributes.get("display") == "none"  # 19.836
        if name == "hidden-text":
            return attributes.get("is-hidden") in _TRUE
        return self.is_hidden(name, attributes)

    def _end_paragraph(self) -> None:
        if not self._open:
            return
        line = "".join(self._open.pop())
        kind, style = self._kinds.pop()
        if not kind or not line or line.isspace():
            return
        if kind in _PARAGRAPHS and not self.title and self.styles.is_title(style):
            self.title = line
        self.add_paragraph(line, is_heading=kind == "h")
