"""`scrapy submit URL`: queue URLs that no link leads to."""

import argparse
import time
from typing import NamedTuple

import sqlalchemy as sa
from scrapy.exceptions import UsageError

from engine.command import LycosaCommand, introduced
from engine.config import Config
from engine.errors import EngineError
from engine.monitor.ruling import visible
from engine.robots import AGENT, Verdict
from engine.store.hosts import known_robots
from engine.store.known import known_state
from engine.store.removals import REMOVED
from engine.store.tables import open_database
from engine.store.wanted import force, queue
from engine.typed import address, rule_against, sites_written
from engine.url import host_of

EXIT_REFUSED = 1
QUEUED, KNOWN, REFUSED = "queued", "known", "refused"


class Submission(NamedTuple):
    """What became of one submitted URL."""

    outcome: str  # QUEUED, KNOWN, REFUSED
    url: str
    why: str = ""  # the state of one that is known, the rule that refuses


class Command(LycosaCommand):
    """Submitted URLs wait at depth 0, as seeds do (requirements 7, 8)."""

    example = "scrapy submit https://www.example.org/hidden.html"

    def syntax(self) -> str:
        """How it is called."""
        return "[options] URL [URL...]"

    def short_desc(self) -> str:
        """One line for `scrapy` alone."""
        return "Queue URLs for the next crawl"

    def long_desc(self) -> str:
        """Who visits them, and what the exit codes mean."""
        return (
            "Queues URLs that are in the scope of crawl.toml and not known yet. The next 'scrapy crawl web' "
            "visits them; one that is running does so at once. "
            "robots.txt counts as for every visit. Exit code 0: all are queued or known, 1: one was refused."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """--force."""
        super().add_options(parser)
        parser.add_argument(
            "--force",
            action="store_true",
            help="visit them once although they are known or a rule refuses them; never against robots.txt, "
            "never what was removed",
        )

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Print a line for each URL. Raises EngineError when the database cannot be written."""
        if not args:
            raise UsageError
        config = self.config()
        if opts.force:
            introduced(config, "the owner")
        database = open_database(config.data_dir)
        with database.begin() as connection:
            desk = Desk(connection, config, by_force=opts.force)
            done = [desk.submitted(typed) for typed in args]
        database.dispose()
        for one in done:
            print(f"{one.outcome:<14}{visible(one.url)}" + (f"  ({visible(one.why)})" if one.why else ""))
        self.exitcode = EXIT_REFUSED if any(one.outcome == REFUSED for one in done) else 0


class Desk:
    """Where submitted URLs are taken in, in the caller's transaction."""

    def __init__(self, connection: sa.Connection, config: Config, *, by_force: bool = False) -> None:
        self._connection = connection
        self._config = config
        self._sites = sites_written(connection, config)
        self._by_force = by_force

    def submitted(self, typed: str) -> Submission:
        """Queue one URL, if it is one, may be queued and is not known; by force whatever we know of it."""
        try:
            url = address(typed, self._config.aliases)
        except EngineError as error:
            return Submission(REFUSED, typed, str(error))
        now, rule = time.time(), rule_against(self._connection, self._config, self._sites, url)
        if denied := _denied(self._connection, url, now):
            return Submission(REFUSED, url, denied)
        if rule == REMOVED or (rule and not self._by_force):
            return Submission(REFUSED, url, rule)
        state = known_state(self._connection, url)
        if self._by_force:
            force(self._connection, url, now)
            return Submission(QUEUED, url, f"in spite of: {rule or state}" if rule or state else "")
        if state:
            return Submission(KNOWN, url, state)
        queue(self._connection, url, now)
        return Submission(QUEUED, url)


def _denied(connection: sa.Connection, url: str, now: float) -> str:
    """The owner's word against it, '' as far as we know; the crawl looks again before it sends anything."""
    robots = known_robots(connection.engine, host_of(url))
    if robots is None or not robots.fresh(now) or robots.verdict is Verdict.DEFER:
        return ""
    return "" if robots.allowed(AGENT, url) else robots.reason(AGENT, url)
