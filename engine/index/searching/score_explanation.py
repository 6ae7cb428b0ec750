"""Explains a page's score for a query, part by part, as the search adds it up."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from engine.index.query import Boost, MostOf, Query, Role, Word, collect_words, format_clause, split_clauses
from engine.index.reader import Documents, are_own
from engine.index.scoring import Best
from engine.index.searching.evaluate import Evaluator
from engine.index.searching.index_searcher import IndexSearcher
from engine.index.searching.minimum_should_match import compute_losses
from engine.index.searching.term_explanation import WordExplanation, explain_word
from engine.ranking import RERANK_SIGNALS, Ranking

MOST_PLACES = 10_000  # hits whose places are told: as many as can be read, a hundred pages of a hundred


class ClauseExplanation(NamedTuple):
    """A part of a query, and what the page has of it; a phrase's score may be less than its words'."""

    role: Role
    text: str
    matched: bool
    score: float
    penalty: float  # because it is missing
    words: tuple[WordExplanation, ...]


@dataclass(frozen=True, slots=True)
class ScoreExplanation:
    """What a page scores for a query: `score` = `text` + all of `gains` and `signals` + `inlink_boost`.

    `text` is what the parts score, times `page_factor`, less what is lost by those that are missing.
    """

    clauses: tuple[ClauseExplanation, ...]
    page_factor: float  # 1; less for a page that has nothing to say (requirement 85)
    matched: bool  # a page that is not scores nothing
    text: float
    gains: Mapping[str, float]  # by each of RERANK_SIGNALS
    inlink_boost: float  # for the pages that link to it
    votes: float  # the votes themselves
    score: float
    rank: int  # 1 is the first; 0: not found, or after MOST_PLACES
    in_rerank_window: bool  # it is one of the best texts, which alone gain by nearness, forms and names
    signals: Mapping[str, float] = field(default_factory=dict)  # by each of the operator's own

    @property
    def missing(self) -> tuple[str, ...]:
        """The words that it does not have."""
        either = [part for part in self.clauses if part.role is Role.ANY_OF]
        gone = [part for part in self.clauses if part.role is Role.MUST and not part.matched]
        return tuple(part.text for part in (*gone, *(() if any(one.matched for one in either) else either)))

    @property
    def excluded_by(self) -> tuple[str, ...]:
        """What keeps it out whatever words it has: a filter, or what is not wanted and stands there."""
        keeps = {Role.FILTER: False, Role.MUST_NOT: True}
        return tuple(part.text for part in self.clauses if keeps.get(part.role) is part.matched)


def explain_score(searcher: IndexSearcher, query: Query, document: int, count: int) -> ScoreExplanation:
    """Explains the score of a document (as the snapshot numbers it) for a query of which the best `count` are
    searched for.
    """
    ranking, one = searcher.ranking, np.array([document], np.int32)
    best = _best_texts(searcher, query, document, count)
    gained = searcher.compute_gains(query, best)
    signals = searcher.compute_signals(best)
    scores = sum(signals.values(), searcher.apply_boosts(best, gained, searcher.boost_weights))
    at = int(best.documents.searchsorted(document))
    found = bool(at < len(best.documents) and best.documents[at] == document)
    # What moves a score is what the search's own sum has more with that alone than without it.
    nothing = gained._replace(amounts=np.zeros_like(gained.amounts))
    unlinked = searcher.weigh_boosts(replace(ranking, inlink_weight=0.0))
    steps = []
    for row in range(len(RERANK_SIGNALS)):
        alone = np.zeros_like(gained.amounts)
        alone[row] = gained.amounts[row]
        steps.append(searcher.apply_boosts(best, gained._replace(amounts=alone), unlinked))
    steps.append(searcher.apply_boosts(best, nothing, searcher.boost_weights))
    *gains, votes = (float(step[at] - best.scores[at]) if found else 0.0 for step in steps)
    return ScoreExplanation(
        clauses=tuple(_explain_clauses(searcher.evaluate, ranking, query, one)),
        page_factor=ranking.flagged if searcher.flagged.contains(one)[0] else 1.0,
        matched=found,
        text=float(best.scores[at]) if found else 0.0,
        gains={signal.name: gain for signal, gain in zip(RERANK_SIGNALS, gains, strict=True)},
        inlink_boost=votes,
        votes=float(searcher.reader.votes(one)[0]),
        score=float(scores[at]) if found else 0.0,
        rank=_find_place(searcher, best._replace(scores=scores), at) if found else 0,
        in_rerank_window=found and at in gained.places,
        signals={name: float(amounts[at]) if found else 0.0 for name, amounts in signals.items()},
    )


def _best_texts(searcher: IndexSearcher, query: Query, document: int, count: int) -> Best:
    """Returns the texts that the first pages of hits are of; all, where the document is not among these."""
    best = searcher.rank_by_text(query, count)
    return best if document in best.documents else searcher.rank_by_text(query, searcher.reader.size)


def _find_place(searcher: IndexSearcher, best: Best, at: int) -> int:
    before = int(np.count_nonzero(best.scores > best.scores[at]))
    end = min(before + int(np.count_nonzero(best.scores == best.scores[at])), MOST_PLACES)
    equal = [one.document for one in searcher.rank(best, end, before)] if before < end else []
    document = int(best.documents[at])
    return before + 1 + equal.index(document) if document in equal else 0


def _explain_clauses(
    evaluate: Evaluator, ranking: Ranking, query: Query, one: Documents
) -> Iterator[ClauseExplanation]:
    lost: dict[Query, float] = {}
    if isinstance(query, MostOf):
        of_parts, has_all = compute_losses(evaluate, ranking, query, one)
        if not has_all[0]:
            lost = {part: float(of[0]) for part, of in zip(query.parts, of_parts, strict=True)}
    for role, part in split_clauses(query):
        score, own = _score_clause(evaluate, part, one)
        counts = role not in (Role.FILTER, Role.MUST_NOT)
        of_words = [explain_word(evaluate.words, ranking, word, int(one[0])) for word in collect_words(part)]
        yield ClauseExplanation(
            role=role,
            text=format_clause(part),
            matched=own if role is Role.MUST_NOT else score > 0,
            score=score if counts else 0.0,
            penalty=lost.get(part, 0.0) if role in (Role.MUST, Role.SHOULD) else 0.0,
            words=tuple(of_words) if counts else (),
        )


def _score_clause(evaluate: Evaluator, part: Query, one: Documents) -> tuple[float, bool]:
    """Scores a part in a document, and tells whether that has it itself."""
    if isinstance(part, Boost):
        score, own = _score_clause(evaluate, part.part, one)
        return part.factor * score, own
    if isinstance(part, Word):
        scores = evaluate.words.score_words([part], one)[0]
    else:
        scores = evaluate(part).scores_of(one)
    return float(scores[0]), bool(are_own(scores)[0])
