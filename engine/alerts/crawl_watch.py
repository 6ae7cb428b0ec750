"""Watches a crawl from inside: what its queues know of hosts, and how it keeps to its plan."""

from collections.abc import Callable, Mapping

from engine.alerts.alert import Alert, AlertKind, Finding
from engine.alerts.host_rules import judge_hosts, judge_logins, watch_seeds
from engine.alerts.pace_rule import judge_pace
from engine.alerts.run_rules import describe_end
from engine.alerts.watch import AlertWatch
from engine.config import Config
from engine.database import SCAN_KIB, open_database
from engine.errors import EngineError
from engine.folder import OF_DATABASE
from engine.frontier import Frontier, Sites
from engine.monitor import ALARM
from engine.store import CRAWL

PLAN_SECONDS = 1_800.0  # between two plans, each of which reads all URLs: some seconds for a million


class CrawlWatch:
    """Watches the crawl of this process. `sites` gives what it crawls now, `clock` seconds since 1970.

    `logins` gives the outcomes of logins by their hosts: why one failed, '' where it works.
    """

    def __init__(
        self,
        config: Config,
        frontier: Frontier,
        sites: Callable[[], Sites],
        clock: Callable[[], float],
        logins: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        self._config, self._frontier, self._sites, self._clock = config, frontier, sites, clock
        self._logins = logins
        self._watch = AlertWatch(config, clock, is_crawling=True)
        self._seeds = watch_seeds(sites().seeds)
        self._planned_at = clock()

    def judge(self) -> list[Finding]:
        """Judges the hosts; in the thread of the crawl, as it asks the queues."""
        return self._judge_hosts(self._clock())

    def look(self, found: list[Finding]) -> list[Alert]:
        """Takes up what was judged, and looks at all else; in any thread."""
        now = self._clock()
        if now - self._planned_at >= PLAN_SECONDS:
            self._planned_at = now
            found = [*found, *self._judge_pace(now)]
        return self._watch.look(found)

    def end(self, error: str = "") -> list[Alert]:
        """Looks for the last time, when the crawl has ended; `error`: what it failed for."""
        now = self._clock()
        hosts = self._judge_hosts(now, is_last=True)
        of_crawl = (Finding(AlertKind.SLOW, CRAWL, is_wrong=False, at=now), describe_end(CRAWL, error, now))
        return self._watch.look([*hosts, *of_crawl])

    def _judge_hosts(self, now: float, *, is_last: bool = False) -> list[Finding]:
        hosts = judge_hosts(self._frontier, self._seeds, now, is_last=is_last)
        return [*hosts, *judge_logins(self._config.logins, self._logins(), now)]

    def _judge_pace(self, now: float) -> list[Finding]:
        try:
            engine = open_database(self._config.database, cache_kib=SCAN_KIB)
            try:
                with engine.connect() as connection:
                    return [*judge_pace(connection, self._sites(), self._config.limits.host_pages, now)]
            finally:
                engine.dispose()
        except (EngineError, OSError, *OF_DATABASE) as error:
            ALARM(f"cannot plan the crawl: {error}", "plan")
            return []
