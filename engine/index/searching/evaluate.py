"""Evaluates a query tree over one snapshot: matching documents and their BM25F scores."""

from collections.abc import Sequence
from functools import partial
from typing import assert_never

import numpy as np

from engine.index.query import (
    AllOf,
    AndMaybe,
    AnyOf,
    Boost,
    Compound,
    Every,
    Field,
    Matched,
    MostOf,
    Phrase,
    Prefix,
    Query,
    Range,
    Word,
)
from engine.index.reader import (
    OWN,
    Documents,
    Reader,
    ScoredDocuments,
    are_own,
    as_filter,
    boost,
    exclude,
    intersect,
    marks_of,
    merge_documents,
    set_marks,
    unite,
)
from engine.index.scoring import (
    AcceptedDocuments,
    Best,
    CollectionStatistics,
    Flagged,
    QueryPart,
    Words,
    collect_conjunction,
    collect_disjunction,
    match_all,
    match_field,
    match_phrase,
    match_prefix,
    match_range,
    score_constant,
)
from engine.index.searching.minimum_should_match import collect_most_of, require_all
from engine.index.searching.whoosh_matching import match_whoosh
from engine.ranking import Ranking


class Evaluator:
    """Evaluates queries over one snapshot."""

    def __init__(self, reader: Reader, ranking: Ranking, statistics: CollectionStatistics) -> None:
        self.words = Words(reader, ranking, statistics)
        self._variant_share, self._ranking = np.float32(ranking.variant), ranking

    def __call__(self, query: Query) -> ScoredDocuments:
        """Evaluates a query tree: all documents that match, with their scores."""
        match query:
            case Word():
                return self.words.score_all(query)
            case Phrase():
                return self.words.get_cached(query, partial(self._evaluate_phrase, query))
            case Compound():
                return self.words.get_cached(query, partial(self._evaluate_compound, query))
            case AllOf():
                return self._evaluate_all_of(query)
            case MostOf():
                return self(require_all(query))
            case AnyOf():
                return unite([self(part) for part in query.parts])
            case AndMaybe():
                return self._evaluate_and_maybe(query)
            case Boost():
                return boost(self(query.part), query.factor)
            case Prefix() | Field() | Range() | Every() | Matched():
                return self.words.get_cached(query, partial(self._evaluate_unworded, query))
            case _:
                assert_never(query)

    def _evaluate_unworded(self, query: Prefix | Field | Range | Every | Matched) -> ScoredDocuments:
        """Evaluates what is asked for besides words."""
        match query:
            case Prefix():
                return match_prefix(self.words, query)
            case Field():
                return match_field(self.words, query)
            case Range():
                return match_range(self.words, query)
            case Matched():
                return score_constant(match_whoosh(self.words.reader, query.query))
            case Every():
                return match_all(self.words)
            case _:
                assert_never(query)

    def collect_top(self, query: Query, count: int, flagged: Flagged, only: Documents | None = None) -> Best:
        """Collects the top `count` documents that match; with `only`, of these (ascending)."""
        if isinstance(query, MostOf):
            return collect_most_of(self, self._ranking, query, count, flagged, only)
        alone = _unwrap(query)
        accepted = AcceptedDocuments(only)
        if isinstance(alone, AllOf) and alone.parts:
            refused = [_own_documents(self(part)) for part in alone.but]
            accepted = AcceptedDocuments(self._filter(alone, only), refused)
            if len(alone.parts) > 1:
                parts = self._evaluate_parts(alone.parts)
                return collect_conjunction(self.words, parts, count, flagged, accepted)
            alone = _unwrap(alone.parts[0])
        some = alone.parts if isinstance(alone, AnyOf) and alone.parts else (alone,)
        return collect_disjunction(self.words, self._evaluate_parts(some), count, flagged, accepted)

    def _evaluate_parts(self, parts: Sequence[Query]) -> list[QueryPart]:
        return list(map(self._evaluate_part, parts))

    def _evaluate_part(self, part: Query) -> QueryPart:
        """Evaluates a part: a word is not read before it is needed."""
        if isinstance(part, Word):
            return self.words(part)
        if isinstance(part, Boost) and isinstance(part.part, Word):
            matches = self.words(part.part)
            return matches._replace(factor=matches.factor * part.factor)
        return self(part)

    def _filter(self, query: AllOf, only: Documents | None) -> Documents | None:
        """Intersects the filters with these documents; None: all."""
        filters = [*map(self._evaluate_filter, query.only), *([] if only is None else [as_filter(only)])]
        return intersect(filters).documents if filters else None

    def _evaluate_filter(self, query: Query) -> ScoredDocuments:
        """Evaluates a filter, to be put together with what has scores."""
        return self.words.get_cached(("only", query), lambda: as_filter(self(query).documents))

    def _evaluate_phrase(self, phrase: Phrase) -> ScoredDocuments:
        """Finds documents by the phrase and scores them by its words."""
        documents = match_phrase(self.words, phrase)
        scores = self.words.score_words(phrase.words, documents).sum(axis=0)
        return ScoredDocuments(documents, set_marks(scores, OWN))

    def _evaluate_and_maybe(self, query: AndMaybe) -> ScoredDocuments:
        """Adds the scores of what is no more than welcome to the documents that match."""
        found = self(query.part)
        maybe = query.maybe.parts if isinstance(query.maybe, AnyOf) else (query.maybe,)
        scores = found.scores.copy()
        for part in maybe:
            if isinstance(part, Boost) and isinstance(part.part, Word):
                scores += np.float32(part.factor) * self.words.score_words([part.part], found.documents)[0]
            else:
                scores += self(part).scores_of(found.documents)
        return ScoredDocuments(found.documents, set_marks(scores, marks_of(found.scores)))

    def _evaluate_compound(self, compound: Compound) -> ScoredDocuments:
        """Evaluates a compound: side by side, the parts of a word are akin to it."""
        whole, parts = self(compound.whole), self(compound.parts)
        documents = merge_documents([whole.documents, parts.documents])
        one, other = whole.scores_of(documents), parts.scores_of(documents)
        share = np.where(one > 0, np.float32(1), self._variant_share)
        own = are_own(one) | are_own(other)
        return ScoredDocuments(documents, set_marks(np.maximum(one, share * other), own * OWN))

    def _evaluate_all_of(self, query: AllOf) -> ScoredDocuments:
        """Intersects the parts; an unwanted word leaves out the pages that say it themselves, not those that
        have it in a menu.
        """
        found = intersect([*map(self, query.parts), *map(self._evaluate_filter, query.only)])
        if not query.parts:
            found = score_constant(found.documents)
        for part in query.but:
            found = exclude(found, self(part))
        return found


def _own_documents(found: ScoredDocuments) -> Documents:
    """Returns the documents that say themselves what is found."""
    return found.documents[are_own(found.scores)]


def _unwrap(query: Query) -> Query:
    """Takes a query out of groups of one."""
    while isinstance(query, AllOf | AnyOf) and len(query.parts) == 1:
        if isinstance(query, AllOf) and (query.but or query.only):
            break
        query = query.parts[0]
    return query
