"""Describes what a crawl did beside the one before, and what each host answered, as text and as JSON."""

import json
from collections.abc import Iterator
from typing import Any

from engine.history import Comparison, HostChange, HostRow, RoundTotals
from engine.monitor import count, span
from engine.report.wording import escape_text, format_bytes, format_time

NAME_WIDTH, NUMBER_WIDTH = 34, 14  # characters; together as in the summary
HOST_WIDTH = 40
PAGES = ("new", "changed", "unchanged", "gone")


def comparison_object(compared: Comparison) -> dict[str, Any]:
    """Returns the report for JSON; `before` is null for the first crawl."""
    return {
        "crawl": _totals_object(compared.after),
        "before": _totals_object(compared.before) if compared.before else None,
        "hosts_lost": compared.lost_hosts,
        "lost": [_change_object(one) for one in compared.lost],
        "hosts_slower": compared.slower_hosts,
        "slower": [_change_object(one) for one in compared.slower],
    }


def comparison_lines(compared: Comparison) -> Iterator[str]:
    """Formats the report for people; without a crawl before it has one column."""
    after, before = compared.after, compared.before
    yield _row("", "this crawl", "the last one" if before else "")
    for name, *cells in _rows(after, before):
        yield _row(name, *cells)
    for what, hosts, whole in (
        (
            "hosts lost: they answered in the last crawl, and no page of theirs did in this one",
            *_lost(compared),
        ),
        ("hosts slower than in the last crawl", *_slower(compared)),
    ):
        if whole:
            yield f"{what}: {whole:,}"
        yield from (f"  {line}" for line in hosts)
        if whole > len(hosts):
            yield f"  and {whole - len(hosts):,} more"


def host_object(row: HostRow, *, is_running: bool) -> dict[str, Any]:
    """Returns the counts of a host for JSON; without a crawl that runs its rate is null."""
    return {
        "host": row.host,
        "requests": row.requests,
        "requests_per_minute": round(row.per_minute, 1) if is_running else None,
        "pages": row.answers,
        "errors": row.errors,
        "bytes": row.bytes,
        "mean_seconds": round(row.mean_seconds, 3),
        "last_request": format_time(row.last_at),
        "statuses": json.loads(row.statuses),
    }


def host_lines(row: HostRow, *, is_running: bool) -> Iterator[str]:
    """Formats the counts of a host in two lines; without a crawl that runs they have no rate."""
    requests, failed = count(row.requests, "request"), f"{row.errors:,} failed"
    rate = f" {row.per_minute:>8,.1f}/min" if is_running else ""
    yield (
        f"{escape_text(row.host):<{HOST_WIDTH}}{requests:>18}{rate}{failed:>15}"
        f" {row.mean_seconds:>7.2f} s {format_bytes(row.bytes):>8}"
    )
    statuses = sorted(json.loads(row.statuses).items(), key=lambda item: (-item[1], item[0]))
    yield "    " + ", ".join(f"{escape_text(status)} ×{number:,}" for status, number in statuses)


def _rows(after: RoundTotals, before: RoundTotals | None) -> Iterator[tuple[str, ...]]:
    rounds = [one for one in (after, before) if one]
    for name in PAGES:
        yield f"pages {name}", *(f"{getattr(one, name):,}" for one in rounds)
    yield "requests", *(f"{one.requests:,}" for one in rounds)
    yield "failed requests", *(f"{one.errors:,}" for one in rounds)
    yield "hosts asked", *(f"{one.hosts:,}" for one in rounds)
    yield "bytes received", *(format_bytes(one.bytes) for one in rounds)
    yield "time", *(span(one.duration) for one in rounds)


def _row(name: str, *cells: str) -> str:
    return f"{name:<{NAME_WIDTH}}{''.join(f'{cell:>{NUMBER_WIDTH}}' for cell in cells)}".rstrip()


def _lost(compared: Comparison) -> tuple[list[str], int]:
    return [
        f"{escape_text(one.host)} ({escape_text(one.statuses)})" for one in compared.lost
    ], compared.lost_hosts


def _slower(compared: Comparison) -> tuple[list[str], int]:
    lines = [
        f"{escape_text(one.host)} ({one.seconds_after:.2f} s a page, {one.seconds_before:.2f} s before)"
        for one in compared.slower
    ]
    return lines, compared.slower_hosts


def _change_object(one: HostChange) -> dict[str, Any]:
    seconds = {"seconds_before": round(one.seconds_before, 3), "seconds": round(one.seconds_after, 3)}
    return {"host": one.host, **seconds, "statuses": one.statuses}


def _totals_object(one: RoundTotals) -> dict[str, Any]:
    times = {"started_at": format_time(one.started_at), "ended_at": format_time(one.ended_at)}
    return one._asdict() | times
