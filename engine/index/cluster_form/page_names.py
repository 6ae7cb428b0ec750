"""Writes the names of a page for a cluster: keys by which it is found while they are typed, and all of them.

A key begins with what kind of name it is of, so that those of each kind can be asked for by themselves.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from engine.index.schema import BEHIND, NAMES
from engine.packing import compress, decompress

SHORT = 2  # letters: beginnings that are keys


class NameTerm(NamedTuple):
    """A name of a page: its kind, and its term without that (make_name_terms)."""

    kind: str
    term: str

    @property
    def key(self) -> str:
        """What the index has of it."""
        return self.kind + self.term

    @property
    def text(self) -> str:
        """The name itself."""
        return self.term.partition(BEHIND)[2]


def make_name_keys(terms: Iterable[str]) -> list[str]:
    """Makes the keys of a page's names: of each term of make_name_terms(), and of its first letters alone, as
    very many names begin with one or two.
    """
    keys = dict[str, None]()
    for term in terms:
        kind, folded = term[-1], term.partition(BEHIND)[0]
        keys |= dict.fromkeys((kind + term[:-1], *(kind + folded[:size] for size in range(1, SHORT + 1))))
    return list(keys)


def begins_with(kind: str, beginning: str) -> Mapping[str, Mapping[str, str]]:
    """Makes the query for pages that have a name of a kind with this beginning."""
    return {"term" if len(beginning) <= SHORT else "prefix": {NAMES: kind + beginning}}


def pack_names(terms: Collection[str]) -> bytes:
    """Packs the terms of a page's names."""
    return compress("\n".join(["", *sorted(terms), ""] if terms else []).encode())


def unpack_names(frame: bytes, beginning: str) -> Iterator[NameTerm]:
    """Unpacks the names whose terms begin so. Raises zstandard.ZstdError where the frame is damaged."""
    lines = decompress(frame)
    begins = f"\n{beginning}".encode()
    at = lines.find(begins)
    while 0 <= at < (end := lines.find(b"\n", at + 1)) and lines.startswith(begins, at):
        term = lines[at + 1 : end].decode()
        yield NameTerm(term[-1], term[:-1])
        at = end
