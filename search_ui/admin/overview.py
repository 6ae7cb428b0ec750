"""Shows how it goes: alarms, the crawl that runs, plots, what is there, what the last crawl did."""

import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from starlette.responses import Response

from engine.alerts import Alert, load_open
from engine.config import Config
from engine.database import ALERTS, CrawlDatabase, open_side
from engine.history import (
    HISTORY,
    MINUTE,
    Comparison,
    Sample,
    compare_last_rounds,
    load_samples,
    open_history,
)
from engine.report import census_object, crawl_progress
from engine.store import Store
from search_ui.admin.charts import Chart, draw_chart
from search_ui.admin.rendering import render_admin
from search_ui.admin.request import AdminRequest

SPANS = {1: "an hour", 24: "a day", 168: "a week"}  # hours of the plots
DEFAULT_HOURS = 24
COUNTED = ("pages", "indexed", "queued", "hosts", "errors", "missing")
WAITING = ("quarantine", "submitted")  # for the operator
MAX_ALERTS = 10  # that are shown here


@dataclass(frozen=True, slots=True)
class OverviewPage:
    """The first page, read anew each time."""

    config: Config

    def __call__(self, asked: AdminRequest) -> Response:
        """Shows the page."""
        now = time.time()
        hours = asked.number("hours")
        hours = hours if hours in SPANS else DEFAULT_HOURS
        with closing(Store(self.config.database)) as store:
            census = census_object(store, self.config.index)
        database = CrawlDatabase(self.config.database)
        with closing(database):
            progress = crawl_progress(database)
        samples, compared = self._load_history(hours, now)
        return render_admin(
            "overview.html",
            asked,
            alerts=load_alerts(self.config)[:MAX_ALERTS],
            progress=progress,
            charts=draw_charts(samples, hours, now),
            hours=hours,
            spans=SPANS,
            census=census,
            counted=[(name, census[name]) for name in COUNTED],
            waiting=[(name, census[name]) for name in WAITING if census[name]],
            rounds=_rounds(compared),
            compared=compared,
        )

    def _load_history(self, hours: int, now: float) -> tuple[Sequence[Sample], Comparison | None]:
        if not (self.config.data_dir / HISTORY).exists():
            return (), None
        with open_history(self.config.data_dir) as history:
            after = int(now // MINUTE) - hours * 60
            return load_samples(history, after), compare_last_rounds(history)


def load_alerts(config: Config) -> list[Alert]:
    """Loads the open alarms, oldest first."""
    with open_side(config.database, ALERTS) as connection:
        return load_open(connection)


def draw_charts(samples: Sequence[Sample], hours: int, now: float) -> list[Chart]:
    """Draws rate, errors, queue and the age of the index, over so many hours until now."""
    last = int(now // MINUTE)
    first = last - hours * 60 + 1
    errors = {
        later.minute: max(0.0, later.errors - earlier.errors) / (later.minute - earlier.minute)
        for earlier, later in pairwise(samples)
    }
    ages = {one.minute: one.index_age / 60 for one in samples if one.index_age is not None}
    return [
        draw_chart("Pages", "a second", {one.minute: one.per_second for one in samples}, first, last),
        draw_chart("Errors", "a minute", errors, first, last),
        draw_chart("Queue", "URLs", {one.minute: float(one.queued) for one in samples}, first, last),
        draw_chart("Age of the index", "minutes", ages, first, last),
    ]


def _rounds(compared: Comparison | None) -> list[dict[str, Any]]:
    """Lists the last crawl and the one before, the last first."""
    if compared is None:
        return []
    return [{**one._asdict(), "duration": one.duration} for one in (compared.after, compared.before) if one]
