"""Whoosh's matcher over the postings of one term."""

from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from whoosh.matching import mcore
from whoosh.system import pack_uint

from engine.segment.segment import Segment

_LEAF: Any = mcore.LeafMatcher
_packed: Any = pack_uint


class PostingsMatcher(_LEAF):  # type: ignore[misc]
    """Documents, ascending, with amounts; positions are read a posting at a time, when they are asked for."""

    def __init__(
        self,
        segment: Segment,
        term: tuple[str, bytes],
        column: int | None,
        places: NDArray[np.int64],
        documents: NDArray[np.int32],
        amounts: NDArray[np.uint16],
        format_: Any,
        scorer: Any,
        at: int = 0,
    ) -> None:
        self._segment, self._term, self._column = segment, term, column
        self._places, self._documents, self._amounts = places, documents, amounts
        self.format, self.scorer, self._at = format_, scorer, at

    def is_active(self) -> bool:
        """Tells whether it is at a document."""
        return self._at < len(self._documents)

    def reset(self) -> None:
        """Moves back to the first."""
        self._at = 0

    def copy(self) -> Self:
        """Copies it, at the same place."""
        return type(self)(
            self._segment,
            self._term,
            self._column,
            self._places,
            self._documents,
            self._amounts,
            self.format,
            self.scorer,
            self._at,
        )

    def id(self) -> int:
        """Returns the document."""
        return int(self._documents[self._at])

    def next(self) -> None:
        """Moves to the next. Raises ReadTooFar."""
        if not self.is_active():
            raise mcore.ReadTooFar
        self._at += 1

    def skip_to(self, id: int) -> None:  # noqa: A002 - Whoosh's name
        """Moves to the first that is not before this one. Raises ReadTooFar."""
        if not self.is_active():
            raise mcore.ReadTooFar
        self._at += int(np.searchsorted(self._documents[self._at :], id))

    def weight(self) -> float:
        """Returns how often the document has the term in the field."""
        return float(self._amounts[self._at])

    def supports(self, astype: str) -> bool:
        """Tells whether value_as() can give that."""
        return astype in {"frequency", "weight"} or (astype == "positions" and self._column is not None)

    def value(self) -> bytes:
        """Encodes as Whoosh's formats do: positions, how often it is in a text, or nothing of a key."""
        if self._column is None:
            return _packed(self.value_as("frequency")) if self._is_text() else b""
        found: bytes = self.format.encode(self.value_as("positions"))
        return found

    def value_as(self, astype: str) -> Any:
        """Returns the frequency, or the positions."""
        if astype != "positions" or self._column is None:
            return self.weight() if astype == "weight" else int(self._amounts[self._at])
        place = self._places[self._at : self._at + 1]
        _, found = self._segment.positions(self._column, place, self._segment.rows_at(place))
        return found.tolist()

    def max_quality(self) -> float:
        """Returns the quality of the one block that all postings are."""
        found: float = self.scorer.max_quality()
        return found

    def skip_to_quality(self, minquality: float) -> int:
        """Moves on until a block is good enough: there is but one."""
        if self.block_quality() <= minquality:
            self._at = len(self._documents)
        return 1

    def block_max_weight(self) -> float:
        """Returns the largest amount."""
        return self._largest

    def block_min_length(self) -> int:
        """Returns the length of the shortest text that has the term."""
        return self._lengths[0]

    def block_max_length(self) -> int:
        """Returns the length of the longest."""
        return self._lengths[1]

    @cached_property
    def _largest(self) -> float:
        return float(self._amounts.max())

    @cached_property
    def _lengths(self) -> tuple[int, int]:
        if not self._is_text():
            return 1, 1
        lengths = self._segment.lengths(self._term[0])[self._documents]
        return int(lengths.min()), int(lengths.max())

    def _is_text(self) -> bool:
        return self._term[0] in self._segment.layout.texts
