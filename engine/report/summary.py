"""Summarises a crawl in words and as JSON."""

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import sqlalchemy as sa

from engine import generations
from engine.database import CrawlDatabase
from engine.errors import EngineError
from engine.generations import IndexLocation
from engine.model import UNASKED, UNDRAWN, unasked_hosts
from engine.monitor import Progress, count, span
from engine.report.wording import escape_text, format_time
from engine.roots import count_roots
from engine.store import (
    RunRow,
    Store,
    count_quarantined,
    count_suspects,
    count_waiting,
    load_known_url,
    load_last_run,
    load_living_runs,
    load_missing_pages,
    load_run,
)

# Two causes of errors that an operator answers differently (requirement 87).
CAUSES = {
    "errors, total: stale URLs": ("http 404", "http 410", "soft 404"),
    "errors, total: access refused": ("http 401", "http 403", "http 429"),
}
MAX_MISSING = 10  # pages that wait for a second look and are named; more say the same


def crawl_summary(store: Store, index: IndexLocation, number: int) -> str:
    """Formats the counts of one crawl, one a line."""
    with store.engine.connect() as connection:
        run, left = load_run(connection, number), list(_left_to_do(connection))
        unasked = run.examples.get(UNASKED, "")
        known = load_known_url(connection, unasked, time.time()) if unasked else None
    script_hosts = unasked_hosts(known.reason) if known else ""
    counts, indexed = dict(run.counters), documents_indexed(index)
    lines = [
        ("stored", counts.get("stored", 0)),
        *([("  truncated", counts["cut short"])] if counts.get("cut short") else []),
        ("unchanged", counts.get("unchanged", 0)),
        ("indexed", indexed),
        ("duplicates", counts.get("duplicates", 0)),
        ("blocked by robots", counts.get("disallowed", 0)),
        ("noindex", counts.get("noindex", 0)),
        ("errors", counts.get("errors", 0)),
    ]
    detail = (
        "errors: ",
        "skipped: ",
        "links skipped: ",
        "hosts skipped: ",
        "robots.txt ",
        "sitemap",
        "feed",
        "render",
    )
    lines += [(f"  {name}", number) for name, number in sorted(counts.items()) if name.startswith(detail)]
    causes = ((cause, sum(counts.get(f"errors: {one}", 0) for one in of)) for cause, of in CAUSES.items())
    lines += [(f"  {cause}", number) for cause, number in causes if number]
    rows = [f"{name:<36}{int(number):>12,}{_such_as(name, run.examples)}" for name, number in lines]
    duration = (run.ended_at or run.beat_at) - run.started_at
    traffic = ("bytes sent", "bytes received", "bytes")
    rows += [f"{name:<36}{int(counts.get(name, 0)):>12,}" for name in traffic]
    rows.append(f"{'duration':<36}{span(duration):>12}")
    rows += _advise(counts, script_hosts, unasked)
    rows += left
    if counts.get("queued"):
        urls = count(counts["queued"], "URL is", "URLs are")
        rows.append(f"{urls} still queued: run the same command to continue")
    return "\n".join(rows)


def _advise(counts: Mapping[str, float], script_hosts: str, unasked: str) -> Iterator[str]:
    """Says what the operator may look at or change; `unasked`: a page whose scripts are on `script_hosts`."""
    if counts.get("hosts suspended"):
        suspended = count(counts["hosts suspended"], "host was", "hosts were")
        yield f"{suspended} suspended: see the warnings above"
    if counts.get(f"skipped: {UNDRAWN}"):
        yield 'pages of a [[site]] with render = "auto" are read as their scripts draw them'
    if script_hosts:
        yield f"with render_hosts = [{script_hosts}] in its [[site]], {escape_text(unasked)} has its scripts"


def _left_to_do(connection: sa.Connection) -> Iterator[str]:
    """Says what waits for the operator, and which pages for a second look."""
    missing, first = load_missing_pages(connection, MAX_MISSING)
    if missing:
        number = count(missing, "page is missing but can", "pages are missing but can")
        yield f"{number} still be found, until a crawl after the time shown finds the same again:"
        yield from (f"  {escape_text(page.url)}, {format_time(page.final_after)}" for page in first)
    if missing > len(first):
        yield f"  and {missing - len(first):,} more"
    if suspects := count_suspects(connection):
        yield f"{count(suspects, 'suspect')} awaiting judgement: scrapy suspects"
    if held := count_quarantined(connection):
        yield f"{count(held, 'page')} quarantined (contains secrets): scrapy quarantine"
    if submitted := count_waiting(connection):
        yield f"{count(submitted, 'submission')} awaiting review: scrapy submit --list"


