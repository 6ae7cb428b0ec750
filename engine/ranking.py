"""Defines the weights of the ranking and BM25F's arithmetic.

BM25F as Robertson and Zaragoza have it ("The Probabilistic Relevance Framework: BM25 and
Beyond", 3.6): a term's frequencies are weighted by field and added up, and the sum saturates.
The inlink weight is added to the text's score (requirement 300).
"""

import json
import re
from dataclasses import asdict, dataclass, field, fields, replace
from math import inf, log1p
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.config import Table
from engine.errors import EngineError
from engine.linkgraph import VotePivots

STUFFABLE = frozenset(
    {"title", "subject", "headings", "path", "description", "keywords", "body", "rest"}
)  # fields that the author fills at will
# A word is stuffed into a text that has it more often than each of these; a short text may repeat its word.
STUFFED_FROM = 5  # occurrences
STUFFED_SHARE = 0.08  # of the text's terms; in prose even "the" stays at 0.07
STUFFED_SQUARE = 2.5  # times the terms, by the square of the occurrences: more than 15 of 95, 50 of 1,000
# Times log(1 + votes): a full vote adds 3.5, a rare word in a title some 10; 0: text alone.
INLINK_WEIGHT = 5.0
# Pages of a site's own manual differ in how many others of it point to them. Of another domain the first page
# casts half a vote at once, so that no farm of one domain outweighs two of them (requirements 301, 304); with
# more, a front page that others link to comes before the page below it that is about what was asked.
VOTE_PIVOTS = VotePivots(same_domain=8.0, other_domain=1.0)


@dataclass(frozen=True, slots=True)
class FieldRanking:
    """What one occurrence in a field counts, how far (0 to 1) a long field makes it count less, and up to how
    many times the mean length.
    """

    weight: float
    b: float
    longest: float = inf


class RerankSignal(NamedTuple):
    """What the best texts gain by besides: the name of its weight in Ranking, and its name for people."""

    name: str
    label: str  # in English
    is_weighted: bool = False  # what is added up has its weight already


RERANK_SIGNALS = (
    RerankSignal("proximity", "proximity of the words"),
    RerankSignal("exact_form", "words in the exact form of the query", is_weighted=True),
    RerankSignal("title_coverage", "a title that consists of the words"),
    RerankSignal("heading_coverage", "a heading that consists of the words"),
)
PROXIMITY, EXACT_FORM, TITLE_COVERAGE, HEADING_COVERAGE = range(len(RERANK_SIGNALS))


@dataclass(frozen=True, slots=True)
class Ranking:
    """The ranking's numbers; chosen by `scrapy evaluate` on linked documentation, abstracts, and
    questions about encyclopedias in fourteen languages."""

    k1: float = 1.4  # where a frequency saturates: requirement 302
    title: FieldRanking = field(default=FieldRanking(4.0, 0.5))
    subject: FieldRanking = field(default=FieldRanking(4.0, 0.5))  # the title's own words count twice
    headings: FieldRanking = field(default=FieldRanking(1.0, 0.5))
    anchor: FieldRanking = field(default=FieldRanking(5.0, 0.75))
    path: FieldRanking = field(default=FieldRanking(1.0, 0.5))
    description: FieldRanking = field(default=FieldRanking(0.5, 0.5))
    keywords: FieldRanking = field(default=FieldRanking(0.1, 0.5))  # nobody sees them: requirements 221, 303
    # A chapter of twenty times the mean has more subjects, not more words for one (Lv and Zhai, "When
    # Documents Are Very Long, BM25 Fails!", SIGIR 2011).
    body: FieldRanking = field(default=FieldRanking(1.0, 0.35, longest=4.0))
    rest: FieldRanking = field(default=FieldRanking(0.05, 0.5))  # menus, footers, templates: last, but found
    variant: float = 0.4  # what a variant counts (łódź for lodz, JavaScript for Java), to 1 of the word
    proximity: float = 0.9  # half of what a word can gain by others of the query near it, however rare it is
    # What a title or heading that is the query counts besides, to 1 of the idf of its words: they name what a
    # page is about, and BM25F cannot tell one that is the query from one that has its words among others.
    title_coverage: float = 2.5
    heading_coverage: float = 0.5
    exact_form: float = 0.2  # what a word in the form that was typed counts besides, to 1 of the word
    prefix: float = 0.4  # what a word that begins like it counts where it is missing
    missing: float = 1.5  # what a document loses that has not a word, to 1 of what the word tells (its idf)
    stopword: float = 0.1  # what a stop word counts; with none, "is" and "with" cannot decide
    partial_matches: int = 50  # documents without some of the words, found beside those that have them all
    rerank_window: int = 50  # hits that proximity and forms may move, best texts first; 100 gain nothing more
    inlink_weight: float = INLINK_WEIGHT
    # Linking pages of one domain that cast half a vote; all of them one.
    same_domain_pivot: float = VOTE_PIVOTS.same_domain
    other_domain_pivot: float = VOTE_PIVOTS.other_domain
    flagged: float = 0.05  # what is left of a score when the page has nothing to say: requirement 85
    inlink_window: int = 100  # hits that the inlink weight may move, best texts first; 300 gain nothing more
    signals: tuple[tuple[str, float], ...] = ()  # own ones by name, and what a page gains of which it is 1

    @property
    def signal_weights(self) -> NDArray[np.float32]:
        """The weights of RERANK_SIGNALS."""
        weights = [1.0 if one.is_weighted else getattr(self, one.name) for one in RERANK_SIGNALS]
        return np.array(weights, np.float32)

    def scale_inlinks(self, documents: int) -> float:
        """Returns the inlink weight in an index of so many documents."""
        return self.inlink_weight * min(1.0, log1p(documents) / log1p(FULL_INLINKS_FROM))

    @property
    def pivots(self) -> VotePivots:
        """What the votes of the index are counted with; `scrapy rebuild --weights` takes others up."""
        return VotePivots(self.same_domain_pivot, self.other_domain_pivot)


