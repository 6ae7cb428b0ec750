"""Explains one URL: whether it was found, visited, permitted and indexed, and why (requirement 309)."""

import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

import sqlalchemy as sa

from engine import generations
from engine.audience import OPEN, Required
from engine.config import Root
from engine.generations import IndexLocation
from engine.index.reader import IndexCache
from engine.index.searching import NO_INLINKS
from engine.linkgraph import Inlink, Inlinks, find_linking_pages
from engine.model import LETHAL, LISTS, UNDRAWN, Purpose, State, unasked_hosts
from engine.ranking import Ranking
from engine.report import MEANING, format_time
from engine.robots import AGENT
from engine.roots import find_root
from engine.search import open_snapshot, retry_open
from engine.store import (
    FORCED,
    PERMANENT,
    TRUSTED_SECONDS,
    TWIN,
    KnownUrl,
    QuarantinedPage,
    UncountedLinks,
    count_lethal_pages,
    count_uncounted_links,
    feed_due_at,
    find_quarantined,
    load_aliases,
    load_change,
    load_known_url,
    load_rest_until,
    load_robots,
    load_twins,
)
from engine.url import host_of

NOTHING_UNCOUNTED = UncountedLinks()


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """What the index and its link graph have of one URL now."""

    indexed: bool = False
    inlinks: Inlinks = NO_INLINKS
    linked_from: tuple[Inlink, ...] = ()
    damaged: Sequence[str] = ()  # what that is without, a sentence each


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything known about one URL `at` a moment; texts are unescaped, as strangers wrote them."""

    url: str  # canonical
    at: float  # seconds since 1970, as all times
    known: KnownUrl | None  # None: no crawl has found it
    aliases: tuple[str, ...]
    index_status: IndexStatus
    allowed: bool | None  # by robots.txt, None when that was never asked for
    robots: str  # the line that decides, or why none does
    rule: str  # ours that would refuse it now, '' when none does
    quarantined: QuarantinedPage | None = None  # in quarantine, or released from it
    uncounted: UncountedLinks = NOTHING_UNCOUNTED
    twin: str = ""  # the host that represents its own, '' when this one represents itself
    root: Root | None = None  # where it came from, if no page or sitemap led to it
    delay: str = ""  # why its host keeps it waiting, '' for no such reason
    required: Required = OPEN  # the audiences that one must be in to find it
    is_own: bool = False  # its host is the operator's own
    is_waiting: bool = False  # its last change is not in the index yet

    @property
    def state(self) -> str:
        """Its state in one word."""
        return self.known.state if self.known else "unknown"

    @property
    def meaning(self) -> str:
        """What the state means, and its reason."""
        if not self.known:
            return "no crawl has found it"
        if hosts := unasked_hosts(self.known.reason):
            return f"it has no text without scripts of other hosts: render_hosts = [{hosts}] in its [[site]]"
        if self.known.reason == UNDRAWN:
            return "it has no text before its scripts run: render in its [[site]] of crawl.toml has them run"
        if self.known.kind in LISTS and self.known.state is State.STORED:
            return f"it is a {self.known.kind}, and was read"
        reason = f": {_format_reason(self.known)}" if self.known.reason else ""
        return MEANING[self.known.state] + reason

    @property
    def next_visit(self) -> str:
        """When it is visited next, and why then (requirements 224, 239)."""
        known = self.known
        if not known:
            return "none"
        if self.rule and known.reason != FORCED:
            return f"none while the rule {self.rule} excludes it"
        if known.reason == TWIN:
            return "none: its twin host is visited instead"
        if known.state is State.QUEUED:
            return f"as soon as its host may be visited: {self.delay or 'it is queued'}"
        if known.kind is Purpose.FEED and known.visited_at:
            return self._explain_look(known, known.visited_at)
        if known.is_due:
            return "in the next crawl that starts with an empty queue"
        if known.due_at and known.due_at > self.at:
            return f"not before {format_time(known.due_at)}{_explain_wait(known)}"
        trusted = format_time((known.visited_at or 0.0) + TRUSTED_SECONDS)
        return f"not before {trusted}: its sitemap names no change since the last visit"

    def _explain_look(self, feed: KnownUrl, visited_at: float) -> str:
        """Explains when a feed is asked for, which no round of visits to pages does."""
        due_at = feed_due_at(visited_at, feed.due_at, own=self.is_own)
        if due_at <= self.at:
            return "at the next look at feeds: it is due"
        why = ": feeds of your own are asked for every five minutes" if self.is_own else _explain_wait(feed)
        return f"not before {format_time(due_at)}{why}"


def explain_url(
    database: sa.Engine,
    index: IndexLocation,
    url: str,
    rule: str,
    required: Required = OPEN,
    *,
    is_own: bool = False,
) -> Explanation:
    """Explains a canonical URL; `rule` is the crawl rule that excludes it, '' if none does. Those find it who
    are in all `required` audiences. `is_own`: its host is the operator's own.

    Raises EngineError when the index cannot be read.
    """
    now = time.time()
    with database.connect() as connection:
        known = load_known_url(connection, url, now)
        aliases = load_aliases(connection, url)
        held = find_quarantined(connection, url)
        left = count_uncounted_links(connection, frozenset((url, *aliases)))
        twin = dict(load_twins(connection)).get(host_of(url), "")
        root = find_root(connection, url)
        delay = _explain_delay(connection, host_of(url), now)
        change = load_change(connection, url)
    robots = load_robots(database, host_of(url))
    return Explanation(
        url=url,
        at=now,
        known=known,
        aliases=aliases,
        index_status=read_index_status(index, url),
        allowed=robots.allowed(AGENT, url) if robots else None,
        robots=robots.reason(AGENT, url) if robots else "never fetched",
        rule=rule,
        quarantined=held,
        uncounted=left,
        twin=twin,
        root=root,
        delay=delay,
        required=required,
        is_own=is_own,
        is_waiting=generations.count_behind(index, change) > 0,
    )


def _explain_delay(connection: sa.Connection, host: str, now: float) -> str:
    """Explains why a host has to wait, as far as the crawl database knows."""
    until = load_rest_until(connection, host)
    if until > now:
        return f"its host asks for no requests until {format_time(until)}"
    if number := count_lethal_pages(connection, host):
        return f"{number} of its pages took too long to read or too much memory in the last crawl that met it"
    return ""


def _format_reason(known: KnownUrl) -> str:
    """Formats the reason of its state; a redirect is permanent or temporary."""
    if known.reason != "redirect" or not known.status or known.status < 300:
        return known.reason
    return f"{'permanent' if known.status in PERMANENT else 'temporary'} {known.reason}"


def _explain_wait(known: KnownUrl) -> str:
    """Explains why it is not visited earlier."""
    if known.state is State.GONE:
        return ": a missing page is checked less and less often"
    if known.state is State.ALIAS and known.status in PERMANENT:
        return ": it redirects permanently"
    if known.reason == LETHAL:
        return ": a page that stopped its reader is tried less and less often"
    return ", when its owner expects a change"


def read_index_status(index: IndexLocation, url: str) -> IndexStatus:
    """Reads what the current generation has of a URL. Raises EngineError when it cannot be opened."""
    return retry_open(lambda: _read_index_status(index, url), index)


def _read_index_status(index: IndexLocation, url: str) -> IndexStatus:
    generation = generations.current_generation(index)
    if generation is None:
        return IndexStatus()
    with closing(open_snapshot(generation, IndexCache(), Ranking())) as opened:
        snapshot = opened.session()
        indexed = bool(snapshot.find_urls([url]))
        inlinks = snapshot.inlinks([url]).get(url, NO_INLINKS)
        damaged = list(map(str, snapshot.damaged))
        linking = () if damaged else find_linking_pages(generation.links, url)
        return IndexStatus(indexed, inlinks, linking, damaged)
