"""Orders what an evaluator has ranked, and behind it what the cluster has found, in numbers of a session."""

from collections.abc import Sequence

import numpy as np

from engine.index.cluster_searching.asking import FoundPage
from engine.index.reader import Documents, Scores
from engine.index.scoring import Best

LEAST = np.float32(1e-30)  # scores are above 0
NO_HITS = Best(np.empty(0, np.int32), np.empty(0, np.float32), np.empty(0, np.bool_), 0)


def renumber(best: Best, numbers: Documents) -> Best:
    """Gives the documents other numbers: those that are there at their old ones."""
    return _sort(best._replace(documents=numbers[best.documents]))


def append_behind(best: Best, behind: Sequence[FoundPage], documents: Documents, lowest: float) -> Best:
    """Appends pages that nobody has ranked, in their order: each scores what the cluster gave it, or a little
    less than what is before it, first than the `lowest` of the candidates, but what the cluster finds alike.
    """
    return _sort(
        best._replace(
            documents=np.concatenate((best.documents, documents)),
            scores=np.concatenate((best.scores, _step_down(behind, np.float32(lowest)))),
            own=np.concatenate((best.own, np.zeros(len(behind), np.bool_))),
        )
    )


def _step_down(behind: Sequence[FoundPage], before: np.float32) -> Scores:
    """Scores pages so that they stay in their order."""
    scores, alike = list[np.float32](), None
    for page in behind:
        if page.alike != alike:
            alike, below = page.alike, np.nextafter(before, np.float32(0))
            before = max(min(np.float32(page.score), below), LEAST)
        scores.append(before)
    return np.array(scores, np.float32)


def join_orders(places: Best, dated: Documents, behind: Documents) -> Best:
    """Joins the order of those of the documents that are `dated` with others, which come behind them in
    theirs. `places` count from the end.
    """
    here = np.flatnonzero(np.isin(places.documents, dated))
    after = np.arange(len(behind), 0, -1, dtype=np.float32)
    return _sort(
        places._replace(
            documents=np.concatenate((places.documents[here], behind)),
            scores=np.concatenate((places.scores[here] + np.float32(len(behind)), after)),
            own=np.concatenate((places.own[here], np.zeros(len(behind), np.bool_))),
        )
    )


def _sort(best: Best) -> Best:
    """Sorts by document."""
    order = np.argsort(best.documents)
    return best._replace(documents=best.documents[order], scores=best.scores[order], own=best.own[order])
