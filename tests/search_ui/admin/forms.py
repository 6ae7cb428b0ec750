"""Every address of the operator's pages, with the fields that it takes."""

from collections.abc import Mapping, Sequence
from typing import Any

from tests.search_ui.schemathesis_run import describe, describe_page

QUERIES: Mapping[str, Sequence[str]] = {
    "/admin": ("hours", "done"),
    "/admin/alarms": ("done",),
    "/admin/audit": ("before", "done"),
    "/admin/complaints": ("from", "done"),
    "/admin/failed": ("after", "done"),
    "/admin/hosts": ("from", "done"),
    "/admin/index": ("done",),
    "/admin/lookup": ("target",),
    "/admin/pins": ("add", "done"),
    "/admin/quarantine": ("from", "done"),
    "/admin/queries": (),
    "/admin/removals": ("from", "done"),
    "/admin/submissions": ("from", "done"),
    "/admin/suspects": ("from", "done"),
    "/admin/synonyms": ("add", "done"),
    "/admin/tokens": ("done",),
    "/admin/labels": ("add", "done"),
    "/admin/login": (),
    "/admin/logout": (),
}
FORMS: Mapping[str, Sequence[str]] = {
    "/admin/alarms": (),
    "/admin/complaints": ("number", "answer"),
    "/admin/failed": ("target",),
    "/admin/hosts": ("target", "decision"),
    "/admin/index": ("confirm",),
    "/admin/labels": ("text", "version"),
    "/admin/login": ("password",),
    "/admin/pins": ("text", "version"),
    "/admin/quarantine": ("target",),
    "/admin/removals": ("target", "reason", "contact", "number"),
    "/admin/submissions": ("target", "decision"),
    "/admin/suspects": ("number", "decision", "target", "reason"),
    "/admin/synonyms": ("text", "version"),
    "/admin/tokens": ("target",),
}


def describe_admin(token: str) -> dict[str, Any]:
    """Describes them by OpenAPI, for a session whose forms have this token."""
    return describe({path: describe_page(names, FORMS.get(path), token) for path, names in QUERIES.items()})
