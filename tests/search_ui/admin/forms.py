"""Every address of the operator's pages, with the fields that it takes."""

from collections.abc import Mapping, Sequence
from typing import Any

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


def describe(token: str) -> dict[str, Any]:
    """Describes them by OpenAPI, for a session whose forms have this token."""
    paths: dict[str, Any] = {}
    for path, names in QUERIES.items():
        queries = [{"name": name, "in": "query", "schema": {"type": "string"}} for name in names]
        paths[path] = {"get": {"parameters": queries, "responses": _answers(200, 303, 400, 422)}}
    for path, names in FORMS.items():
        fields = {name: {"type": "string"} for name in names} | {"token": {"const": token}}
        schema = {
            "type": "object",
            "properties": fields,
            "required": ["token"],
            "additionalProperties": False,
        }
        body = {"content": {"application/x-www-form-urlencoded": {"schema": schema}}}
        answers = _answers(200, 303, 400, 401, 403, 413, 415, 422, 429)
        paths[path]["post"] = {"requestBody": body, "responses": answers}
    return {"openapi": "3.1.0", "info": {"title": "operator", "version": "1"}, "paths": paths}


def _answers(*statuses: int) -> dict[str, Any]:
    html = {"text/html": {"schema": {"type": "string"}}}
    return {str(status): {"description": "", "content": {} if status == 303 else html} for status in statuses}
