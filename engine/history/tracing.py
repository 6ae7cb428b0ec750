"""Finds in the request log what happened to a URL, a host or all URLs with a prefix."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from engine.history.entry import mask_secrets
from engine.history.log_files import read_last_lines, read_lines
from engine.store import Blocklist, Target

MAX_BYTES = 16 << 20  # of the log that are looked through for one host; some 0.1 s of work
MAX_SKIPPED = 50_000  # entries of it that are read
MAX_EXAMPLES = 100


class RecentSkips(NamedTuple):
    """What was skipped lately of one host: how often by each rule, and the last URLs with their rules."""

    rules: Counter[str]
    last: list[tuple[str, str]]


def count_recent_skips(data_dir: Path, host: str) -> RecentSkips:
    """Counts what the end of the log says was skipped of a host, as scheme://name[:port]."""
    rules: Counter[str] = Counter()
    last: dict[str, str] = {}
    beginning = f"{host}/"
    needle = json.dumps(beginning)[1:-1].encode()
    for line in read_last_lines(data_dir, MAX_BYTES):
        if needle not in line or not (entry := _parse(line)):
            continue
        if entry["event"] != "skip" or not str(entry["url"]).startswith(beginning):
            continue
        url, rule = str(entry["url"]), str(entry.get("rule", ""))
        rules[rule] += 1
        last.pop(url, None)  # it goes to the end
        last[url] = rule
        if len(last) > MAX_EXAMPLES:
            del last[next(iter(last))]
        if rules.total() >= MAX_SKIPPED:
            break
    return RecentSkips(rules, list(reversed(last.items())))


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
