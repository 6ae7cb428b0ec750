"""Reports the status of a submitted URL to its submitter."""

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
    """The status of a URL, for its submitter."""

    url: str  # canonical
    stage: Stage
    reason: str = ""
    since: float | None = None  # seconds since 1970


STAGES = {
    State.QUEUED: Stage.QUEUED,
    State.SKIPPED: Stage.REFUSED,
    State.DISALLOWED: Stage.REFUSED,
}
