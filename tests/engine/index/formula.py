"""What documents match a query and how well, in plain Python: every document is looked at."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import log
from typing import NamedTuple

from engine.index.query.tree import (
    AllOf,
    AndMaybe,
    AnyOf,
    Boost,
    Compound,
    Field,
    Phrase,
    Prefix,
    Query,
    Range,
    Word,
)
from engine.index.schema.schema import PHRASE_FIELDS, REST, TEXT_FIELDS
from engine.ranking import STUFFABLE, STUFFED_FROM, STUFFED_SHARE, STUFFED_SQUARE, Ranking
from engine.text.analysis.analyzer import Place

Texts = Mapping[str, Sequence[Place]]
"""The terms of each text of a document, by field."""


class Match(NamedTuple):
    """A score, and whether the document has it for its own text."""

    score: float
    own: bool


Matches = dict[str, Match]
"""By URL."""


def counted(name: str, often: int, length: int) -> int:
    """A word that fills a text which its author writes counts once."""
    is_stuffed = often > max(STUFFED_FROM, STUFFED_SHARE * length, (STUFFED_SQUARE * length) ** 0.5)
    return 1 if name in STUFFABLE and is_stuffed else often


class Formula:
    """Robertson and Zaragoza's BM25F, word for word; average lengths have two digits."""

    def __init__(self, texts: Mapping[str, Texts], keys: Mapping[str, Mapping[str, Sequence[str]]]) -> None:
        self._texts, self._keys, self._ranking = texts, keys, Ranking()
        self._averages = {name: self._average(name) for name in TEXT_FIELDS}
        self._often = {
            (url, name): Counter(term for place in text for term in place)
            for url, of in texts.items()
            for name, text in of.items()
        }
        self._terms = set[str]().union(*self._often.values())

    def __call__(self, query: Query) -> Matches:
        match query:
            case Word():
                return self._word(query.terms, query.variants)
            case Phrase():
                return self._phrase(query)
            case Compound():
                return self._compound(query)
            case AllOf() | AnyOf() | AndMaybe() | Boost():
                return self._group(query)
            case Prefix():
                terms = {term for term in self._terms if term.startswith(query.beginning)}
                return self._word(frozenset(terms), frozenset())
            case Field() if query.name in TEXT_FIELDS:
                return self._word(frozenset([query.term]), frozenset(), (query.name,))
            case Field():
                return self._alike(lambda keys: query.term in keys.get(query.name, ()))
            case Range():
                return self._alike(
                    lambda keys: any(query.first <= one <= query.last for one in keys.get(query.key, ()))
                )
        return self._alike(lambda keys: True)

    def _group(self, query: AllOf | AnyOf | AndMaybe | Boost) -> Matches:
        match query:
            case AllOf():
                parts = [self(part) for part in query.parts]
                unwanted = {url for part in query.but for url, match in self(part).items() if match.own}
                found = set.intersection(*map(set, parts)) - unwanted
                return {url: _summed([part[url] for part in parts], all) for url in found}
            case AnyOf():
                parts = [self(part) for part in query.parts]
                return {
                    url: _summed([part[url] for part in parts if url in part], any)
                    for url in set[str]().union(*parts)
                }
            case AndMaybe():
                part, more = self(query.part), self(query.maybe)
                return {
                    url: Match(match.score + (more[url].score if url in more else 0), match.own)
                    for url, match in part.items()
                }
        return {url: Match(match.score * query.factor, match.own) for url, match in self(query.part).items()}

    def _alike(self, has: Callable[[Mapping[str, Sequence[str]]], bool]) -> Matches:
        return {url: Match(1, True) for url, keys in self._keys.items() if has(keys)}

    def _word(
        self, terms: frozenset[str], variants: frozenset[str], fields: Sequence[str] = TEXT_FIELDS
    ) -> Matches:
        said = {url: self._frequency(url, terms, fields) for url in self._texts}
        alike = {url: self._frequency(url, variants, fields) for url in self._texts}
        share, k1 = self._ranking.variant, self._ranking.k1
        exact = sum(own > 0 for own, _ in said.values())
        own = {url for url in self._texts if said[url][0] or alike[url][0]}
        frequency = {url: sum(said[url]) + share * sum(alike[url]) for url in self._texts}
        holding = exact + share * (len(own) - exact) or sum(map(bool, frequency.values()))
        idf = log(1 + (len(self._texts) - holding + 0.5) / (holding + 0.5))
        return {
            url: Match(idf * (k1 + 1) * often / (k1 + often), url in own)
            for url, often in frequency.items()
            if often
        }

    def _frequency(self, url: str, terms: frozenset[str], fields: Sequence[str]) -> tuple[float, float]:
        """Weighted, in the document's own texts and in the rest."""
        sums = {True: 0.0, False: 0.0}
        for name in fields:
            text, field = self._texts[url][name], getattr(self._ranking, name)
            often = sum(counted(name, self._often[url, name][term], len(text)) for term in terms)
            if often:
                scale = 1 - field.b + field.b * len(text) / self._averages[name]
                sums[name != REST] += field.weight * often / scale
        return sums[True], sums[False]

    def _phrase(self, phrase: Phrase) -> Matches:
        every = self(AllOf(phrase.words))
        return {url: Match(m.score, True) for url, m in every.items() if self._holds(url, phrase)}

    def _holds(self, url: str, phrase: Phrase) -> bool:
        return any(
            all(
                (word.terms | word.variants) & set(place)
                for word, place in zip(phrase.words, places, strict=True)
            )
            for name in PHRASE_FIELDS
            for text in [self._texts[url][name]]
            for places in zip(*(text[at:] for at in range(len(phrase.words))), strict=False)
        )

    def _compound(self, compound: Compound) -> Matches:
        whole, parts = self(compound.whole), self(compound.parts)
        found: Matches = {}
        for url in {*whole, *parts}:
            one, other = whole.get(url, Match(0, False)), parts.get(url, Match(0, False))
            share = 1 if url in whole else self._ranking.variant
            found[url] = Match(max(one.score, share * other.score), one.own or other.own)
        return found

    def _average(self, name: str) -> float:
        lengths = [len(texts[name]) for texts in self._texts.values() if texts[name]]
        return float(f"{sum(lengths) / len(lengths):.1e}") if lengths else 1


def _summed(matches: Sequence[Match], own: Callable[[Iterable[bool]], bool]) -> Match:
    return Match(sum(match.score for match in matches), own(match.own for match in matches))
