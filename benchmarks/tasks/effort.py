"""What a task cost, and who won it.

What a task costs a person is time: keys and taps at a usual pace, and waiting. Lycosa wins one when it did
it, and each peer failed or took longer by more than people notice; it loses one when it failed, when a peer
took less time by as much, or when it sent more than the peer and than BUDGET.

The first rule asked to be no worse in three of the four measures. A plain form without a style sheet, two
answers of 2 KB, cannot be beaten then by any page that has a style sheet, whatever it does for people; so
bytes and requests count where they can be felt. This rule was written down before it was measured by.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from statistics import median_low
from typing import NamedTuple

UNNOTICED_MS = 100  # a tenth of a second is "at once" (Miller, AFIPS 1968)
BUDGET = 60_000  # bytes: 30 KB for a page of the search, and a search has two


class Outcome(StrEnum):
    """Of a task for Lycosa."""

    WON = "won"
    EVEN = "even"
    LOST = "lost"


class Effort(NamedTuple):
    """One way from the search page to the right page. Less is better in each."""

    keys: int  # and taps, on the mouse or the screen
    bytes: int  # sent by the server of the search until the right page is there, this page left out
    requests: int  # the same
    ms: int  # from the first key, each at a usual pace, until the right page is read, or the place on it seen


def median_effort(efforts: Sequence[Effort | None]) -> Effort | None:
    """The median of several runs in each measure; None when one of them failed."""
    done = [one for one in efforts if one]
    if len(done) < len(efforts):
        return None
    return Effort(*map(median_low, zip(*done, strict=True)))


def decide_outcome(ours: Effort | None, peers: Iterable[Effort | None]) -> Outcome:
    """Who won."""
    if ours is None:
        return Outcome.LOST
    done = [peer for peer in peers if peer]
    if any(_is_better(peer, ours) or ours.bytes > max(peer.bytes, BUDGET) for peer in done):
        return Outcome.LOST
    return Outcome.WON if all(_is_better(ours, peer) for peer in done) else Outcome.EVEN


def _is_better(one: Effort, other: Effort) -> bool:
    return other.ms - one.ms > UNNOTICED_MS
