"""A crawl database with so many known URLs, as a crawl leaves it that is a third done.

Written by the frontier itself, its rows in the order in which a breadth-first crawl of all hosts finds them.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

import sqlalchemy as sa

from engine.database import urls
from engine.frontier.caps import Caps
from engine.frontier.domains import DomainLimits
from engine.frontier.new_url import NewUrl
from engine.frontier.politeness import PACES
from engine.frontier.queue import Frontier
from engine.frontier.suspects import Suspects
from engine.model.page import State
from engine.robots import RobotsState, Verdict
from engine.store.known_hosts import save_robots
from engine.store.page_store import Store

EPOCH = 1_800_000_000.0  # seconds since 1970
FRESH = 86_400.0  # seconds for which the hosts' robots.txt holds
MOST_HOSTS = 10_000
URLS_OF_HOST = 100  # at least, so that small sizes have lines of some length as well
NAVIGATION = 40  # URLs of a host that each of its pages links to
TOGETHER = 20  # new URLs of a host, side by side in the table: what one page brings, early in a crawl
VISITED = 3  # every third of these is done
BATCH = 20_000  # URLs added in one transaction
NO_CAP = 10**9

_RULES = "User-agent: *\nDisallow: /private/\nDisallow: /search?\nCrawl-delay: 2\n"
# What makes filling quick: a crawl has neither.
_HASTE = ("PRAGMA synchronous=OFF", "PRAGMA cache_size=-1000000")


def hosts_of(known: int) -> int:
    """Over how many hosts so many URLs are spread."""
    return min(MOST_HOSTS, max(1, known // URLS_OF_HOST))


def host(number: int) -> str:
    """The name of a host."""
    return f"https://www.host-{number:05d}.example"


def url(of: int, number: int) -> str:
    """A URL of a host: 65 octets, which is usual."""
    return f"{host(of)}/docs/section-{number % 40:02d}/page-{number:07d}.html"


def fill_database(data_dir: Path, known: int) -> None:
    """Make the database; ten million URLs take some minutes and four gigabytes."""
    with closing(Store(data_dir)) as store, store.engine.connect() as connection:
        for pragma in _HASTE:
            connection.exec_driver_sql(pragma)
        connection.commit()
        number = hosts_of(known)
        for one in range(number):
            save_robots(connection, host(one), _robots(one))
        connection.commit()
        frontier = Frontier(
            store.engine,
            lambda _: PACES["polite"],
            lambda: 0.0,
            Caps(Suspects(Counter()), NO_CAP, NO_CAP, DomainLimits(NO_CAP, NO_CAP, NO_CAP), lambda _: False),
            lambda _: 0,
        )
        found = _found(known, number)
        while batch := list(islice(found, BATCH)):
            frontier.add(connection, batch, EPOCH)
            connection.commit()
        done = sa.update(urls).where(urls.c.id / TOGETHER % VISITED == 0)
        connection.execute(done.values(state=State.STORED, visited_at=EPOCH, status=200, etag='"1"'))
        connection.commit()
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")


def _found(known: int, number: int) -> Iterator[NewUrl]:
    """A page of each host in turn, with its new links; parents are the hosts' first pages."""
    each = known // number
    for start in range(0, each, TOGETHER):
        for one in range(number):
            for n in range(start, min(start + TOGETHER, each)):
                depth = 0 if n == 0 else 1 if n < NAVIGATION else 2 + n // 200
                yield NewUrl(url(one, n), depth, 1 + one * min(TOGETHER, each))


def _robots(number: int) -> RobotsState:
    """A robots.txt of ten to sixty lines."""
    lines = "".join(f"Disallow: /tmp/{n}/{number}/\n" for n in range(7 + number % 50))
    return RobotsState(Verdict.OBEY, (_RULES + lines).encode(), EPOCH, EPOCH + FRESH, 200)
