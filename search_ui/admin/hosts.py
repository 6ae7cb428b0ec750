"""Shows what each host answered, how fast it is asked, and its robots.txt as it was read last."""

import json
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import NamedTuple

from starlette.responses import Response

from engine.config import Config
from engine.frontier import load_paused, pause_named_host, release_named_host
from engine.history import HISTORY, HostRow, load_host_rows, open_history
from engine.monitor import count
from engine.report import ruling_of_host
from engine.robots import AGENT, RobotsState
from engine.store import Store, load_rest_until, select_robots
from engine.submission import recrawl_known
from search_ui.admin.page import Done
from search_ui.admin.rendering import cut_page, render_admin
from search_ui.admin.request import AdminRequest

DECISIONS = {"pause": pause_named_host, "release": release_named_host}
MAX_STATUSES = 8  # of one host that are shown, the most frequent


class HostView(NamedTuple):
    """One host as the page shows it."""

    row: HostRow
    statuses: list[tuple[str, int]]
    robots: RobotsState | None  # None: never read
    crawl_delay: float | None  # seconds that its robots.txt asks for
    rest_until: float  # 0.0 if it did not ask to be left alone


@dataclass(frozen=True, slots=True)
class HostsPage:
    """The hosts of the crawl that runs, or ran last, those of most requests first."""

    config: Config

    def __call__(self, asked: AdminRequest) -> Response:
        """Shows a page of them."""
        now, rows = time.time(), list[HostRow]()
        following = None
        if (self.config.data_dir / HISTORY).exists():
            with open_history(self.config.data_dir) as history:
                rows, following = cut_page(load_host_rows(history, now), asked)
        paused = load_paused(self.config.database)
        return render_admin(
            "hosts.html", asked, hosts=list(self._views(rows)), following=following, now=now, paused=paused
        )

    def act(self, asked: AdminRequest) -> Done:
        """Pauses or releases a host, or queues the pages of any target. Raises EngineError."""
        target, decision = asked.fields.get("target", "").strip(), asked.fields.get("decision", "")
        if decision in DECISIONS:
            return Done(f"host: {decision}", DECISIONS[decision](self.config, target))
        number = recrawl_known(self.config, target)
        return Done("recrawl", f"{target}: {count(number, 'URL is', 'URLs are')} queued")

    def _views(self, rows: list[HostRow]) -> Iterator[HostView]:
        with closing(Store(self.config.database)) as store, store.engine.connect() as connection:
            for row in rows:
                robots = select_robots(connection, row.host)
                delay = (
                    ruling_of_host(robots, AGENT, f"{row.host}/", "rfc9309").crawl_delay if robots else None
                )
                statuses = sorted(json.loads(row.statuses).items(), key=lambda one: (-one[1], one[0]))
                rest = load_rest_until(connection, row.host)
                yield HostView(row, statuses[:MAX_STATUSES], robots, delay, rest)
