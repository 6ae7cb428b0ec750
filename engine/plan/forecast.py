"""Describes a plan in words and as JSON."""

from collections.abc import Iterator
from dataclasses import asdict
from textwrap import wrap
from typing import Any

from engine.monitor import count, span
from engine.plan.known import MIN_SAMPLE
from engine.plan.space import FALSE_SEEN, GENERATIONS
from engine.plan.work import MOST_VISITS, PROCESSES, HostPlan, Plan, SkippedUrls
from engine.report import escape_text, format_bytes
from engine.store import RECENT_SHARE

WIDTH = 100  # characters of a line
NAME_WIDTH = 13  # of what a row speaks of
LISTED = 20  # hosts on the terminal
HOST_WIDTH = 40  # characters of a host's name
WIDTHS = (10, 9, 9, 8, 8, 13)  # of the columns after it, before the mark
TAIL_MARK = "*"


def forecast_object(plan: Plan) -> dict[str, Any]:
    """Returns the plan for JSON: seconds, bytes, characters; the slowest host first."""
    total, folder, recent = plan.based_on.total, plan.based_on.folder, plan.based_on.recent_visits
    return {
        "known": {
            "urls": total.known,
            "pages": total.pages,
            "visited": total.visited,
            "bytes": total.bytes,
            "bytes_a_page": round(plan.based_on.bytes_per_page),
        },
        "recent": {
            "visits": total.recent,
            "new_urls": total.found,
            "per_second": round(recent.per_second, 2),
            "seconds_for_queued": _whole(plan.seconds_at_recent_rate),
            "much_slower": plan.is_much_slower,
        },
        "remaining": {
            "hosts": plan.busy_hosts,
            "queued": plan.queued,
            "to_find": plan.to_find,
            "bytes": round(plan.bytes_to_fetch),
            "seconds_for_queued": _whole(plan.seconds_queued),
            "seconds": _whole(plan.seconds),
        },
        "tail": {"after_seconds": _whole(plan.seconds_most), "visits_made": MOST_VISITS, "hosts": plan.tail},
        "not_in_crawl_toml": asdict(plan.not_ours),
        "suspended": asdict(plan.suspended),
        "disk": {
            **{f"{name}_now": getattr(folder, name) for name in ("database", "index", "free")},
            "database_at_end": round(plan.disk.database),
            "index_at_end": round(plan.disk.index),
            "shortage": round(plan.disk.shortage),
            "bytes_a_url": round(plan.disk.url),
            "bytes_a_page": round(plan.disk.page),
            "index_bytes_a_page": round(plan.disk.indexed),
        },
        "memory": {"bytes": round(plan.memory), "of_hosts": round(plan.memory_hosts)},
        "url_set": {name: round(value) for name, value in asdict(plan.url_set).items()},
        "assumed": list(list_defaults(plan)),
        "hosts": [_host_object(one, plan) for one in plan.hosts],
    }


def forecast_lines(plan: Plan) -> Iterator[str]:
    """Formats the plan as text, in 100 columns."""
    if plan.hosts:
        yield from _table(plan)
        yield ""
    for name, text in _rows(plan):
        parts = wrap(text, WIDTH - NAME_WIDTH)
        for heading, part in zip((name, *[""] * len(parts)), parts, strict=False):
            yield f"{heading:<{NAME_WIDTH}}{part}"


def list_defaults(plan: Plan) -> Iterator[str]:
    """Yields the figures for which usual ones are assumed, as nothing is known yet."""
    known, total = plan.based_on, plan.based_on.total
    if not total.pages:
        yield "bytes of a page"
    if total.pages < MIN_SAMPLE:
        yield "bytes of a page in the crawl database"
    if known.folder.indexed_pages < MIN_SAMPLE:
        yield "bytes of a page in the index"
    if not total.known and not known.assumptions.chars:
        yield "characters of a URL"


def _table(plan: Plan) -> Iterator[str]:
    heads = ("pages", "queued", "to find", "a page", "pause", "time left")
    yield _line("host", *heads)
    for one in plan.hosts[:LISTED]:
        mark = f" {TAIL_MARK}" if _in_tail(one, plan) else ""
        counts = (f"{count:,}" for count in (one.pages, one.queued, one.to_find))
        cells = (*counts, format_bytes(one.body), f"{one.pause:.1f} s" if one.pause >= 0.1 else "none")
        yield _line(escape_text(one.host), *cells, span(one.seconds)) + mark
    if plan.busy_hosts > LISTED:
        yield f"and {plan.busy_hosts - LISTED:,} more hosts, which are done sooner"


def _line(name: str, *cells: str) -> str:
    cut = name if len(name) <= HOST_WIDTH else f"{name[: HOST_WIDTH - 1]}…"
    return f"{cut:<{HOST_WIDTH}}" + "".join(
        f"{cell:>{width}}" for cell, width in zip(cells, WIDTHS, strict=True)
    )


