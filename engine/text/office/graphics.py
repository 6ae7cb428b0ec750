"""Parses the words of charts and of SmartArt (ECMA-376, part 1, 21.2 and 21.4)."""

from collections.abc import Mapping

from engine.text.documents import TextBuilder

_WORDS = "strCache"  # 21.2.2.201: names of categories and series; numbers have a cache of their own


class GraphicsParser:
    """Expat's events -> lines, each once: every series of a chart repeats the names of its categories."""

    def __init__(self, builder: TextBuilder) -> None:
        self._builder = builder
        self._lines: set[str] = set()
        self._line: list[str] = []
        self._in_text = self._in_words = False

    def start(self, name: str, _: Mapping[str, str]) -> None:
        """Begins an element."""
        if name == _WORDS:
            self._in_words = True
        elif name == "t" or (name == "v" and self._in_words):
            self._in_text = True

    def end(self, name: str) -> None:
        """Ends an element. Raises TextLimitReached."""
        if name in ("t", "v"):
            self._in_text = False
        if name == _WORDS:
            self._in_words = False
        elif name == "p" or (name == "v" and self._in_words):
            line = "".join(self._line)
            self._line.clear()
            if line not in self._lines:
                self._lines.add(line)
                self._builder.add_line(line)

    def text(self, text: str) -> None:
        """Handles text between tags."""
        if self._in_text:
            self._line.append(text)
