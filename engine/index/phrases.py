"""Where words stand in documents, and which documents have them side by side."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.index.found import distinct
from engine.index.lists import Documents
from engine.index.query import Word
from engine.index.reader import FIELD, Member
from engine.index.schema import LAYOUT, TEXT_FIELDS
from engine.index.words import Words
from engine.segment.segment import Places

_PLACED = LAYOUT.placed_columns
EVERYWHERE = slice(0, len(_PLACED))
BODY_ONLY = slice(_PLACED.index(TEXT_FIELDS.index(FIELD)), _PLACED.index(TEXT_FIELDS.index(FIELD)) + 1)
POSITION = 22  # bits, one more than a position has: neighbours in two texts are never side by side
MASK = (1 << POSITION) - 1
_NOWHERE = np.empty(0, np.int64)


def places(
    words: Words, member: Member, asked: Sequence[tuple[Word, Documents]], texts: slice
) -> list[Places]:
    """For each word where it stands in its documents (numbers in the segment, ascending).

    Ascending numbers: (index of the document * texts + index of the text) << 22 | position.
    """
    posted = [(at, of) for at, (word, local) in enumerate(asked) for of in words.posted(member, word, local)]
    found: list[list[Places]] = [[] for _ in asked]
    if posted:
        rows = np.concatenate([of.rows for _, of in posted])
        owners, positions = member.leaf.grouped(texts, np.concatenate([of.starts for _, of in posted]), rows)
        groups, count = np.concatenate([of.which for _, of in posted]), texts.stop - texts.start
        if count > 1:
            groups = (groups[:, None] * count + np.arange(count)).ravel()
        keys = (groups << POSITION)[owners] | positions
        start = behind = 0
        for at, of in posted:
            behind += len(of.which) * count
            end = int(owners.searchsorted(behind))
            found[at].append(keys[start:end])
            start = end
    return [of[0] if len(of) == 1 else distinct(np.concatenate((_NOWHERE, *of))) for of in found]


def owners_of(some: Places, texts: slice) -> NDArray[np.int64]:
    """The index of the document of each place."""
    found: NDArray[np.int64] = (some >> POSITION) // (texts.stop - texts.start)
    return found


def side_by_side(words: Words, typed: Sequence[Word], documents: Documents) -> Documents:
    """Those of the documents (that hold all of the words) in one of whose texts they follow each other."""
    found = [np.empty(0, np.int32)]
    for member, where, local in words.reader.parts(documents):
        found.append(documents[where][_followed(words, member, typed, local)])
    return np.concatenate(found)


def _followed(words: Words, member: Member, typed: Sequence[Word], local: Documents) -> NDArray[np.int64]:
    """The rarest word is looked for first, then the others where that stands."""
    order = sorted(range(len(typed)), key=lambda at: len(words(typed[at])))
    left, starts = np.arange(len(local)), None
    for at in order:
        (here,) = places(words, member, [(typed[at], local[left])], EVERYWHERE)
        here = here[here & MASK >= at] - at  # where the phrase would begin
        if starts is not None:
            here = np.intersect1d(here, starts, assume_unique=True)
        of = owners_of(here, EVERYWHERE)
        kept = of[np.flatnonzero(np.diff(of, prepend=-1))]
        starts = here + ((np.searchsorted(kept, of) - of) * len(_PLACED) << POSITION)
        left = left[kept]
    return left
