"""Decides about submitted URLs: refuses, queues, or keeps them for the operator; recrawls for programs."""

from engine.submission.admission import DECIDED, INCOMPLETE, PRIVATE, Admission
from engine.submission.decisions import (
    accept_submissions,
    recrawl_known,
    refuse_submissions,
    release_from_quarantine,
)
from engine.submission.recrawl import Denial, RecrawlRefused
from engine.submission.recrawl_ledger import RecrawlKind, RecrawlRequest
from engine.submission.recrawl_progress import RecrawlProgress, RecrawlState
from engine.submission.recrawl_service import RecrawlService, RecrawlStatus
from engine.submission.service import SubmissionService
from engine.submission.status import Stage, SubmissionStatus
from engine.submission.submission import FULL, KNOWN, QUEUED, REFUSED, WAITING, Submission
from engine.submission.targets import rule_against_known, settled_target, sites_written
from engine.submission.tokens import URLS_PER_HOUR, Token, add_token, load_tokens, remove_token

__all__ = [
    "DECIDED",
    "FULL",
    "INCOMPLETE",
    "KNOWN",
    "PRIVATE",
    "QUEUED",
    "REFUSED",
    "URLS_PER_HOUR",
    "WAITING",
    "Admission",
    "Denial",
    "RecrawlKind",
    "RecrawlProgress",
    "RecrawlRefused",
    "RecrawlRequest",
    "RecrawlService",
    "RecrawlState",
    "RecrawlStatus",
    "Stage",
    "Submission",
    "SubmissionService",
    "SubmissionStatus",
    "Token",
    "accept_submissions",
    "add_token",
    "load_tokens",
    "recrawl_known",
    "refuse_submissions",
    "release_from_quarantine",
    "remove_token",
    "rule_against_known",
    "settled_target",
    "sites_written",
]
