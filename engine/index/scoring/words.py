"""Finds a word's documents in a snapshot, and reads its postings lazily.

What is read of a segment depends on it and on the norms, so it is kept while commits come and go.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import is_, sub
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.index.query import Word, form_of
from engine.index.reader import (
    LEAF,
    NOTHING,
    Documents,
    Leaf,
    LeafArrays,
    Member,
    Reader,
    ScoredDocuments,
    Scores,
)
from engine.index.schema import FORMS, TEXT_FIELDS
from engine.index.scoring.block_max import NO_COUNTS, DocumentCounts, TermLists, read_terms
from engine.index.scoring.blocks import Lists, WordLists, pack_lists
from engine.index.scoring.bm25f import NORMS, weigh
from engine.index.scoring.lookup import look_up_scores, score_word
from engine.index.scoring.statistics import CollectionStatistics, count_marks
from engine.kernels import F32, I32, NONE, compiled, mutable, readonly
from engine.ranking import STUFFABLE, FieldRanking, Ranking, idf

MOST_BEGUN = 1 << 14  # postings of a segment's forms with one beginning; where they are more it says nothing
_RAW = -1.0  # the k1 of a part whose weights are its scores
_OF_WORDS, _OF_KEYS = range(2)  # kinds of norms


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class WordPostings:
    """What a segment holds of a word, deleted documents included."""

    lists: TermLists
    counts: DocumentCounts

    @property
    def nbytes(self) -> int:
        """The memory that it takes."""
        return self.lists.nbytes


class WordMatches(NamedTuple):
    """A word in a snapshot: what each segment holds of it, how many documents do, and what that is worth."""

    held: tuple[WordPostings, ...]
    counts: DocumentCounts
    factor: float
    form: str  # as it was typed, '' where that is not to be looked for
    forms: tuple[WordPostings, ...]  # the documents of each segment that have it in this form, and how often

    @property
    def nbytes(self) -> int:
        """The memory that it takes: what it holds cannot go before it does."""
        return sum(one.nbytes for one in (*self.held, *self.forms))


class Words:
    """Looks words up in one snapshot."""

    def __init__(self, reader: Reader, ranking: Ranking, statistics: CollectionStatistics) -> None:
        self.reader, self.statistics = reader, statistics
        self._cache = reader.cache
        self.k1, self._variant_share, self._ranking = ranking.k1, ranking.variant, ranking
        self.norms = make_norms(statistics.averages, ranking)
        self._key = self.norms.tobytes()
        self._own = object()  # the snapshot, in keys of the cache
        self._last: dict[int, tuple[Sequence[WordMatches], Lists]] = {}

    def __call__(self, word: Word) -> WordMatches:
        """A word is as rare as the texts are that hold it; that it stands in every menu does not count.

        A text that has but an akin word counts as a part of one, in the frequency as in the rarity.
        """
        return self._cache.get((self._own, word, word.surface), partial(self._find_matches, word))

    def get_cached(self, key: object, find: Callable[[], ScoredDocuments]) -> ScoredDocuments:
        """Returns what a part of a query finds, cached for as long as the snapshot is."""
        return self._cache.get((self._own, key), find)

    def pack_lists(self, number: int, words: Sequence[WordMatches]) -> Lists:
        """Packs the lists of words in one of the snapshot's segments, and behind them as many of their forms.

        Those of the last query are remembered.
        """
        if number in self._last:
            last, arrays = self._last[number]
            if len(last) == len(words) and all(map(is_, last, words)):
                return arrays
        parts = [self.lists_in(number, word) for word in words]
        parts += [WordLists(word.forms[number].lists, 1, _RAW, _OF_KEYS) for word in words]
        arrays = pack_lists(parts, self.norms, self.reader.members[number].leaf.size)
        self._last[number] = words, arrays
        return arrays

    def lists_in(self, number: int, word: WordMatches) -> WordLists:
        """Returns the lists of a word in one of the snapshot's segments."""
        return WordLists(word.held[number].lists, word.factor, self.k1)

    def score_words(self, words: Sequence[Word], documents: Documents) -> Scores:
        """Scores words in documents (ascending): (words, documents), marked, 0 where one does not hold the
        word.
        """
        matches = list(map(self, words))
        found = np.empty((len(words), len(documents)), np.float32)
        for number, member, where, local in self.reader.split_by_segment(documents):
            lists = self.pack_lists(number, matches)
            found[:, where] = look_up_scores(lists, member.leaf.arrays, local)[: len(words)]
        return found

    def find_longer_forms(self, leaf: Leaf, prefix: str) -> ScoredDocuments:
        """Finds the documents of a segment that have longer forms that begin so, and how often."""
        return self._cache.get((leaf, "^", prefix), partial(_read_longer_forms, leaf, prefix))

    def score_all(self, word: Word) -> ScoredDocuments:
        """Scores all documents that hold the word or one akin to it."""
        matches = self(word)
        documents, scores = [], []
        for number, member in enumerate(self.reader.members):
            if not matches.held[number].lists.at:
                continue
            local, of_word = score_word(self.pack_lists(number, [matches]), member.leaf.arrays)
            if member.alive is not None:
                left = np.flatnonzero(member.alive[local])
                local, of_word = local[left], of_word[left]
            documents.append(local + np.int32(member.base) if member.base else local)
            scores.append(of_word)
        return ScoredDocuments(join_segments(documents, np.int32), join_segments(scores, np.float32))

    def idf_factor(self, counts: DocumentCounts) -> float:
        """Computes the factor of a word that so many documents hold: its idf, times k1 + 1."""
        return weigh_idf(counts, self.statistics.documents, self._ranking)

    def _find_matches(self, word: Word) -> WordMatches:
        members = self.reader.members
        held = tuple(self._find_postings(member, word) for member in members)
        there = [(member, one) for member, one in zip(members, held, strict=True) if one.lists.at]
        every = map(sum, zip(NO_COUNTS, *(one.counts for _, one in there), strict=True))
        gone = (self._count_deleted(member, one) for member, one in there)
        deleted = map(sum, zip(NO_COUNTS, *gone, strict=True))
        counts = self.statistics.count_matches(word, DocumentCounts(*map(sub, every, deleted)))
        form = form_of(word.surface)
        forms = tuple(self._find_form(member, form) for member in members)
        factor = self.idf_factor(counts)
        return WordMatches(held, counts, factor, form, forms)

    def _count_deleted(self, member: Member, held: WordPostings) -> DocumentCounts:
        """Counts deleted documents of a segment that hold the word; mostly none does."""
        if not held.lists.may_contain(member.deleted):
            return NO_COUNTS
        lists = pack_lists([WordLists(held.lists, 1, _RAW)], self.norms, member.leaf.size)
        return count_marks(look_up_scores(lists, member.leaf.arrays, member.deleted)[0])

    def _find_postings(self, member: Member, word: Word) -> WordPostings:
        return self._share((member.name, self._key, word), partial(self._read_postings, member.leaf, word))

    def _read_postings(self, leaf: Leaf, word: Word) -> WordPostings:
        """Reads the postings of a word's terms; a document that has several has each as often as
        it has them.
        """
        terms = [(term, 1.0) for term in sorted(word.terms)]
        terms += [(term, self._variant_share) for term in sorted(word.variants)]
        return WordPostings(*read_terms(leaf, self.norms, _OF_WORDS, TEXT_FIELDS[0], terms))

    def _find_form(self, member: Member, form: str) -> WordPostings:
        return self._share((member.name, form), partial(self._read_form, member.leaf, form))

    def _share(self, key: Hashable, read: Callable[[], WordPostings]) -> WordPostings:
        """Shares what was read for as long as a word in the cache has it, of this snapshot or one before."""
        found = self._cache.shared.get(key)
        if found is None:
            found = self._cache.shared[key] = read()
        return found

    def _read_form(self, leaf: Leaf, form: str) -> WordPostings:
        return WordPostings(*read_terms(leaf, self.norms, _OF_KEYS, FORMS, [(form, 1.0)] if form else []))