def _such_as(name: str, examples: Mapping[str, str]) -> str:
    """Formats an example URL for a rule's line of the summary, '' for any other line."""
    what, _, rule = name.strip().partition(": ")
    return f"  such as {escape_text(examples[rule])}" if rule in examples and what != "errors" else ""


def census_object(store: Store, index: IndexLocation, damaged: Sequence[str] = ()) -> dict[str, Any]:
    """Returns the census for JSON; times are ISO 8601, UTC, null for never.

    `damaged`: what answers are without, a sentence each.
    """
    census = store.census()
    with store.engine.connect() as connection:
        crawl, rebuild = load_last_run(connection, "crawl"), load_last_run(connection, "rebuild")
        held, submitted = count_quarantined(connection), count_waiting(connection)
        missing, _ = load_missing_pages(connection, 0)
        roots = count_roots(connection)
    return {
        "pages": census.pages,
        "indexed": documents_indexed(index),
        "queued": census.queued,
        "roots": roots,
        "hosts": census.hosts,
        "errors": census.errors,
        "missing": missing,
        "bytes": census.bytes,
        "languages": census.languages,
        "media_types": census.media_types,
        "flagged": census.flagged,
        "quarantine": held,
        "submitted": submitted,
        "last_crawl": _when(crawl),
        "skipped": dict(crawl.examples) if crawl else {},
        "last_rebuild": _when(rebuild),
        **_refused(index),
        "damaged": list(damaged),
    }


def census_lines(census: dict[str, Any]) -> Iterator[str]:
    """Formats the census as text, with the rebuild that was refused, if there is one."""
    for name, value in census.items():
        if name in ("refused_rebuild", "refusal_reasons", "damaged", "skipped"):
            continue
        if isinstance(value, dict):
            parts = sorted(value.items(), key=lambda item: -item[1])
            value = ", ".join(f"{key or 'unknown'} {number:,}" for key, number in parts) or "none"
        shown = f"{value:,}" if isinstance(value, int) else value or "never"
        yield f"{name.replace('_', ' '):<14}{shown}"
    yield from (
        f"skipped by the rule {rule}, such as {escape_text(url)}" for rule, url in census["skipped"].items()
    )
    if census["refused_rebuild"]:
        yield (
            f"the index that was rebuilt at {census['refused_rebuild']} was refused, the one before it stays "
            "in use: 'scrapy rebuild' tries again, 'scrapy rebuild --force' publishes the refused one"
        )
        yield from (f"refused: {reason}" for reason in census["refusal_reasons"])


def crawl_progress(database: CrawlDatabase) -> Progress | None:
    """Sums the progress of all running crawl processes, None without any. Raises Unreadable."""
    with database.open_engine() as engine, engine.connect() as connection:
        alive = load_living_runs(connection, time.time())
    if not alive:
        return None
    counts = sum((Counter(run.counters) for run in alive), Counter())
    pages = int(counts["stored"] + counts["unchanged"])
    return Progress(True, pages, int(counts["queued"]), int(counts["errors"]), counts["per_second"])


def documents_indexed(index: IndexLocation) -> int:
    """Counts the documents of the index, 0 where none can be read."""
    generation = generations.undamaged_generation(index)
    try:
        return generation.count_documents() if generation else 0
    except (OSError, EngineError):
        return 0


def _refused(index: IndexLocation) -> dict[str, Any]:
    """Returns when the refused index was built, None without one, and why it was refused."""
    kept = generations.refused_generation(index)
    with suppress(OSError):  # another rebuild clears it away
        if kept:
            return {
                "refused_rebuild": format_time(kept.caught_up_at),
                "refusal_reasons": kept.refusal_reasons,
            }
    return {"refused_rebuild": None, "refusal_reasons": []}


def _when(run: RunRow | None) -> str | None:
    return format_time(run.ended_at or run.beat_at) if run else None
