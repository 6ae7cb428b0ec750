"""Defines how the links of pages are read backwards: a graph has no way from a target to its sources.

So the links of pages are gone through. They are packed: pairs of 64-bit numbers, target and anchor text
(engine.linkgraph.edges).
"""

from collections.abc import Iterator, Sequence
from typing import Protocol

LAST = "\U0010ffff"  # sorts after everything that a canonical URL may go on with

Portion = tuple[list[str], list[bytes]]  # URLs of pages, and the packed links of each


class LinkSources(Protocol):
    """A link graph that is read, and never made."""

    def close(self) -> None:
        """Closes it."""

    def find_numbers(self, names: Sequence[str]) -> dict[int, str]:
        """Finds the numbers of those of the names that are known."""

    def find_targets(self, url: str, limit: int) -> list[int]:
        """Finds the numbers of a URL and of its aliases that anybody links to, itself first."""

    def read_host(self, host: str, limit: int, at_once: int) -> Iterator[Portion]:
        """Reads the links of so many pages of a host, in the order of their URLs."""

    def read_linking(self, target: int, limit: int) -> Iterator[tuple[str, bytes]]:
        """Reads which of so many pages may link to a number: its bytes may lie across two others'."""

    def load_name(self, number: int) -> str:
        """Loads the name that has a number."""
