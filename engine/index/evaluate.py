"""A query tree over arrays: which documents match, and their BM25F scores."""

from collections.abc import Sequence, Set
from functools import reduce
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.index.query import AllOf, Compound, Phrase, Query, Word
from engine.index.reader import Postings, Reader
from engine.index.schema import OWN_FIELDS, PHRASE_FIELDS, REST, TEXT_FIELDS
from engine.index.scoring import STUFFABLE, Ranking, idf, norm, saturated, unstuffed


class Matches(NamedTuple):
    """For each document number: does it match, even without its rest, and how well (0 where it does not)."""

    found: NDArray[np.bool_]
    own: NDArray[np.bool_]
    scores: NDArray[np.float32]


class Evaluator:
    """Evaluates queries over one snapshot; remembers what field lengths do to a frequency."""

    def __init__(self, reader: Reader, ranking: Ranking) -> None:
        self._reader = reader
        self._k1, self._akin = ranking.k1, ranking.akin
        self._lengths = {name: self._dense(reader.lengths(name)) for name in TEXT_FIELDS}
        self.norms = {name: norm(getattr(ranking, name), of) for name, of in self._lengths.items()}

    def __call__(self, query: Query) -> Matches:
        """The documents that match a query tree."""
        match query:
            case Word():
                return self._word(query)
            case Phrase():
                return self._phrase(query)
            case Compound():
                return self._compound(query)
            case AllOf():
                return self._all_of(query)
        return reduce(_either, map(self, query.parts), self._nothing())

    def _word(self, word: Word) -> Matches:
        """A word is as rare as the texts are that hold it; that it stands in every menu does not count.

        A text that has but an akin word counts as a part of one, in the frequency as in the rarity.
        """
        frequencies = np.zeros(self._reader.size, np.float32)
        self._count(word.terms, OWN_FIELDS, 1, frequencies)
        exact = int(np.count_nonzero(frequencies))
        self._count(word.akin, OWN_FIELDS, self._akin, frequencies)
        own = frequencies > 0
        holding = exact + self._akin * (int(np.count_nonzero(own)) - exact)
        self._count(word.terms, (REST,), 1, frequencies)
        self._count(word.akin, (REST,), self._akin, frequencies)
        found = frequencies > 0
        weight = idf(self._reader.documents, holding or int(np.count_nonzero(found)))
        return Matches(found, own, np.float32(weight) * saturated(frequencies, self._k1))

    def _count(
        self, terms: Set[str], fields: Sequence[str], share: float, frequencies: NDArray[np.float32]
    ) -> None:
        """Add to each document's frequency how often it has the terms in these fields, weighted."""
        for field in fields:
            norms = self.norms[field]
            for term in sorted(terms):
                documents, amounts = self._reader.postings(field, term)
                if not len(documents):
                    continue
                if field in STUFFABLE:
                    amounts = unstuffed(amounts, self._lengths[field][documents])
                frequencies[documents] += np.float32(share) * amounts * norms[documents]

    def _phrase(self, phrase: Phrase) -> Matches:
        """Found by the phrase, scored by its words."""
        found, _, scores = reduce(_both, map(self, phrase.words))
        candidates = np.flatnonzero(found)
        holding = sorted(
            {document for field in PHRASE_FIELDS for document in self._holding(phrase, field, candidates)}
        )
        found = np.zeros_like(found)
        found[holding] = True
        return Matches(found, found, np.where(found, scores, np.float32(0)))

    def _holding(self, phrase: Phrase, field: str, candidates: NDArray[np.intp]) -> list[int]:
        """Those of the candidates in whose field the phrase's words stand side by side."""
        ends: dict[int, set[int]] = {document: set() for document in candidates.tolist()}
        for at, word in enumerate(phrase.words):
            places = self._places(word, field, list(ends))
            ends = {
                document: here if at == 0 else {place for place in here if place - 1 in ends[document]}
                for document, here in places.items()
            }
            ends = {document: here for document, here in ends.items() if here}
        return list(ends)

    def _places(self, word: Word, field: str, documents: list[int]) -> dict[int, set[int]]:
        """Where in the field any of the word's terms stands, or an akin one."""
        places: dict[int, set[int]] = {}
        for term in word.terms | word.akin:
            for document, positions in self._reader.positions(field, term, documents).items():
                places.setdefault(document, set()).update(positions)
        return {document: places[document] for document in documents if document in places}

    def _compound(self, compound: Compound) -> Matches:
        """Side by side, the parts of a word are akin to it."""
        whole, parts = self(compound.whole), self(compound.parts)
        share = np.where(whole.found, np.float32(1), np.float32(self._akin))
        return _either(whole, parts)._replace(scores=np.maximum(whole.scores, share * parts.scores))

    def _all_of(self, query: AllOf) -> Matches:
        """An unwanted word leaves out the pages that say it themselves, not those that have it in a menu."""
        found, own, scores = reduce(_both, map(self, query.parts))
        for part in query.but:
            found = found & ~self(part).own
        return Matches(found, found & own, np.where(found, scores, np.float32(0)))

    def _nothing(self) -> Matches:
        none = np.zeros(self._reader.size, np.bool_)
        return Matches(none, none, np.zeros(self._reader.size, np.float32))

    def _dense(self, lengths: Postings) -> NDArray[np.float32]:
        dense = np.zeros(self._reader.size, np.float32)
        dense[lengths.documents] = lengths.amounts
        return dense


def _both(one: Matches, other: Matches) -> Matches:
    return Matches(one.found & other.found, one.own & other.own, one.scores + other.scores)


def _either(one: Matches, other: Matches) -> Matches:
    return Matches(one.found | other.found, one.own | other.own, one.scores + other.scores)
