"""Renders hits as list items, each once while it stays the same."""

from collections.abc import Callable
from dataclasses import replace
from hashlib import blake2b
from typing import NamedTuple

from markupsafe import Markup

from engine.index.reader import LRUCache
from engine.model import Hit, SearchFilters
from engine.packing import compress, decompress
from search_ui.rendering.translations import LANGUAGE

MAX_ITEMS = 24_000_000  # bytes: some twenty thousand hits
DIGEST = 16  # bytes: nobody can make two hits that have the same
HALF = "surrogatepass"  # half a character in what was typed stays what it is: search_ui.rendering.responses


class PackedHtml(NamedTuple):
    """Compressed HTML of one list item."""

    frame: bytes

    @property
    def nbytes(self) -> int:
        """The memory that it takes."""
        return len(self.frame)


class HitItems:
    """Caches what `render` makes of a hit for a query and filters, in the language of the page.

    It depends on nothing else; nor on the score, which is not shown. Safe for many threads at once.
    """

    def __init__(self, render: Callable[[Hit, str, SearchFilters], Markup]) -> None:
        self._render = render
        self._items = LRUCache(MAX_ITEMS)

    def __call__(self, hit: Hit, typed: str, choice: SearchFilters) -> Markup:
        """Renders a hit, or returns what was rendered before."""
        hit = replace(hit, score=0.0)
        shown = repr((LANGUAGE.get(), typed, choice, hit)).encode("utf-8", HALF)

        def packed() -> PackedHtml:
            return PackedHtml(compress(self._render(hit, typed, choice).encode("utf-8", HALF)))

        item = self._items.get(blake2b(shown, digest_size=DIGEST).digest(), packed)
        return Markup(decompress(item.frame).decode("utf-8", HALF))  # noqa: S704  (it was HTML before)
