"""Translates a query tree into OpenSearch's query language (Query DSL).

A word is the disjunction of its terms' features: their BM25F weights saturate as ours do, so the scores are
ours but for rounding and for a text that has several of the terms, of which the best counts.
"""

from collections.abc import Callable, Iterable, Sequence, Set
from typing import Any, assert_never

from engine.index.cluster_form import (
    FIELD_TERMS,
    OTHER_TERMS,
    OWN_TERMS,
    STACK,
    STACKED,
    feature_name,
    form_key,
    weight_field,
)
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
from engine.index.reader import FIELD
from engine.index.schema import FORMS, KEYS, PHRASE_FIELDS
from engine.index.searching import require_all
from engine.model import Flag
from engine.ranking import Ranking
from engine.text.analysis import VARIANT_MARK

NO_MATCH: dict[str, Any] = {"match_none": {}}

DSL = dict[str, Any]


class Translator:
    """Translates queries for scores; `factor_of` tells what a word is worth, its idf times k1 + 1."""

    def __init__(self, ranking: Ranking, factor_of: Callable[[Word], float]) -> None:
        self._k1, self._variant, self._factor_of = ranking.k1, ranking.variant, factor_of

    def __call__(self, query: Query, boost: float = 1.0) -> DSL:
        """Translates a query whose scores count so many times. Raises ValueError for what no cluster has."""
        match query:
            case Word():
                return self._translate_word(query, self._factor_of(query) * boost)
            case Phrase():
                return {"bool": {"filter": [match_own(query)], "must": [self(w, boost) for w in query.words]}}
            case Compound():
                return self._translate_compound(query, boost)
            case AllOf():
                return self._translate_group(query, boost)
            case MostOf():
                return self(require_all(query), boost)
            case AnyOf():
                return _any_of([self(part, boost) for part in query.parts])
            case AndMaybe():
                maybe = query.maybe.parts if isinstance(query.maybe, AnyOf) else (query.maybe,)
                should = [self(part, boost) for part in maybe]
                return {"bool": {"must": [self(query.part, boost)], "should": should}}
            case Boost():
                return self(query.part, boost * query.factor)
            case Prefix() | Field() | Range() | Every() | Matched():
                return {"constant_score": {"filter": match_any(query), "boost": boost}}
            case _:
                assert_never(query)

    def _translate_word(self, word: Word, boost: float) -> DSL:
        variants = [term for term in word.variants if not term.startswith(VARIANT_MARK)]
        shares = [(term, 1.0) for term in word.terms] + [(term, self._variant) for term in variants]
        features = [
            {
                "rank_feature": {
                    "field": f"{weight_field(term)}.{feature_name(term)}",
                    "boost": boost,
                    "saturation": {"pivot": self._k1 / share},
                }
            }
            for term, share in sorted(shares)
            if term
        ]
        return _best_of(features) if features and boost else NO_MATCH

    def _translate_compound(self, compound: Compound, boost: float) -> DSL:
        """Translates a compound: beside the whole word, its parts are akin to it and count as much."""
        beside = {"must": [self(compound.parts, boost)], "filter": [match_any(compound.whole)]}
        parts = self(compound.parts, boost * self._variant)
        return _best_of([self(compound.whole, boost), parts, {"bool": beside}])

    def _translate_group(self, query: AllOf, boost: float) -> DSL:
        clauses = {
            "must": [self(part, boost) for part in query.parts],
            "must_not": [match_own(part) for part in query.but],
            "filter": [match_any(part) for part in query.only],
        }
        return {"bool": {name: some for name, some in clauses.items() if some}}


def prefer_unflagged(query: DSL) -> DSL:
    """Adds to the scores of documents that have something to say (requirement 85)."""
    flagged = {"terms": {"flag": [str(flag) for flag in Flag]}}
    unflagged = {"constant_score": {"filter": {"bool": {"must_not": [flagged]}}}}
    return {"bool": {"must": [query], "should": [unflagged]}}


