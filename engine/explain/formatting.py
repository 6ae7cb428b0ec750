"""Formats an explanation, as text and as JSON."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from engine.audience import NOBODY, Required
from engine.config import Root
from engine.explain.explanation import Explanation
from engine.model import Flag, Purpose, ScannedPages, State
from engine.report import describe_secrets, escape_text, format_time
from engine.store import KnownUrl, QuarantinedPage, UncountedLinks

FLAGGED = {
    Flag.UA_ERROR: "it has no text but an error or a demand for another browser",
    Flag.DENIED: "it has no text but a refusal",
    Flag.PARKED: "its domain is parked",
    Flag.DEFAULT: "it is the default page of its server",
}
MOMENTS = ("found_at", "visited_at", "fetched_at", "due_at", "modified_at", "missing_since", "final_after")
PERMITTED = {True: "allowed", False: "disallowed", None: "unknown"}


def explanation_object(one: Explanation) -> dict[str, Any]:
    """Returns the record as JSON has it; `known` is null for a URL that no crawl has found."""
    return {
        "url": one.url,
        "state": one.state,
        "meaning": one.meaning,
        "indexed": one.index_status.indexed,
        "index_behind": one.is_waiting,
        "audiences": sorted(one.required),
        "known": _known_object(one.known) if one.known else None,
        "root": one.root._asdict() if one.root else None,
        "aliases": one.aliases,
        "inlinks": {"pages": one.index_status.inlinks.pages, "voters": one.index_status.inlinks.voters},
        "uncounted": one.uncounted._asdict(),
        "linked_from": [link._asdict() for link in one.index_status.linked_from],
        "robots": {"allowed": one.allowed, "reason": one.robots},
        "rule": one.rule,
        "quarantine": one.quarantined._asdict() if one.quarantined else None,
        "twin": one.twin,
        "next_visit": one.next_visit,
    }


def explanation_lines(one: Explanation) -> Iterator[str]:
    """Formats the record for people, the state first."""
    inlinks = one.index_status.inlinks
    rows = [
        (one.state, one.url),
        ("", one.meaning),
        ("in the index", _format_indexed(one)),
        *((("found by", _format_readers(one.required)),) if one.required else ()),
        *(_known_rows(one.known, one.root) if one.known else ()),
        *(("represents", alias) for alias in one.aliases),
        *((("its host", f"{one.twin} represents it: they have the same pages"),) if one.twin else ()),
        ("linked from", f"pages: {inlinks.pages:,}, voters: {inlinks.voters:,}"),
        *(("", f"{link.url} {link.anchor!r}") for link in one.index_status.linked_from),
        *((("not counted", _uncounted(one.uncounted)),) if any(one.uncounted) else ()),
        *((("quarantine", _quarantine(one.quarantined)),) if one.quarantined else ()),
        ("robots.txt", f"{PERMITTED[one.allowed]}: {one.robots}"),
        ("crawl rules", f"excluded by: {one.rule}" if one.rule else "none excludes it"),
        ("next visit", one.next_visit),
    ]
    return (f"{name:<14}{escape_text(text)}".rstrip() for name, text in rows)


def _format_indexed(one: Explanation) -> str:
    """Formats whether the index has it, and whether it will have something else in a moment."""
    if one.index_status.indexed:
        return "yes, as it was before its last change" if one.is_waiting else "yes"
    return "not yet" if one.is_waiting and one.state == State.STORED else "no"


def _format_readers(required: Required) -> str:
    if NOBODY in required:
        return 'nobody: its host has a [[login]]; write an audience for its [[site]], were it "everyone"'
    return f"who is in the audience {' and '.join(sorted(required))}"


def _uncounted(links: UncountedLinks) -> str:
    return f"links from itself: {links.own:,}, pages that link with nofollow: {links.nofollow:,}"


def _quarantine(held: QuarantinedPage) -> str:
    """Formats which secrets are on a page, and how the operator has judged."""
    where = describe_secrets(held.kinds, held.line)
    if held.released_at is not None:
        return f"{where}; released {format_time(held.released_at)}"
    return f"{where}; 'scrapy quarantine --release URL' indexes it"


def _known_object(known: KnownUrl) -> dict[str, Any]:
    fields = asdict(known)
    fields["final_after"] = known.final_after
    fields["scanned"] = known.scanned._asdict() if known.scanned else None
    moments = {name: format_time(at) for name, at in fields.items() if name in MOMENTS and at is not None}
    return {name: value for name, value in (fields | moments).items() if name not in ("url", "state")}


def _known_rows(known: KnownUrl, root: Root | None) -> Iterator[tuple[str, str]]:
    """Yields where the URL comes from and what its visits brought."""
    yield "found", f"{format_time(known.found_at)}, depth {known.depth}, {_format_origin(known, root)}"
    if known.visited_at is None:
        yield "visited", "never"
    else:
        answer = f"HTTP {known.status}" if known.status else "no answer"
        tries = f", {known.fails} failures in a row" if known.fails else ""
        yield "visited", f"{format_time(known.visited_at)}, {answer}{tries}"
    if known.missing_since is not None and known.final_after is not None:
        since, after = format_time(known.missing_since), format_time(known.final_after)
        yield "missing", f"since {since}; its page can still be found,"
        yield "", f"until a visit after {after} finds the same again"
    yield "discovered", f"new URLs: {known.discovered:,}"
    if known.flag:
        yield "flagged", f"{known.flag}: {FLAGGED[known.flag]}; it ranks after all other pages"
    if known.rendered:
        yield "text", "as the page's scripts have drawn it (rendered)"
    if known.scanned:
        yield "text", _describe_scanned(known.scanned)
    if known.alias_of:
        yield "alias of", known.alias_of
    if known.modified_at is not None or known.every is not None:
        yield "sitemap", _said(known)


def _describe_scanned(found: ScannedPages) -> str:
    """Formats how much of a document cannot be found by its words."""
    verb = "is" if found.scanned == 1 else "are"
    read = f"{found.recognized:,} read by OCR, the others without text"
    text = "no text" if not found.recognized else read if found.recognized < found.scanned else "read by OCR"
    return f"{found.scanned:,} of {found.pages:,} pages {verb} scanned: {text}"


def _format_origin(known: KnownUrl, root: Root | None) -> str:
    """Formats which page, sitemap, seed, submission or import led to it."""
    if known.found_on:
        return f"on {known.found_on}"
    if root:
        return f"by {root.source}{f' ({root.label})' if root.label else ''}"
    return "by robots.txt" if known.kind is Purpose.SITEMAP else "as a seed, submitted or imported"


def _said(known: KnownUrl) -> str:
    """Formats what a sitemap says of it."""
    changed = f"changed {format_time(known.modified_at)}" if known.modified_at is not None else ""
    often = f"every {known.every:,.0f} s" if known.every is not None else ""
    return ", ".join(filter(None, (changed, often, f"priority {known.priority:g}")))
