"""Reads what styles make of paragraphs, sheets and slides (OpenDocument 1.3, part 3, 16)."""

from collections.abc import Mapping

MAX_STYLES = 20_000  # of one document
TITLE = "Title"  # the name of its style in every language; others are shown under their display names


class OdfStyles:
    """Which styles hide what has them, by family and name, and which paragraphs are the title.

    A style rests on its parent, but only of those that a person made for one paragraph this is followed: what
    is hidden by hand is hidden so.
    """

    def __init__(self) -> None:
        self._hidden: set[tuple[str, str]] = set()
        self._titles = {TITLE}
        self._style = "", ""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Begins an element of a style."""
        if name == "style":
            self._style = attributes.get("family", ""), attributes.get("name", "")
            if attributes.get("parent-style-name") == TITLE and len(self._titles) < MAX_STYLES:
                self._titles.add(self._style[1])
        elif "-style" in name:  # of lists, numbers, defaults: they have properties as well
            self._style = "", ""
        elif (
            (name == "text-properties" and attributes.get("display") == "none")  # 20.440
            or (name == "table-properties" and attributes.get("display") == "false")  # 20.411
            or (name == "drawing-page-properties" and attributes.get("visibility") == "hidden")  # 20.214
        ) and len(self._hidden) < MAX_STYLES:
            self._hidden.add(self._style)

    def is_hidden(self, family: str, style: str) -> bool:
        """Tells whether what has this style is not shown."""
        return (family, style) in self._hidden

    def is_title(self, style: str) -> bool:
        """Tells whether a paragraph with this style is the document's title."""
        return style in self._titles
