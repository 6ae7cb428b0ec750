"""Gives names their numbers, the same for ever: those that SQLite's file gives."""

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

from engine.linkgraph.links import MAX_REMEMBERED
from engine.linkgraph.postgresql import statements
from engine.linkgraph.postgresql.arrays import Digests, as_stored, digest_of_name
from engine.linkgraph.postgresql.connection import Step


class NameNumbers:
    """Numbers of names, of which the last are remembered."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def forget(self) -> None:
        """Forgets all: some were given in a step that failed, or by a server that has lost them."""
        self._numbers.clear()

    def assign(self, step: Step, names: set[str]) -> Mapping[str, int]:
        """Assigns a number to each name. Two that are stored alike share one."""
        if len(self._numbers) > MAX_REMEMBERED:
            self._numbers.clear()
        if unknown := sorted(names.difference(self._numbers)):
            digests = {name: digest_of_name(name) for name in unknown}
            known: dict[bytes, int] = dict(step.fetch(statements.KNOWN, Digests(digests.values())))
            if new := {digest: as_stored(name) for name, digest in digests.items() if digest not in known}:
                ((last,),) = step.fetch(statements.LAST)
                given = dict(zip(new, count(last + 1)))
                step.copy("names", ("int8", "bytea", "text"), _rows(new, given))
                known |= given
            self._numbers.update({name: known[digest] for name, digest in digests.items()})
        return self._numbers


def _rows(new: Mapping[bytes, str], given: Mapping[bytes, int]) -> Iterator[tuple[Any, ...]]:
    for digest, name in new.items():
        yield given[digest], digest, name
