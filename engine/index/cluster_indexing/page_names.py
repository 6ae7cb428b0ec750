"""Writes the names of a page for a cluster: keys by which it is found while they are typed, and all of them.

A key begins with what kind of name it is of, so that those of each kind can be asked for by themselves.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engine.index.schema import BEHIND
from engine.packing import compress, decompress


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


def name_key(term: str) -> str:
    """Returns the key of a term of make_name_terms()."""
    return term[-1] + term[:-1]


def pack_names(terms: Iterable[str]) -> bytes:
    """Packs the terms of a page's names."""
    return compress("\n".join(["", *sorted(terms), ""]).encode())


def unpack_names(frame: bytes, beginning: str) -> Iterator[NameTerm]:
    """Unpacks the names whose terms begin so. Raises zstandard.ZstdError where the frame is damaged."""
    lines = decompress(frame)
    begins = f"\n{beginning}".encode()
    at = lines.find(begins)
    while at >= 0 and lines.startswith(begins, at):
        end = lines.find(b"\n", at + 1)
        term = lines[at + 1 : end].decode()
        yield NameTerm(term[-1], term[:-1])
        at = end
