"""What a word of a query finds: its postings of each segment, weighted by fields, as one list.

BM25F as engine.index.scoring has it. What is read of a segment depends on it and on the norms, so it is
kept while commits come and go; the list of a word belongs to a snapshot.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled import BOOL, F32, I32, I64, NONE, U8, U16, U32, Number, compiled, filled, given
from engine.index.found import BODY, EXACT, OWN, Found, either, marked, marks_of
from engine.index.lists import Documents, Scores
from engine.index.query import Word
from engine.index.reader import Leaf, Member, Reader
from engine.index.schema import FORMS, TEXT_FIELDS
from engine.index.scoring import (
    STUFFABLE,
    STUFFED_FROM,
    STUFFED_SHARE,
    FieldRanking,
    Ranking,
    idf,
    saturated,
)
from engine.segment.places import Terms, terms_of

_LEAST = np.float32(1e-30)  # a frequency; what is below are marks alone


class Held(NamedTuple):
    """What a segment holds of a word: documents, ascending, and marked frequencies, weighted by fields."""

    documents: Documents
    frequencies: Scores
    terms: Terms  # that there are

    @property
    def nbytes(self) -> int:
        """The memory that it takes."""
        return 8 * len(self.documents) + sum(part.nbytes for part in self.terms)


class Norm(NamedTuple):
    """What one occurrence counts in a text of a length: weight / (same + slope * length)."""

    column: int
    weight: float
    same: float
    slope: float
    stuffable: bool


class Words:
    """Looks words up in one snapshot."""

    def __init__(self, reader: Reader, ranking: Ranking) -> None:
        self.reader = reader
        self._cache = reader.cache
        self._k1, self._akin = ranking.k1, ranking.akin
        self.of_fields = [
            _norm(at, name, getattr(ranking, name), reader.averages[name])
            for at, name in enumerate(TEXT_FIELDS)
        ]
        self._key = repr((self.of_fields, self._akin))
        self._own = object()  # the snapshot, in keys of the cache

    def __call__(self, word: Word) -> Found:
        """The documents that hold the word or one akin to it, scored.

        A word is as rare as the texts are that hold it; that it stands in every menu does not count.
        A text that has but an akin word counts as a part of one, in the frequency as in the rarity.
        """
        return self._cache.get((self._own, word), partial(self._word, word))

    def form(self, form: str) -> Found:
        """The documents that have a form of a word, and how often."""
        return self._cache.get((self._own, form), partial(self._forms, form, True))

    def beginning(self, beginning: str) -> Found:
        """The documents that have longer forms that begin so, and how often."""
        return self._cache.get((self._own, "^", beginning), partial(self._forms, beginning, False))

    def norms(self, field: str, documents: Documents) -> Scores:
        """What one occurrence in the field counts in each of the documents (ascending)."""
        norm = self.of_fields[TEXT_FIELDS.index(field)]
        lengths = self.reader.lengths(field, documents)
        return np.float32(norm.weight) / (np.float32(norm.same) + np.float32(norm.slope) * lengths)

    def kept(self, key: object, find: partial[Found]) -> Found:
        """What a part of a query finds, kept for as long as the snapshot is."""
        return self._cache.get((self._own, key), find)

    def held(self, member: Member, word: Word) -> Held:
        """What a segment holds of a word, deleted documents included."""
        return self._cache.get((member.name, self._key, word), partial(self._read, member.leaf, word))

    def _word(self, word: Word) -> Found:
        documents, frequencies = [], []
        for member in self.reader.members:
            local, of_word, _ = self.held(member, word)
            if member.alive is not None:
                left = np.flatnonzero(member.alive[local])
                local, of_word = local[left], of_word[left]
            documents.append(local + np.int32(member.base) if member.base else local)
            frequencies.append(of_word)
        return self.scored(joined(documents, np.int32), joined(frequencies, np.float32))

    def scored(self, documents: Documents, frequencies: Scores) -> Found:
        """Documents of the snapshot by their marked frequencies."""
        marks = marks_of(frequencies)
        own, exact = (int(np.count_nonzero(marks & mark)) for mark in (OWN, EXACT))
        weight = idf(self.reader.documents, exact + self._akin * (own - exact) or len(documents))
        scores = marked(np.float32(weight) * saturated(frequencies, self._k1), marks)
        return Found(documents, scores, int(np.count_nonzero(marks & BODY)))

    def _read(self, leaf: Leaf, word: Word) -> Held:
        """A document that has several of the terms has each as often as it has them."""
        shares = [(1.0, leaf.number(TEXT_FIELDS[0], term)) for term in sorted(word.terms)]
        shares += [(self._akin, leaf.number(TEXT_FIELDS[0], term)) for term in sorted(word.akin)]
        found, parts = [], []
        for share, term in shares:
            if term >= 0:
                postings = leaf.postings(*leaf.dictionary.postings(term))
                frequencies = weighted(leaf, self.of_fields, postings.documents, postings.rows)
                marks = leaf.marks.take(postings.rows) & (~np.uint32(0) if share == 1 else ~EXACT)
                parts.append(_found(postings.documents, marked(frequencies * np.float32(share), marks)))
                found.append(postings)
        all_ = either(parts)
        return Held(all_.documents, all_.scores, terms_of(leaf, found))

    def _forms(self, text: str, whole: bool) -> Found:
        documents, amounts = [], []
        for member in self.reader.members:
            local, of_form = _formed(member.leaf, text, whole)
            if member.alive is not None:
                left = np.flatnonzero(member.alive[local])
                local, of_form = local[left], of_form[left]
            documents.append(local + np.int32(member.base))
            amounts.append(of_form)
        return Found(joined(documents, np.int32), joined(amounts, np.float32))


def joined(parts: Sequence[NDArray[Any]], kind: type[np.generic]) -> NDArray[Any]:
    """What segments have, one after the other."""
    return parts[0] if len(parts) == 1 else np.concatenate((np.empty(0, kind), *parts))


def _norm(column: int, name: str, ranking: FieldRanking, average: float) -> Norm:
    return Norm(column, ranking.weight, 1 - ranking.b, ranking.b / average, name in STUFFABLE)


def _found(documents: Documents, frequencies: Scores) -> Found:
    """Where a field weighs nothing, a word in it is not found: only its marks are left of the frequency."""
    left = np.flatnonzero(frequencies >= _LEAST)
    if len(left) == len(documents):
        return Found(documents, frequencies)
    return Found(documents[left], frequencies[left])


def weighted(leaf: Leaf, norms: Sequence[Norm], documents: Documents, rows: NDArray[np.int64]) -> Scores:
    """For each posting the amounts in the fields, weighted and added up."""
    used = int(np.bitwise_or.reduce(leaf.fields.take(rows)))
    frequencies = np.zeros(len(documents), np.float32)
    for norm in norms:
        if used >> norm.column & 1:
            lengths = leaf.text_lengths[norm.column]
            _add(
                frequencies,
                leaf.rows,
                norm.column,
                rows,
                documents,
                lengths,
                norm.weight,
                norm.same,
                norm.slope,
                norm.stuffable,
            )
    return frequencies


def _signature(lengths: Any) -> Any:
    return NONE(filled(F32), given(U16, 2), I64, given(I64), given(I32), given(lengths), F32, F32, F32, BOOL)


@compiled(_signature(U8), _signature(U16), _signature(U32))
def _add(
    frequencies: Scores,
    table: NDArray[np.uint16],
    column: Number,
    rows: NDArray[np.int64],
    documents: Documents,
    lengths: NDArray[np.unsignedinteger[Any]],
    weight: Number,
    same: Number,
    slope: Number,
    stuffable: bool,
) -> None:
    """Add what a field has of a term; a word that fills its text says nothing more (requirement 302)."""
    for at in range(len(frequencies)):
        amount = np.float32(table[rows[at], column])
        if amount > 0:
            length = np.float32(lengths[documents[at]])
            if stuffable and amount > STUFFED_FROM and amount > STUFFED_SHARE * length:
                amount = np.float32(1)
            frequencies[at] += weight * amount / (same + slope * length)


def _formed(leaf: Leaf, text: str, whole: bool) -> tuple[Documents, Scores]:
    """Documents with the form, else with those that are longer and begin so; and how often."""
    terms = leaf.prefixed(FORMS, text)
    itself = range(terms.start, terms.start + (leaf.number(FORMS, text) >= 0))
    postings, _ = leaf.terms_postings(itself if whole else range(itself.stop, terms.stop))
    amounts = leaf.rows[postings.rows, 0].astype(np.float32)
    if whole:
        return postings.documents, amounts
    sums = np.bincount(postings.documents, amounts, minlength=1)
    documents = np.flatnonzero(sums).astype(np.int32)
    return documents, sums[documents].astype(np.float32)