def match_any(query: Query) -> DSL:
    """Translates a query into a filter: the documents that match, wherever they say it."""
    match query:
        case Word():
            return match_terms(query.terms | query.variants, (FIELD, OWN_TERMS, OTHER_TERMS))
        case Prefix():
            return _match_prefix(query, (FIELD, OWN_TERMS, OTHER_TERMS))
        case Field():
            if query.name not in (*PHRASE_FIELDS, *FIELD_TERMS, *KEYS):
                raise ValueError(f"the index has no field {query.name} of its own")
            return {"term": {query.name: form_key(query.term) if query.name == FORMS else query.term}}
        case Range():
            return {"range": {query.key: {"gte": query.first, "lte": query.last}}}
        case Every():
            return {"match_all": {}}
        case Matched():
            raise ValueError("Whoosh's own queries are for an index of Whoosh")
        case Phrase() | Compound() | AllOf() | AnyOf() | MostOf() | AndMaybe() | Boost():
            return _match_parts(query, match_any)
        case _:
            assert_never(query)


def match_own(query: Query) -> DSL:
    """Translates a query into a filter: the documents that say it themselves."""
    match query:
        case Word():
            return match_terms(query.terms | query.variants, (FIELD, OWN_TERMS))
        case Prefix():
            return _match_prefix(query, (FIELD, OWN_TERMS))
        case Field() if query.name == "rest":
            return NO_MATCH
        case Field() | Range() | Every() | Matched():
            return match_any(query)
        case Phrase() | Compound() | AllOf() | AnyOf() | MostOf() | AndMaybe() | Boost():
            return _match_parts(query, match_own)
        case _:
            assert_never(query)


def match_terms(terms: Set[str], fields: Iterable[str]) -> DSL:
    """Makes a filter of documents that have one of the terms in one of the fields; the empty term is none."""
    some = sorted(filter(None, terms))
    return _any_of([{"terms": {field: some}} for field in fields]) if some else NO_MATCH


def _match_prefix(prefix: Prefix, fields: Iterable[str]) -> DSL:
    """Makes a filter of documents that have a form, or a term in one of the fields, with this beginning."""
    in_fields = [{"prefix": {field: prefix.beginning}} for field in fields]
    return _any_of([*in_fields, {"prefix": {FORMS: form_key(prefix.beginning)}}])


def _match_parts(
    query: Phrase | Compound | AllOf | AnyOf | MostOf | AndMaybe | Boost, part_of: "Match"
) -> DSL:
    """Translates a query of parts into a filter."""
    match query:
        case Phrase():
            return _match_phrase(query)
        case Compound():
            return _any_of([part_of(query.whole), part_of(query.parts)])
        case AllOf():
            clauses = {
                "filter": [*map(part_of, query.parts), *map(match_any, query.only)],
                "must_not": list(map(match_own, query.but)),
            }
            return {"bool": {name: some for name, some in clauses.items() if some}}
        case MostOf():
            return part_of(require_all(query))
        case AnyOf():
            return _any_of(list(map(part_of, query.parts)))
        case AndMaybe() | Boost():
            return part_of(query.part)
        case _:
            assert_never(query)


def _match_phrase(phrase: Phrase) -> DSL:
    """Makes a filter of documents in one of whose texts the words follow each other."""
    words = [STACK.join(sorted(filter(None, word.terms | word.variants))) for word in phrase.words]
    if not all(words):
        return NO_MATCH
    fields = (phrase.text,) if phrase.text else PHRASE_FIELDS
    return _any_of(
        [{"match_phrase": {field: {"query": " ".join(words), "analyzer": STACKED}}} for field in fields]
    )


def _any_of(clauses: Sequence[DSL]) -> DSL:
    return {"bool": {"should": list(clauses), "minimum_should_match": 1}} if clauses else NO_MATCH


def _best_of(clauses: Sequence[DSL]) -> DSL:
    return clauses[0] if len(clauses) == 1 else {"dis_max": {"queries": list(clauses)}}


Match = Callable[[Query], DSL]
