"""Synchronises with other crawl processes on the same database."""

from collections.abc import Sequence
from dataclasses import replace

import sqlalchemy as sa

from engine.crawl.discovery import Discovery
from engine.crawl.opening import moved_sites
from engine.crawl.owner import Owners
from engine.crawl.run import Run
from engine.frontier import Frontier
from engine.store import RESUMED, load_forced, mark_cut_short

LOOK_SECONDS = 0.25  # between looks for what others have written: what is removed is not sent any more


class Company:
    """Removals, submitted URLs, other runs that come and go, their calls for our hosts."""

    def __init__(self, run: Run, discovery: Discovery, frontier: Frontier, owners: Owners) -> None:
        self._run = run
        self._discovery = discovery
        self._frontier = frontier
        self._owners = owners
        self._looked = 0.0
        self._calls: Sequence[str] = ()
        self._changed = False

    def due(self, now: float) -> bool:
        """Whether it is time for a look."""
        return now - self._looked >= LOOK_SECONDS

    def see(self, connection: sa.Connection, now: float) -> bool:
        """Look; whether there is something to take up, in a transaction that writes."""
        self._looked = now
        self._owners.heed_removals(connection)
        self._changed = self._run.look(connection, now)
        self._calls = self._frontier.calls(connection)
        return self._changed or bool(self._calls) or self._frontier.handing_over

    def take_up(self, connection: sa.Connection, now: float) -> None:
        """Go by what was seen."""
        sites = moved_sites(connection, self._discovery.sites)
        self._discovery.sites = replace(sites, forced=load_forced(connection))
        if self._changed:
            self.share_out(connection, now)
        self._frontier.answer(connection, self._calls, self._discovery.sites.admits)
        self._frontier.hand_over(connection, now)

    def share_out(self, connection: sa.Connection, now: float) -> None:
        """Take the hosts of our share, give back those of others."""
        self._frontier.round = self._run.round.number
        self._frontier.share_out(connection, self._run.share, self._discovery.sites.admits, now)

    def end(self, connection: sa.Connection, now: float, reason: str) -> None:
        """Log how the run ended; where it ended before its hosts did, the next one goes on."""
        if reason not in RESUMED:
            mark_cut_short(connection, self._frontier.lines.unfinished())
        self._run.end(connection, now, reason)