# Documents of an index from which on inlinks count in full. Scores add up idfs, which grow with the logarithm
# of the documents; of 60 the front page and the contents would come before every page on its subject.
FULL_INLINKS_FROM = 500

MOST = 100.0  # of each number that crawl.toml may set: what weighs more leaves nothing else to be seen
FIXED = frozenset({"partial_matches", "rerank_window", "inlink_window", "signals"})  # bounds of the work; own
SLOPED = frozenset({"anchor", "body"})  # the texts whose b may be set; the others are short
SLOPE = "_b"  # ends the name of a text's b: body_b


def dump_ranking(ranking: Ranking) -> str:
    """Dumps a ranking as JSON, for another process."""
    return json.dumps(asdict(ranking))


def load_ranking(dumped: str) -> Ranking:
    """Loads what was dumped."""
    told: dict[str, Any] = json.loads(dumped)
    texts = {name: FieldRanking(**one) for name, one in told.items() if isinstance(one, dict)}
    return Ranking(**(told | texts | {"signals": tuple((name, weight) for name, weight in told["signals"])}))


def read_ranking(table: Table) -> Ranking:
    """Reads the ranking that [ranking] of crawl.toml sets (requirement 305); a text's number is its weight.

    0 turns a signal off. Raises EngineError for what is no number from 0 to MOST, for a b from 0 to 1.
    """
    usual, chosen, known = Ranking(), dict[str, Any](), list[str]()
    for name in (one.name for one in fields(Ranking) if one.name not in FIXED):
        default = getattr(usual, name)
        known.append(name)
        if isinstance(default, FieldRanking):
            weight, b = table.amount(name, default.weight, MOST), default.b
            if name in SLOPED:
                known.append(name + SLOPE)
                b = table.amount(name + SLOPE, b, 1.0)
            chosen[name] = replace(default, weight=weight, b=b)
        else:
            chosen[name] = table.amount(name, default, MOST)
    table.check_keys(*known, "signals")
    own = table.table("signals")
    for name in own.values:
        if not re.fullmatch(r"\w+", name):
            raise EngineError(f"{own.where(name)}: write the name of an entry point of lycosa.signals")
    signals = tuple((name, own.amount(name, 0.0, MOST)) for name in own.values)
    return replace(usual, **chosen, signals=signals)


def idf(documents: int, holding: float) -> float:
    """Computes how much a word tells that `holding` of the documents have; above 0 for any word (as in
    Lucene).
    """
    return log1p((documents - holding + 0.5) / (holding + 0.5))


def saturate(frequencies: NDArray[np.float32], k1: float) -> NDArray[np.float32]:
    """Saturates weighted frequencies: on a scale from 0 to k1 + 1, 1 at frequency 1."""
    return np.float32(k1 + 1) * frequencies / (np.float32(k1) + frequencies)
