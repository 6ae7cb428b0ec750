"""Synchronises with other crawl processes on the same database."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

import sqlalchemy as sa

from engine.crawl.discovery import Discovery
from engine.crawl.opening import load_moved_sites
from engine.crawl.pending import batch_seconds
from engine.crawl.permissions import Permissions
from engine.crawl.run import Run
from engine.database import CompiledQuery, blocks, hosts, runs
from engine.frontier import Frontier
from engine.store import CRAWL, IS_LIVING, LEASE_SECONDS, RESUMED, load_forced, mark_cut_short

POLL_SECONDS = 0.25  # between looks for what others have written: what is removed is not sent any more
# In one question, as each takes a way to a server: blocks come and are undone, but never go.
_NEWS = sa.select(
    sa.select(sa.func.max(blocks.c.id)).scalar_subquery(),
    sa.select(sa.func.count()).where(blocks.c.undone_at.is_not(None)).scalar_subquery(),
    sa.exists().where(hosts.c.called),
    sa.exists().where(IS_LIVING, runs.c.id != sa.bindparam("own")),
)


class _News(NamedTuple):
    """The newest block, how many were undone, and whether hosts are called for and other runs live."""

    block: int | None
    undone: int
    calls: bool
    others: bool


class Peers:
    """Follows removals, submitted URLs, other runs, and their calls for our hosts."""

    def __init__(self, run: Run, discovery: Discovery, frontier: Frontier, permissions: Permissions) -> None:
        self._run = run
        self._discovery = discovery
        self._frontier = frontier
        self._permissions = permissions
        self._looked = self._answered = 0.0
        self._query = CompiledQuery(_NEWS)
        self._news: _News | None = None
        self._calls: Sequence[str] = ()
        self._held: Collection[int] = ()  # ids of hosts that are leased to us, where our share has changed
        self._changed = False

    def is_poll_due(self, now: float) -> bool:
        """Tells whether it is time to look at the database."""
        return now - self._looked >= POLL_SECONDS

    def poll(self, connection: sa.Connection, now: float) -> bool:
        """Looks for changes; tells whether there are some to apply, in a transaction that writes."""
        self._looked = now
        self._changed, self._calls = False, ()
        asked = {"own": self._run.id, "since": now - LEASE_SECONDS}
        news = _News(*self._query.fetch_row(connection, asked))
        before, self._news = self._news, news
        if news != before or news.others or news.calls or not self._run.is_alone:
            self._look_at_others(connection, news, now)
        self._frontier.host_leases.look(connection, self._run.share)
        return self._changed or bool(self._calls) or self._frontier.host_leases.are_moving

    def _look_at_others(self, connection: sa.Connection, news: _News, now: float) -> None:
        self._permissions.reload_blocklist(connection)
        self._changed = self._run.refresh_share(connection, now, called=news.calls)
        ours = self._frontier.host_leases
        is_due = ours.has_more_calls or now - self._answered >= batch_seconds(len(self._run.share.runs))
        self._held = ours.load_held(connection) if self._changed else ()
        self._calls = ours.load_calls(connection) if is_due else ()

    def apply_changes(self, connection: sa.Connection, now: float) -> None:
        """Applies the changes that were found."""
        sites = load_moved_sites(connection, self._discovery.sites)
        self._discovery.sites = replace(sites, forced=load_forced(connection))
        admits = self._discovery.sites.admits
        if self._changed and self._run.overslept:
            self.redistribute_hosts(connection, now)
        elif self._changed:
            self._frontier.change_share(connection, self._run.share, self._held)
        if self._calls:
            self._frontier.answer_calls(connection, self._calls, admits)
            self._answered = now
        if self._frontier.host_leases.are_moving:
            self._frontier.hand_over(connection, admits, now)
        self._run.look_for_calls(connection)

    def take_share(self, connection: sa.Connection) -> None:
        """Leases the hosts of our share."""
        self._frontier.round = self._run.round.number
        self._frontier.host_leases.take_share(connection, self._run.share)

    def redistribute_hosts(self, connection: sa.Connection, now: float) -> None:
        """Leases and lists the hosts of our share, and releases those of others."""
        self._frontier.redistribute(connection, self._run.share, self._discovery.sites.admits, now)

    def end_run(self, connection: sa.Connection, now: float, reason: str) -> None:
        """Logs how the run ended; where URLs still wait, the next run continues its round of visits."""
        if reason not in RESUMED and self._run.kind == CRAWL:
            mark_cut_short(connection, self._frontier.host_queues.find_unfinished())
        self._run.end(connection, now, reason)
