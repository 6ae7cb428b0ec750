"""Measures what a crawl asks of its database, in a file of SQLite and on a PostgreSQL server, by turns.

The server's is a copy of the file's, row by row. Times are of the clock: a server works while we wait.
"""

import random
import statistics
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.corpora.filled import EPOCH, fill_database, host, hosts_of
from benchmarks.frontier import COMMIT, FEWEST, NEW_LINKS, PAGES, make_page
from benchmarks.instruments.row import Row, cost_row, report_progress
from engine.config import SiteConfig
from engine.crawl import Crawl, Limits
from engine.database import copy_database, is_empty, open_database, write_transaction
from engine.errors import EngineError
from engine.frontier.sites import build_sites
from engine.model.page import Claim, Fetch, Reading, State, Visit
from engine.robots import Directives
from engine.store.page_store import Store

PEER = "sqlite"
ROUNDS = 9  # of each database, in turn; the median of their means counts
CLAIMS = 50  # of a round
ADDED = 100  # pages of a round whose links are added
CONTENT_BYTES = 4_000  # of a page, packed, which is usual
SEED = 0x4C59
MICRO = 1e6
LIMITS = {"claim": 2.0, "add": 2.0, "commit": 3.0}  # times what SQLite takes


@dataclass
class Contestant:
    """A crawl on one of the databases, and what it took so far, in microseconds."""

    crawl: Crawl
    now: list[float]
    rng: random.Random
    known: int
    claims: list[Claim] = field(default_factory=list)
    taken: dict[str, list[float]] = field(default_factory=dict)
    pages: int = 0

    def close(self) -> None:
        """Closes the database, without an end of the run."""
        self.crawl.store.close()


def rows(url: str, known: int) -> Iterator[Row]:
    """A figure for a claim, for the 70 links of a page and for a commit of fifty pages.

    Raises EngineError without a URL of an empty database, and for fewer URLs than FEWEST.
    """
    if not url:
        raise EngineError("name an empty database of a server with --database postgresql://...")
    if known < FEWEST:
        raise EngineError(f"--urls {known} is too few: name {FEWEST} at least")
    with TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        report_progress(f"{known:,} known URLs on {hosts_of(known):,} hosts")
        fill_database(folder, known)
        _copy(folder, url)
        ours, theirs = (stack.enter_context(closing(_open(place, known))) for place in (url, folder))
        for measure in (_claim, _add, _commit):
            for number in range(ROUNDS):
                for one in (ours, theirs) if number % 2 else (theirs, ours):
                    one.taken.setdefault(measure.__name__.strip("_"), []).append(measure(one))
        for what, limit in LIMITS.items():
            value, peer = (statistics.median(one.taken[what]) for one in (ours, theirs))
            yield replace(cost_row(f"databases.{what}.{known}", value, PEER, peer), budget=limit * peer)


def _copy(folder: Path, url: str) -> None:
    """Copies the file to the server. Raises EngineError where the database there is not empty."""
    source, target = open_database(folder), open_database(url)
    try:
        with source.connect() as connection, write_transaction(target) as copy:
            if not is_empty(copy):
                raise EngineError(f"{url} is not empty: make a database for this alone with createdb")
            copy_database(connection, copy)
        with target.connect().execution_options(isolation_level="AUTOCOMMIT") as copied:
            copied.exec_driver_sql(
                "VACUUM ANALYZE"
            )  # as the server does soon by itself, in the middle of it all
    finally:
        source.dispose()
        target.dispose()


def _open(location: Path | str, known: int) -> Contestant:
    now = [EPOCH]
    sites = build_sites([SiteConfig((f"{host(0)}/",), scope="any")])
    rng = random.Random(SEED)
    limits = Limits(host_pages=known + PAGES * NEW_LINKS * ROUNDS)
    crawl = Crawl(Store(location), sites, limits, lambda: now[0], rng.random)
    crawl.open()
    return Contestant(crawl, now, rng, known)


def _claim(one: Contestant) -> float:
    """Microseconds a claim; each is answered at once, and stays to be committed."""
    seconds, given = 0.0, 0
    while given < CLAIMS:
        began = time.perf_counter()
        claim = one.crawl.claim()
        seconds += time.perf_counter() - began
        if claim:
            given += 1
            one.claims.append(claim)
            one.crawl.record_response(Fetch(claim, 200, at=one.now[0]))
        else:
            one.now[0] += one.crawl.seconds_to_next() or 0.0
    return seconds / given * MICRO


def _add(one: Contestant) -> float:
    """Microseconds for the 70 links of a page, its share of the commit included."""
    hosts = hosts_of(one.known)
    numbers = range(one.pages, one.pages + ADDED)
    one.pages += ADDED
    pages = [make_page(one.rng, number, hosts, one.known // hosts) for number in numbers]
    for met, _ in pages:  # a crawl that is under way has met these links before
        list(one.crawl.discovery.new_urls([met]))
    began = time.perf_counter()
    for start in range(0, ADDED, COMMIT):
        visits = [visit for _, visit in pages[start : start + COMMIT]]
        with write_transaction(one.crawl.store.engine) as connection:
            found = one.crawl.permissions.without_removed(one.crawl.discovery.new_urls(visits))
            one.crawl.frontier.add(connection, found, EPOCH)
    return (time.perf_counter() - began) / ADDED * MICRO


def _commit(one: Contestant) -> float:
    """Microseconds for a commit of fifty pages that are new."""
    visits = [_visit(one.rng, one.claims.pop()) for _ in range(COMMIT)]
    began = time.perf_counter()
    with write_transaction(one.crawl.store.engine) as connection:
        one.crawl.store.save(connection, visits)
    return (time.perf_counter() - began) * MICRO


def _visit(rng: random.Random, claim: Claim) -> Visit:
    content, fingerprint = rng.randbytes(CONTENT_BYTES), rng.randbytes(16)
    reading = Reading("en", "text/html", Directives(), fingerprint, [], content)
    return Visit(Fetch(claim, 200, at=EPOCH), State.STORED, reading=reading)
