"""Keeps the complaints of site owners for the operator, and pauses their hosts while they are open."""

from engine.complaints.complaint import MAX_ANSWER, MAX_CONTACT, MAX_TEXT, Complaint
from engine.complaints.ledger import (
    close_complaint,
    has_pause,
    load_complaint,
    load_complaints,
    load_open_complaints,
    make_complaint,
)

__all__ = [
    "MAX_ANSWER",
    "MAX_CONTACT",
    "MAX_TEXT",
    "Complaint",
    "close_complaint",
    "has_pause",
    "load_complaint",
    "load_complaints",
    "load_open_complaints",
    "make_complaint",
]
