"""Defines the outcome of a submission: queued, known, waiting for the operator, refused."""

from typing import NamedTuple

QUEUED, KNOWN, WAITING, REFUSED, FULL = "queued", "known", "waiting", "refused", "full"


class Submission(NamedTuple):
    """What became of one submitted URL."""

    outcome: str  # QUEUED, KNOWN, WAITING, REFUSED, FULL
    url: str
    why: str = ""  # the state of one that is known, the rule that refuses
