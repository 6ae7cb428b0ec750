"""Finds in the request log what happened to a URL, a host or all URLs with a prefix."""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from engine.history.entry import mask_secrets
from engine.history.log_files import read_lines
from engine.store import Blocklist, Target


def trace_target(data_dir: Path, target: Target) -> Iterator[dict[str, Any]]:
    """Yields the entries about a target, the latest last; in memory is one line at a time."""
    named = Target(target.extent, mask_secrets(target.text))
    wanted = Blocklist.of([named])
    needle = json.dumps(named.text)[1:-1].encode()  # of hundred lines most are not looked into
    for line in read_lines(data_dir):
        if needle in line and (entry := _parse(line)) and _is_about(entry, wanted):
            yield entry


def _parse(line: bytes) -> dict[str, Any] | None:
    """Parses a line; None for what a full disk or a kill has torn."""
    with suppress(ValueError):
        entry = json.loads(line)
        if isinstance(entry, dict) and entry.keys() >= {"time", "event", "url"}:
            return entry
    return None


def _is_about(entry: dict[str, Any], wanted: Blocklist) -> bool:
    return wanted.refuses(entry["url"]) or wanted.refuses_host(str(entry.get("host", "")))
