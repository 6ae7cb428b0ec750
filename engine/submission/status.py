"""Tells how far a submitted URL has come, for the person who submitted it."""

from enum import StrEnum
from typing import NamedTuple

from engine.model import State


class Stage(StrEnum):
    """How far a URL has come."""

    UNKNOWN = "unknown"
    WAITING = "waiting"  # for the operator
    QUEUED = "queued"
    REFUSED = "refused"
    VISITED = "visited"
    INDEXED = "indexed"


class SubmissionStatus(NamedTuple):
    """What has become of a URL, for the person who submitted it."""

    url: str  # canonical
    stage: Stage
    reason: str = ""
    since: float | None = None  # seconds since 1970


STAGES = {
    State.QUEUED: Stage.QUEUED,
    State.SKIPPED: Stage.REFUSED,
    State.DISALLOWED: Stage.REFUSED,
}
