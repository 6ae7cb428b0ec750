"""Has schemathesis make up requests from a description in OpenAPI's words, and send them to a real server."""

import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

MOST_SECONDS = 1_800
PAGE_CHECKS = ("--checks", "not_a_server_error,status_code_conformance,content_type_conformance")
"""What is asked of a page for people: its forms take any text, and say what is wrong with it."""


def run_schemathesis(folder: Path, schema: str, phases: str, examples: int, *options: str) -> int:
    """Runs it in a folder; returns how many requests it made up. Fails where one was answered wrongly."""
    words = [schema, "--phases", phases, "--max-examples", str(examples), "--seed", "8", *options]
    line = [sys.executable, "-m", "schemathesis.cli", "run", *words]
    done = subprocess.run(line, cwd=folder, capture_output=True, text=True, timeout=MOST_SECONDS)
    assert done.returncode == 0, done.stdout[-5_000:] + done.stderr[-2_000:]
    found = re.search(r"([0-9,]+) generated", done.stdout)
    assert found
    return int(found[1].replace(",", ""))


def describe_page(queries: Sequence[str], form: Sequence[str] | None, token: str) -> dict[str, Any]:
    """Describes a page with the fields of its address, and of its form if it has one, all of them texts."""
    parameters = [{"name": name, "in": "query", "schema": {"type": "string"}} for name in queries]
    page: dict[str, Any] = {"get": {"parameters": parameters, "responses": _answers(200, 303, 400, 404, 422)}}
    if form is not None:
        fields = {name: {"type": "string"} for name in form} | {"token": {"const": token}}
        schema = {
            "type": "object",
            "properties": fields,
            "required": ["token"],
            "additionalProperties": False,
        }
        body = {"content": {"application/x-www-form-urlencoded": {"schema": schema}}}
        answers = _answers(200, 303, 400, 401, 403, 404, 413, 415, 422, 429)
        page["post"] = {"requestBody": body, "responses": answers}
    return page


def describe(paths: Mapping[str, Any]) -> dict[str, Any]:
    """Describes pages by their paths."""
    return {"openapi": "3.1.0", "info": {"title": "pages", "version": "1"}, "paths": dict(paths)}


def _answers(*statuses: int) -> dict[str, Any]:
    html = {"text/html": {"schema": {"type": "string"}}}
    return {str(status): {"description": "", "content": {} if status == 303 else html} for status in statuses}
