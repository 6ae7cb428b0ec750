"""Decides about submitted URLs: refuses, queues, or keeps them for the operator."""

from engine.submission.admission import DECIDED, INCOMPLETE, PRIVATE, Admission
from engine.submission.service import SubmissionService
from engine.submission.status import Stage, SubmissionStatus
from engine.submission.submission import FULL, KNOWN, QUEUED, REFUSED, WAITING, Submission
from engine.submission.targets import address, rule_against, settled_target, sites_written

__all__ = [
    "DECIDED",
    "FULL",
    "INCOMPLETE",
    "KNOWN",
    "PRIVATE",
    "QUEUED",
    "REFUSED",
    "WAITING",
    "Admission",
    "Stage",
    "Submission",
    "SubmissionService",
    "SubmissionStatus",
    "address",
    "rule_against",
    "settled_target",
    "sites_written",
]
