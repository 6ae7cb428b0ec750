"""Collects the best documents of a query, segment after segment, skipping blocks that cannot contain one."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.index.reader import Documents, Member, Reader, ScoredDocuments, Scores, select_top
from engine.index.scoring.block_max import TermLists, block_bits, count_blocks, make_blocks
from engine.index.scoring.blocks import Lists, WordLists, pack_lists
from engine.index.scoring.conjunction import score_conjunction
from engine.index.scoring.disjunction import score_disjunction
from engine.index.scoring.top import Selection
from engine.index.scoring.words import WordMatches, Words

COUNTED = 10_000  # hits; whether there are more, nobody reads
SMALL = 1 << 16  # documents: in an index that has no more, all that match are counted
EVERY = np.empty(0, np.bool_)
_SCORED = -1.0  # the k1 of a part whose weights are scores
_NOTHING = np.empty(0, np.int32), np.empty(0, np.float32), np.empty(0, np.bool_)


class Best(NamedTuple):
    """The best matches by document, each with its score and whether it is found for its own text.

    Some more are among them, with all that score as the last one. `total` is how many documents match:
    a guess where it is not `exact`. `partial` of them have not all that was asked for.
    """

    documents: Documents
    scores: Scores
    own: NDArray[np.bool_]
    total: int
    exact: bool = True
    partial: int = 0


class Flagged:
    """Documents that have nothing to say: they keep a share of their scores (requirement 85)."""

    def __init__(self, documents: Documents, share: float) -> None:
        self.documents, self.share = documents, share

    def contains(self, documents: Documents) -> NDArray[np.bool_]:
        """Tells of each document whether it is flagged."""
        if not len(self.documents):
            return np.zeros(len(documents), np.bool_)
        at = self.documents.searchsorted(documents)
        found: NDArray[np.bool_] = self.documents.take(at, mode="clip") == documents
        return found

    def lower(self, documents: Documents, scores: Scores) -> Scores:
        """Lowers the scores of flagged documents to their share."""
        if not len(self.documents):
            return scores
        return np.where(self.contains(documents), scores * np.float32(self.share), scores)

    def in_segment(self, member: Member) -> Documents:
        """Returns those of a segment, as it numbers them."""
        if not len(self.documents):
            return self.documents
        edges = self.documents.searchsorted((member.base, member.base + member.leaf.size)).tolist()
        return self.documents[slice(*edges)] - np.int32(member.base)


class AcceptedDocuments:
    """The documents that a query may find: all that are alive, or some of them, without others."""

    def __init__(self, only: Documents | None = None, but: Sequence[Documents] = ()) -> None:
        self._only, self._but = only, but

    def alive_in(self, member: Member) -> NDArray[np.bool_]:
        """Tells of each document of a segment whether it may be found; empty: all of them."""
        if self._only is None and not self._but:
            return EVERY if member.alive is None else member.alive
        size = member.leaf.size
        able = np.ones(size, np.bool_) if self._only is None else _mask_of(member, self._only)
        for unwanted in self._but:
            able &= ~_mask_of(member, unwanted)
        return able if member.alive is None else able & member.alive

    def count_share(self, reader: Reader) -> float:
        """Returns how many of all documents they are, 0 to 1."""
        if self._only is None and not self._but:
            return 1.0
        able = sum(int(np.count_nonzero(self.alive_in(member))) for member in reader.members)
        return able / reader.documents if reader.documents else 0.0


QueryPart = WordMatches | ScoredDocuments
"""A word of a query, or a list of documents that another part of it has found."""


def find_segments(
    reader: Reader, parts: Sequence[QueryPart], enough: Callable[[Iterable[bool]], bool]
) -> Iterator[tuple[int, Member]]:
    """Yields the segments, with their numbers, in which enough of the parts match: any, or all of them.

    What a commit brings is small and holds few of the words, but each visit has its price.
    """
    for number, member in enumerate(reader.members):
        if enough(_is_in_segment(part, number, member) for part in parts):
            yield number, member


def _is_in_segment(part: QueryPart, number: int, member: Member) -> bool:
    """Tells whether a part matches in a segment."""
    if isinstance(part, WordMatches):
        return len(part.held[number].lists.at) > 0
    start, end = part.documents.searchsorted((member.base, member.base + member.leaf.size)).tolist()
    return int(start) < int(end)


def collect_disjunction(
    words: Words, parts: Sequence[QueryPart], count: int, flagged: Flagged, accepted: AcceptedDocuments
) -> Best:
    """Collects the top `count` documents that match any of the parts, their scores added up."""
    sizes, size = list(map(_count_postings, parts)), words.reader.size
    order, most, count = np.array(sizes).argsort(), max(sizes), min(count, size)
    prune = size > SMALL and most > COUNTED
    found, least, total = [], 0.0, 0
    for number, member in find_segments(words.reader, parts, any):
        lists, leaf = _pack_parts(words, number, parts), member.leaf.arrays
        selection = _select(member, flagged, accepted, count, least)
        documents, scores, own, least, here = score_disjunction(lists, order, leaf, selection, prune)
        total += here
        found.append((documents + np.int32(member.base), scores, own))
    if prune:
        guess = max(most, round(size * (1 - prod(1 - of / size for of in sizes))))
        total = round(guess * accepted.count_share(words.reader))
    return _merge_best(found, count, total, not prune)


def collect_conjunction(
    words: Words, parts: Sequence[QueryPart], count: int, flagged: Flagged, accepted: AcceptedDocuments
) -> Best:
    """Collects the top `count` documents that match all of the parts, their scores added up."""
    order = np.array(list(map(_count_postings, parts))).argsort()
    count = min(count, words.reader.size)
    counted = COUNTED if words.reader.size > SMALL else words.reader.size
    found, least, total, looked, every = [], 0.0, 0, 0, 0
    for number, member in find_segments(words.reader, parts, all):
        lists, leaf = _pack_parts(words, number, parts), member.leaf.arrays
        selection = _select(member, flagged, accepted, count, least)
        (documents, scores, own, least, here), looked_here, every_here = score_conjunction(
            lists, order, leaf, selection, counted - total
        )
        total, looked, every = total + here, looked + looked_here, every + every_here
        found.append((documents + np.int32(member.base), scores, own))
    exact = looked == every
    return _merge_best(found, count, total if exact else round(total * every / looked), exact)


def _select(
    member: Member, flagged: Flagged, accepted: AcceptedDocuments, count: int, least: float
) -> Selection:
    """Selects the documents of a segment that are wanted."""
    return Selection(accepted.alive_in(member), flagged.in_segment(member), flagged.share, count, least)


def _merge_best(
    found: Sequence[tuple[Documents, Scores, NDArray[np.bool_]]], count: int, total: int, exact: bool
) -> Best:
    """Merges the best documents of all segments."""
    if len(found) == 1:
        return Best(*found[0], total, exact)
    documents, scores, own = (np.concatenate(column) for column in zip(_NOTHING, *found, strict=True))
    at, _ = select_top(scores, count, 0)
    return Best(documents[at], scores[at], own[at], total, exact)


def _count_postings(part: QueryPart) -> int:
    return part.counts.all if isinstance(part, WordMatches) else len(part)


def _pack_parts(words: Words, number: int, parts: Sequence[QueryPart]) -> Lists:
    """Packs the posting lists of the parts in a segment."""
    words_only = [part for part in parts if isinstance(part, WordMatches)]
    if len(words_only) == len(parts):
        return words.pack_lists(number, words_only)
    member = words.reader.members[number]
    every = [
        words.lists_in(number, one) if isinstance(one, WordMatches) else _as_word_lists(one, member)
        for one in parts
    ]
    return pack_lists(every, words.norms, member.leaf.size)


def _as_word_lists(found: ScoredDocuments, member: Member) -> WordLists:
    """Makes of what a list has of a segment the list of a word."""
    size, base = member.leaf.size, member.base
    start, end = found.documents.searchsorted((base, base + size)).tolist()
    documents, scores = found.documents[start:end] - np.int32(base), found.scores[start:end]
    bits = block_bits(size)
    of_blocks = make_blocks(documents, scores, bits, count_blocks(size, bits))
    lists = TermLists(np.array((documents, scores.view(np.int32))), ((0, 0, 1.0),), of_blocks[np.newaxis])
    return WordLists(lists, 1.0, _SCORED)


def _mask_of(member: Member, documents: Documents) -> NDArray[np.bool_]:
    """Marks which documents of a segment are among these (ascending)."""
    edges = documents.searchsorted((member.base, member.base + member.leaf.size)).tolist()
    found = np.zeros(member.leaf.size, np.bool_)
    found[documents[slice(*edges)] - member.base] = True
    return found
