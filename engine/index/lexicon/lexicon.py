"""Defines what suggestions ask of an index: words, names, titles."""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from engine.index.lexicon.title_suffix import TitleSuffix
from engine.index.reader import LRUCache
from engine.index.stored_pages import StoredPage

PageKey = tuple[str, int | str]
"""What a lexicon knows a page by, a segment and a place in it, or a moment of an index and a URL: no other
page ever has it, nor this one with other contents.
"""


class NameCandidate(NamedTuple):
    """What a page is called, how good a completion that makes, and of which host the page is, if of any.

    `page` is the one that is called so, None where there are several.
    """

    weight: float
    name: str
    host: str = ""
    page: PageKey | None = None


class Lexicon(Protocol):
    """The words and names of an index at one moment, for threads that share it.

    `contents` is equal for those with the same pages: with it, or with a page's key, what was learned of them
    may be kept in the `cache`.
    """

    cache: LRUCache
    contents: Hashable

    def find_names(self, beginning: str) -> Sequence[NameCandidate]:
        """Finds names of pages of which a word begins so (fold_prefix), the best among them."""

    def find_suffixes(self, hosts: Iterable[str]) -> Mapping[str, TitleSuffix]:
        """Finds the common ending of the titles of each host."""

    def read_pages(self, keys: Collection[PageKey]) -> Mapping[PageKey, StoredPage]:
        """Reads the pages that candidates are names of."""

    def find_pages(self, urls: Collection[str]) -> Mapping[str, StoredPage]:
        """Finds those of the pages that are there, by URL."""

    def find_similar(self, form: str, edits: int) -> Counter[str]:
        """Finds forms at most so many edits from this one, itself included: in how many documents each is.

        An edit takes a letter away, adds or replaces one, or swaps two neighbours.
        """

    def count_forms(self, forms: Sequence[str]) -> Sequence[int]:
        """Counts the documents that have each of the forms."""

    def is_called(self, url: str, name: str) -> bool:
        """Tells whether most links to a page say no more than this name (fold_whole_name)."""
