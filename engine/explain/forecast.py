"""Describes a plan in words and as JSON."""

from collections.abc import Iterator
from dataclasses import asdict
from textwrap import wrap
from typing import Any

from engine.explain.ruling import visible
from engine.monitor import span
from engine.plan import ENOUGH, FALSE_SEEN, GENERATIONS, MOST_VISITS, PROCESSES, HostPlan, Left, Plan
from engine.store import RECENT_SHARE

WIDTH = 100  # characters of a line
NAME_WIDTH = 13  # of what a row speaks of
LISTED = 20  # hosts on the terminal
HOST_WIDTH = 40  # characters of a host's name
WIDTHS = (10, 9, 9, 8, 8, 13)  # of the columns after it, before the mark
TAIL_MARK = "*"


def forecast_object(plan: Plan) -> dict[str, Any]:
    """The plan as JSON has it: seconds, bytes, characters; hosts are the slowest first."""
    total, folder, lately = plan.known.total, plan.known.folder, plan.known.lately
    return {
        "known": {
            "urls": total.known,
            "pages": total.pages,
            "visited": total.visited,
            "bytes": total.bytes,
            "bytes_a_page": round(plan.known.body),
        },
        "lately": {
            "visits": total.lately,
            "found": total.found,
            "per_second": round(lately.per_second, 2),
            "seconds_for_queued": _whole(plan.seconds_lately),
            "far_off": plan.far_off,
        },
        "to_come": {
            "hosts": plan.at_work,
            "queued": plan.queued,
            "to_find": plan.to_find,
            "bytes": round(plan.bytes_to_come),
            "seconds_for_queued": _whole(plan.seconds_queued),
            "seconds": _whole(plan.seconds),
        },
        "tail": {"after_seconds": _whole(plan.seconds_most), "visits_made": MOST_VISITS, "hosts": plan.tail},
        "not_in_crawl_toml": asdict(plan.not_ours),
        "left_alone": asdict(plan.left_alone),
        "disk": {
            **{f"{name}_now": getattr(folder, name) for name in ("database", "index", "free")},
            "database_then": round(plan.disk.database),
            "index_then": round(plan.disk.index),
            "missing": round(plan.disk.missing),
            "bytes_a_url": round(plan.disk.url),
            "bytes_a_page": round(plan.disk.page),
            "index_bytes_a_page": round(plan.disk.indexed),
        },
        "memory": {"bytes": round(plan.memory), "of_hosts": round(plan.memory_hosts)},
        "url_set": {name: round(value) for name, value in asdict(plan.url_set).items()},
        "usual": list(usual(plan)),
        "hosts": [_host_object(one, plan) for one in plan.hosts],
    }


def forecast_lines(plan: Plan) -> Iterator[str]:
    """The plan for people, in 100 columns."""
    if plan.hosts:
        yield from _table(plan)
        yield ""
    for name, text in _rows(plan):
        parts = wrap(text, WIDTH - NAME_WIDTH)
        for heading, part in zip((name, *[""] * len(parts)), parts, strict=False):
            yield f"{heading:<{NAME_WIDTH}}{part}"


def usual(plan: Plan) -> Iterator[str]:
    """The figures for which nothing is known yet, so that usual ones stand for them."""
    known, total = plan.known, plan.known.total
    if not total.pages:
        yield "bytes of a page"
    if total.pages < ENOUGH:
        yield "bytes of a page in crawl.db"
    if known.folder.indexed < ENOUGH:
        yield "bytes of a page in the index"
    if not total.known and not known.supposed.chars:
        yield "characters of a URL"


def amount(size: float) -> str:
    """Bytes as people say them: 0 B, 512 B, 4.1 kB, 20 GB, by powers of 1,000."""
    for unit in ("B", "kB", "MB", "GB"):
        if size < 999.5:
            return f"{size:.0f} {unit}" if size >= 9.95 or unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:,.1f} TB"


def _table(plan: Plan) -> Iterator[str]:
    heads = ("pages", "queued", "to find", "a page", "pause", "time left")
    yield _line("host", *heads)
    for one in plan.hosts[:LISTED]:
        mark = f" {TAIL_MARK}" if _in_tail(one, plan) else ""
        counts = (f"{count:,}" for count in (one.pages, one.queued, one.to_find))
        cells = (*counts, amount(one.body), f"{one.pause:.1f} s" if one.pause >= 0.1 else "none")
        yield _line(visible(one.host), *cells, span(one.seconds)) + mark
    if plan.at_work > LISTED:
        yield f"and {plan.at_work - LISTED:,} more hosts, which are done sooner"