def _rows(plan: Plan) -> Iterator[tuple[str, str]]:
    known, total = plan.based_on, plan.based_on.total
    stored = f"{total.pages:,} of them stored pages of {format_bytes(known.bytes_per_page)}"
    yield "known", f"{count(total.known, 'URL')}, {stored}"
    queued = count(plan.queued, "queued URL")
    yield "remaining", f"{queued} at {_hosts(plan.busy_hosts)}, {format_bytes(plan.bytes_to_fetch)}"
    brought = f"the last {count(total.recent, 'visit')} brought {total.found:,} new ones"
    if total.recent >= MIN_SAMPLE:
        yield "to find", f"{count(plan.to_find, 'URL')} more, an estimate: {brought}"
    else:
        yield "to find", f"unknown until about {RECENT_SHARE * MIN_SAMPLE} visits"
    if plan.queued:
        yield from _times(plan)
    if plan.not_ours.urls:
        yield "not planned", f"{_waiting(plan.not_ours)} that no site in crawl.toml names"
    if plan.suspended.urls:
        yield "suspended", f"{_waiting(plan.suspended)} whose robots.txt excludes Lycosa for now"
    yield from _sizes(plan)
    if names := ", ".join(list_defaults(plan)):
        yield "assumed", f"Usual figures, as nothing is known here yet: {names}"


def _times(plan: Plan) -> Iterator[tuple[str, str]]:
    both = f", {span(plan.seconds)} with what is still to be found" if plan.to_find else ""
    yield "time", f"{span(plan.seconds_queued)} for what is queued{both}"
    made = f"{MOST_VISITS:.0%} of the visits are made after {span(plan.seconds_most)}"
    if plan.tail < plan.busy_hosts or plan.tail == 1:
        yield "tail", f"{made}; then {_hosts(plan.tail)} still at work ({TAIL_MARK})"
    else:
        yield "tail", f"none: {made}, with all hosts still at work"
    if plan.seconds_at_recent_rate is not None:
        word = f"{plan.based_on.recent_visits.per_second:,.1f} visits a second"
        yield "recently", f"{word}; at this rate what is queued takes {span(plan.seconds_at_recent_rate)}"
    if plan.is_much_slower:
        yield "", "That is far slower than planned: hosts are slow to answer, or fail; see `scrapy status`"


def _sizes(plan: Plan) -> Iterator[tuple[str, str]]:
    disk, folder, memory = plan.disk, plan.based_on.folder, plan.memory
    each = f"{format_bytes(disk.url)} a URL and {format_bytes(disk.page)} a page"
    yield (
        "database",
        f"{format_bytes(folder.database)} now, {format_bytes(disk.database)} at the end ({each})",
    )
    rebuild = f"{GENERATIONS} times that during a rebuild"
    now = f"{format_bytes(folder.index)} now, {format_bytes(disk.index)} at the end"
    yield "index", f"{now} ({format_bytes(disk.indexed)} a page), {rebuild}"
    short = f"; {format_bytes(disk.shortage)} too little for all this" if disk.shortage else ""
    yield "disk", f"{format_bytes(folder.free)} free{short}"
    of_hosts = f"{format_bytes(plan.memory_hosts)} for the hosts"
    yield (
        "memory",
        f"{format_bytes(memory)}, of this {of_hosts}, the rest for {PROCESSES} processes and known URLs",
    )
    urls = plan.url_set
    sizes = f"{format_bytes(urls.exact)} as text, {format_bytes(urls.bit_map)} as a bit map that"
    yield (
        "set of URLs",
        f"{urls.urls:,} of {urls.chars:.0f} characters: {sizes} errs once in {1 / FALSE_SEEN:,.0f}",
    )


def _waiting(left: SkippedUrls) -> str:
    return f"{count(left.urls, 'queued URL')} at {_hosts(left.hosts)}"


def _hosts(number: int) -> str:
    return count(number, "host")


def _in_tail(one: HostPlan, plan: Plan) -> bool:
    return one.seconds > plan.seconds_most and plan.tail < max(plan.busy_hosts, 2)


def _host_object(one: HostPlan, plan: Plan) -> dict[str, Any]:
    return {
        "host": one.host,
        "pages": one.pages,
        "queued": one.queued,
        "to_find": one.to_find,
        "bytes_a_page": round(one.body),
        "pause": round(one.pause, 2),
        "seconds_for_queued": _whole(one.seconds_queued),
        "seconds": _whole(one.seconds),
        "tail": _in_tail(one, plan),
    }


def _whole(seconds: float | None) -> int | None:
    return None if seconds is None else round(seconds)
