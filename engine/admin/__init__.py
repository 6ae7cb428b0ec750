"""Lets the operator, and nobody else, into the operator's pages: password, sessions, limits, audit log."""

from engine.admin.access import AdminAccess, TooManyAttempts, WrongPassword
from engine.admin.attempts import Visitor
from engine.admin.audit_log import AuditEntry
from engine.admin.passwords import MAX_LENGTH, MIN_LENGTH, clear_password, save_password
from engine.admin.services import OperatorServices
from engine.admin.sessions import begin_session, end_session, hash_session_id, is_living

__all__ = [
    "MAX_LENGTH",
    "MIN_LENGTH",
    "AdminAccess",
    "AuditEntry",
    "OperatorServices",
    "TooManyAttempts",
    "Visitor",
    "WrongPassword",
    "begin_session",
    "clear_password",
    "end_session",
    "hash_session_id",
    "is_living",
    "save_password",
]