def _line(name: str, *cells: str) -> str:
    cut = name if len(name) <= HOST_WIDTH else f"{name[: HOST_WIDTH - 1]}…"
    return f"{cut:<{HOST_WIDTH}}" + "".join(
        f"{cell:>{width}}" for cell, width in zip(cells, WIDTHS, strict=True)
    )


def _rows(plan: Plan) -> Iterator[tuple[str, str]]:
    known, total = plan.known, plan.known.total
    yield "known", f"{total.known:,} URLs, {total.pages:,} of them stored pages of {amount(known.body)}"
    yield "to come", f"{plan.queued:,} queued URLs at {_hosts(plan.at_work)}, {amount(plan.bytes_to_come)}"
    brought = f"the last {total.lately:,} visits brought {total.found:,} new ones"
    if total.lately >= ENOUGH:
        yield "to find", f"{plan.to_find:,} URLs more, an estimate: {brought}"
    else:
        yield "to find", f"nobody can say before some {RECENT_SHARE * ENOUGH} visits"
    if plan.queued:
        yield from _times(plan)
    if plan.not_ours.urls:
        yield "not planned", f"{_waiting(plan.not_ours)} that no site in crawl.toml names"
    if plan.left_alone.urls:
        yield "left alone", f"{_waiting(plan.left_alone)} whose robots.txt keeps us out"
    yield from _sizes(plan)
    if names := ", ".join(usual(plan)):
        yield "usual", f"Nothing is known here yet, so that usual figures stand for: {names}"


def _times(plan: Plan) -> Iterator[tuple[str, str]]:
    both = f", {span(plan.seconds)} with what is still to be found" if plan.to_find else ""
    yield "time", f"{span(plan.seconds_queued)} for what is queued{both}"
    made = f"{MOST_VISITS:.0%} of the visits are made after {span(plan.seconds_most)}"
    if plan.tail < plan.at_work or plan.tail == 1:
        yield "tail", f"{made}; then {_hosts(plan.tail)} still at work ({TAIL_MARK})"
    else:
        yield "tail", f"none: {made}, with all hosts still at work"
    if plan.seconds_lately is not None:
        word = f"{plan.known.lately.per_second:,.1f} visits a second"
        yield "lately", f"{word}; at this rate what is queued takes {span(plan.seconds_lately)}"
    if plan.far_off:
        yield "", "That is far slower than planned: hosts are slow to answer, or fail; see `scrapy status`"


def _sizes(plan: Plan) -> Iterator[tuple[str, str]]:
    disk, folder, memory = plan.disk, plan.known.folder, plan.memory
    each = f"{amount(disk.url)} a URL and {amount(disk.page)} a page"
    yield "crawl.db", f"{amount(folder.database)} now, {amount(disk.database)} at the end ({each})"
    rebuild = f"{GENERATIONS} times that during a rebuild"
    now = f"{amount(folder.index)} now, {amount(disk.index)} at the end"
    yield "index", f"{now} ({amount(disk.indexed)} a page), {rebuild}"
    short = f"; {amount(disk.missing)} too little for all this" if disk.missing else ""
    yield "disk", f"{amount(folder.free)} free{short}"
    of_hosts = f"{amount(plan.memory_hosts)} for the hosts"
    yield "memory", f"{amount(memory)}, of this {of_hosts}, the rest for {PROCESSES} processes and known URLs"
    urls = plan.url_set
    sizes = f"{amount(urls.exact)} as text, {amount(urls.bit_map)} as a bit map that"
    yield (
        "set of URLs",
        f"{urls.urls:,} of {urls.chars:.0f} characters: {sizes} errs once in {1 / FALSE_SEEN:,.0f}",
    )


def _waiting(left: Left) -> str:
    return f"{left.urls:,} queued URLs at {_hosts(left.hosts)}"


def _hosts(number: int) -> str:
    return f"{number:,} host{'s' * (number != 1)}"


def _in_tail(one: HostPlan, plan: Plan) -> bool:
    return one.seconds > plan.seconds_most and plan.tail < max(plan.at_work, 2)


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
