"""A text field of Whoosh's that takes terms with their positions, several at one position if need be.

Whoosh keeps a field's type in the folder, pickled. What it keeps of this one is its own TEXT, so that the
folder can be opened without our code; only who adds documents has to name the schema again.
"""

from collections import defaultdict
from collections.abc import Generator, Sequence
from typing import Any

from whoosh.analysis.tokenizers import SpaceSeparatedTokenizer
from whoosh.fields import TEXT
from whoosh.formats import Positions
from whoosh.system import pack_uint

from engine.text.analysis import Place


class Placed(TEXT):
    """Takes what analyse() gives; keeps how often a document has a term, and with `positions` where."""

    def __init__(self, positions: bool) -> None:
        super().__init__(analyzer=SpaceSeparatedTokenizer(), phrase=positions)

    def __reduce__(self) -> tuple[Any, ...]:
        """As Whoosh's own."""
        return TEXT, (), self.__dict__

    def index(
        self, value: Sequence[Place], **_: Any
    ) -> Generator[tuple[bytes, int, float | int, bytes], Any, None]:
        """A posting for each term: its bytes, frequency, weight, and what Whoosh's format makes of them."""
        positions: defaultdict[str, list[int]] = defaultdict(list)
        for position, place in enumerate(value):
            for term in place:
                positions[term].append(position)
        placed = self.format if isinstance(self.format, Positions) else None
        for term, at in positions.items():
            yield term.encode(), len(at), len(at), placed.encode(at) if placed else pack_uint(len(at))
