"""What a task cost, and who won it.

Lycosa wins a task when it did it and each peer either failed or is worse, or no better, in at least
three of the four measures. This was written down before anything was measured.
"""

from collections.abc import Iterable, Sequence
from statistics import median_low
from typing import NamedTuple

MOST = 3  # of the measures


class Effort(NamedTuple):
    """One way from the search page to the right page. Less is better in each."""

    keys: int  # and taps, on the mouse or the screen
    bytes: int  # sent by the server of the search until the right page is there, this page left out
    requests: int  # the same
    ms: int  # from the first key until the right page is read, or the place on it is seen


def usual(efforts: Sequence[Effort | None]) -> Effort | None:
    """The median of several runs in each measure; None when one of them failed."""
    done = [one for one in efforts if one]
    if len(done) < len(efforts):
        return None
    return Effort(*map(median_low, zip(*done, strict=True)))


def won(ours: Effort | None, peers: Iterable[Effort | None]) -> bool:
    """Whether Lycosa won."""
    return ours is not None and all(peer is None or _beats(ours, peer) for peer in peers)


def _beats(ours: Effort, peer: Effort) -> bool:
    return sum(mine <= other for mine, other in zip(ours, peer, strict=True)) >= MOST