def weigh_idf(counts: DocumentCounts, documents: int, ranking: Ranking) -> float:
    """Computes what a word is worth that so many of the documents hold: its idf, times k1 + 1."""
    holding = counts.exact + ranking.variant * (counts.own - counts.exact) or counts.all
    return idf(documents, holding) * (ranking.k1 + 1)


def make_norms(averages: Mapping[str, float], ranking: Ranking) -> Scores:
    """Makes the norms of texts and, behind them, of keys."""
    of_words = [make_norm(name, getattr(ranking, name), averages[name]) for name in TEXT_FIELDS]
    return np.array([of_words, [(1, 1, 0, 0, 0)] * len(of_words)], np.float32)


def join_segments(parts: Sequence[NDArray[Any]], kind: type[np.generic]) -> NDArray[Any]:
    """Joins what segments have, one after the other."""
    return parts[0] if len(parts) == 1 else np.concatenate((np.empty(0, kind), *parts))


def make_norm(name: str, ranking: FieldRanking, average: float) -> tuple[float, ...]:
    """Makes the norm of a field, as engine.index.scoring.bm25f has it."""
    longest = ranking.longest * average
    return ranking.weight, 1 - ranking.b, ranking.b / average, longest, float(name in STUFFABLE)


@compiled(NONE(LEAF, NORMS, readonly(I32), readonly(I32), mutable(F32)))
def weigh_postings(
    leaf: LeafArrays,
    norms: Scores,
    documents: Documents,
    rows: NDArray[np.int32],
    found: Scores,
) -> None:
    """Weighs postings, with marks, into `found`."""
    weigh(leaf, norms, 0, documents, rows, len(documents), found)


def _read_longer_forms(leaf: Leaf, prefix: str) -> ScoredDocuments:
    terms = leaf.numbers_with_prefix(FORMS, prefix)
    if leaf.number(FORMS, prefix) >= 0:
        terms = terms[1:]
    if not terms or leaf.dictionary.counts(terms.start, terms.stop).sum() > MOST_BEGUN:
        return NOTHING
    postings, _ = leaf.postings_of_terms(terms)
    order = np.argsort(postings.documents, kind="stable")
    documents, amounts = postings.documents[order], leaf.rows[postings.rows[order], 0].astype(np.float32)
    firsts = np.flatnonzero(np.diff(documents, prepend=-1))
    return ScoredDocuments(documents[firsts], np.add.reduceat(amounts, firsts))
