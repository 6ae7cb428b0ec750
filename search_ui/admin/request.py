"""Defines a request of the operator: its session, its fields, and what the form before it did."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.admin import AuditEntry, Visitor
from search_ui.admin.gate import make_token
from search_ui.search_request import parse_number

ROOT = "/admin"


@dataclass(frozen=True, slots=True)
class AdminRequest:
    """A request of the operator; `fields` are those of its form, else of its address."""

    session_id: str
    visitor: Visitor
    fields: Mapping[str, str]
    path: str = ROOT
    done: AuditEntry | None = None  # what the form sent before did
    error: str = ""  # why the form that was sent is refused

    @property
    def token(self) -> str:
        """Makes a token for this page's forms."""
        return make_token(self.session_id)

    @property
    def start(self) -> int:
        """Returns the row with which a page of a list begins."""
        return self.number("from") or 0

    def number(self, name: str) -> int | None:
        """Reads a field as a whole number, None where it is none."""
        return parse_number(self.fields.get(name, ""))
