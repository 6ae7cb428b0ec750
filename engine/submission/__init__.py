"""Takes in URLs that people submit: checks, queues, or keeps them for the operator."""

from engine.submission.submission import (
    DECIDED,
    FULL,
    QUEUED,
    REFUSED,
    WAITING,
    Desk,
    Fate,
    Intake,
    Stage,
    Submission,
)
from engine.submission.targets import address, rule_against, sites_written

__all__ = [
    "DECIDED",
    "FULL",
    "QUEUED",
    "REFUSED",
    "WAITING",
    "Desk",
    "Fate",
    "Intake",
    "Stage",
    "Submission",
    "address",
    "rule_against",
    "sites_written",
]
