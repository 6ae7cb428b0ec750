"""Measures a crawl for Prometheus, from what it leaves in the data folder.

Labels are bounded: statuses, kinds of outcome and alarm, hosts of the operator alone. Counters are those of
the crawl that runs, or ran last; they begin anew with the next, as Prometheus expects of a restart.
"""

import re
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import sqlalchemy as sa

from engine.alerts import AlertKind, load_open
from engine.config import Config
from engine.database import ALERTS, CrawlDatabase, open_side
from engine.errors import EngineError
from engine.history import HISTORY, open_history
from engine.store import RunRow, load_last_run, load_living_runs
from engine.url import canonicalize, host_of

MAX_HOSTS = 100  # of the operator that have labels of their own
OUTCOMES = ("stored", "unchanged", "duplicates", "redirects", "errors", "noindex", "disallowed")
_STATUS = re.compile(r"[1-9][0-9][0-9]")
_STATUSES = """
SELECT status, sum(number) FROM statuses WHERE round = (SELECT max(round) FROM hosts) GROUP BY status
"""
_HOSTS = """
SELECT host, requests, errors FROM hosts WHERE round = (SELECT max(round) FROM hosts) AND host IN ({marks})
"""


class Metric(NamedTuple):
    """A metric: its samples are values by labels."""

    name: str
    kind: Literal["counter", "gauge"]
    about: str
    samples: Sequence[tuple[tuple[tuple[str, str], ...], float]]  # labels with their values, and a number


class CrawlMetrics:
    """Measures the crawls of one data folder."""

    def __init__(self, config: Config, database: CrawlDatabase) -> None:
        self._folder, self._location, self._database = config.data_dir, config.database, database
        seeds = (seed for site in config.sites if site.own for seed in site.seeds)
        hosts = dict.fromkeys(host_of(canonicalize(seed)) for seed in seeds if _is_url(seed))
        self._own = tuple(hosts)[:MAX_HOSTS]

    def __call__(self, now: float) -> list[Metric]:
        """Measures at a time in seconds since 1970; what cannot be read is left out."""
        return [*self._of_runs(now), *self._of_history(), *self._of_alerts()]

    def _of_runs(self, now: float) -> list[Metric]:
        try:
            with self._database.open_engine() as engine, engine.connect() as connection:
                living, last = load_living_runs(connection, now), load_last_run(connection, "crawl")
        except (EngineError, sa.exc.DBAPIError):
            return []
        return [*_measure_runs(living or [last], len(living))] if last else []

    def _of_history(self) -> list[Metric]:
        if not (self._folder / HISTORY).exists():
            return []
        try:
            with open_history(self._folder) as connection:
                statuses = [tuple(row) for row in connection.execute(_STATUSES)]
                marks = ", ".join("?" for _ in self._own)
                hosts = [tuple(row) for row in connection.execute(_HOSTS.format(marks=marks), self._own)]
        except sqlite3.Error:
            return []
        return [*_measure_history(statuses, hosts)]

    def _of_alerts(self) -> list[Metric]:
        try:
            with open_side(self._location, ALERTS) as connection:
                counts = Counter(alert.kind for alert in load_open(connection))
        except EngineError:
            return []
        kinds = (kind for kind in AlertKind if kind is not AlertKind.TEST)
        samples = [((("kind", kind.value),), float(counts[kind])) for kind in kinds]
        return [Metric("lycosa_alerts_open", "gauge", "Alarms that are open, by kind.", samples)]


def _measure_runs(runs: Sequence[RunRow], living: int) -> Iterator[Metric]:
    counts: Counter[str] = Counter()
    for run in runs:
        counts.update(run.counters)
    yield _gauge("crawl_processes", "Crawl processes that run.", living)
    yield _gauge(
        "crawl_start_timestamp_seconds",
        "When the crawl began, seconds since 1970.",
        min(run.started_at for run in runs),
    )
    yield _gauge(
        "crawl_beat_timestamp_seconds",
        "When the crawl gave its last sign of life, seconds since 1970.",
        max(run.last_seen for run in runs),
    )
    yield _gauge("crawl_queued_urls", "URLs that wait.", counts["queued"] if living else 0)
    suspended = counts["hosts suspended"] if living else 0
    yield _gauge("crawl_suspended_hosts", "Hosts that nothing is asked of for now.", suspended)
    outcomes = [((("outcome", name),), float(counts[name])) for name in OUTCOMES]
    yield Metric("lycosa_crawl_visits_total", "counter", "Visits of this crawl, by outcome.", outcomes)
    retries = [((), float(counts["retries"]))]
    yield Metric("lycosa_crawl_retries_total", "counter", "Visits that are to be tried again.", retries)
    octets = [((("direction", way),), float(counts[f"bytes {way}"])) for way in ("sent", "received")]
    yield Metric("lycosa_crawl_bytes_total", "counter", "Bytes of HTTP, headers included.", octets)


def _measure_history(
    statuses: Sequence[tuple[str, int]], hosts: Sequence[tuple[str, int, int]]
) -> Iterator[Metric]:
    answers: Counter[str] = Counter()
    for status, number in statuses:
        answers[status if _STATUS.fullmatch(status) else "other"] += number
    samples = [((("status", status),), float(number)) for status, number in sorted(answers.items())]
    about = "Requests of this crawl by status of the answer; other: none, or robots.txt and sitemaps."
    yield Metric("lycosa_crawl_responses_total", "counter", about, samples)
    if hosts:
        requests = [((("host", host),), float(number)) for host, number, _ in hosts]
        errors = [((("host", host),), float(number)) for host, _, number in hosts]
        yield Metric("lycosa_host_requests_total", "counter", "Requests to your own hosts.", requests)
        about = "Requests for pages of your own hosts without an answer, or with a status from 400 on."
        yield Metric("lycosa_host_errors_total", "counter", about, errors)


def _gauge(name: str, about: str, value: float) -> Metric:
    return Metric(f"lycosa_{name}", "gauge", about, [((), float(value))])


def _is_url(seed: str) -> bool:
    """Tells whether a seed is a URL, no file of URLs."""
    try:
        canonicalize(seed)
    except ValueError:
        return False
    return "://" in seed
