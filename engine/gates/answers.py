"""Two generations are asked the same, beside each other: how well they answer, and how fast."""

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean, median

from engine.gates.rules import Trial
from engine.index.snapshot import Snapshot
from engine.relevance.measures import NDCG_DEPTH, ndcg
from engine.search import answer

TIMED = 100  # queries: enough for a median, and both generations are through within seconds
DRAWN_WORDS = 3  # of a title: as people type

Judged = Mapping[str, Mapping[str, int]]  # query -> grades by URL


def quality(snapshot: Snapshot, judged: Judged) -> float:
    """The mean nDCG@10 of the judged queries, 0.0 without any."""
    found = (ndcg(_first(snapshot, query), grades) for query, grades in judged.items())
    return fmean(found) if judged else 0.0


def drawn(snapshot: Snapshot) -> list[str]:
    """What titles begin with, of documents spread evenly over the index; TIMED at most."""
    every = snapshot.reader.having("title")
    chosen = every[:: max(len(every) // TIMED, 1)][:TIMED].tolist()
    titles = (snapshot.reader.page(document).title for document in chosen)
    return [" ".join(title.split()[:DRAWN_WORDS]) for title in titles]


def seconds_each(
    snapshots: Sequence[Snapshot], queries: Sequence[str], clock: Callable[[], float]
) -> list[float]:
    """The median seconds that each takes for a query, 0.0 without any; `clock` gives seconds.

    Best those of this thread on a processor: how busy the machine is says nothing of an index. They take
    turns, and what is asked for the first time is not counted, as it reads what is cold.
    """
    taken: list[list[float]] = [[] for _ in snapshots]
    for query in queries[:TIMED]:
        for snapshot in snapshots:
            _first(snapshot, query)
        for snapshot, seconds in zip(snapshots, taken, strict=True):
            began = clock()
            _first(snapshot, query)
            seconds.append(clock() - began)
    return [median(seconds) if seconds else 0.0 for seconds in taken]


def compared(
    old: Snapshot, new: Snapshot, quality_of_new: float, judged: Judged, clock: Callable[[], float]
) -> tuple[Trial, Trial]:
    """How the old and the new generation answer."""
    old_seconds, new_seconds = seconds_each((old, new), list(judged) or drawn(new), clock)
    return Trial(quality(old, judged), old_seconds), Trial(quality_of_new, new_seconds)


def _first(snapshot: Snapshot, typed: str) -> list[str]:
    """The URLs of the first hits."""
    _, best, _ = answer(snapshot, typed, NDCG_DEPTH)
    return snapshot.reader.urls([hit.document for hit in snapshot.ranked(best, NDCG_DEPTH)])
