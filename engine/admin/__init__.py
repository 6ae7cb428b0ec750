"""Lets the operator, and nobody else, into the operator's pages: password, sessions, limits, audit log."""

from engine.admin.access import AdminAccess, TooManyAttempts, WrongPassword
from engine.admin.attempts import Visitor
from engine.admin.audit_log import AuditEntry
from engine.admin.database import ADMIN
from engine.admin.passwords import MAX_LENGTH, MIN_LENGTH, clear_password, save_password
from engine.admin.services import OperatorServices

__all__ = [
    "ADMIN",
    "MAX_LENGTH",
    "MIN_LENGTH",
    "AdminAccess",
    "AuditEntry",
    "OperatorServices",
    "TooManyAttempts",
    "Visitor",
    "WrongPassword",
    "clear_password",
    "save_password",
]
