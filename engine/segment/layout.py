"""Defines the layout of a segment: fields, and which of them share their terms."""

from dataclasses import dataclass

FIRST_KEY = b"\x10"  # no term of a text is behind it, no key before it; control characters end before 32


@dataclass(frozen=True, slots=True)
class Layout:
    """`texts` are fields whose terms have one list of documents for all of them; `keys` stand alone.

    Positions are kept in those of the texts that are `placed`.
    """

    texts: tuple[str, ...]
    placed: frozenset[str]
    keys: tuple[str, ...]

    def group(self, field: str) -> bytes:
        """Returns what a field's terms begin with in the dictionary: all texts are group 0. Raises
        ValueError.
        """
        return b"\0" if field in self.texts else bytes((FIRST_KEY[0] + self.keys.index(field),))

    def column_of(self, field: str) -> int:
        """Returns the column of the field in a row of amounts; a key is alone in its group, so in
        its rows.
        """
        return self.texts.index(field) if field in self.texts else 0

    def key(self, field: str, term: str) -> bytes:
        """Encodes a term as the dictionary has it. Raises ValueError for an unknown field."""
        return self.group(field) + term.encode()

    @property
    def placed_columns(self) -> tuple[int, ...]:
        """The columns of the texts that are placed, ascending."""
        return tuple(column for column, name in enumerate(self.texts) if name in self.placed)

    def as_json(self) -> dict[str, list[str]]:
        """Returns what the directory of a file keeps of it."""
        return {"texts": [*self.texts], "placed": sorted(self.placed), "keys": [*self.keys]}


def parse_layout(kept: dict[str, list[str]]) -> Layout:
    """Parses what as_json() gave."""
    return Layout(tuple(kept["texts"]), frozenset(kept["placed"]), tuple(kept["keys"]))
