"""Hosts that link to each other, slow ones if wanted, and what crawls of them have found."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import sqlalchemy as sa

from engine.database import pages, runs, urls
from engine.store import Store, load_run
from tests.web.scripted import Answer, Site, anchors, html, prose, scripted_web

HOSTS = 20
PAGES = 5  # a host, and as many that only another host links to
Found = set[tuple[str, str, bytes]]  # URL, state, fingerprint


@dataclass
class Tempo:
    """How slow all hosts are: so that the first process does not finish before the second has started."""

    seconds: float = 0.0  # a page


TEMPO = Tempo()


@contextmanager
def slow_hosts() -> Iterator[list[Site]]:
    """Each on an address of its own; the pages of each link to its own and to the next host's."""
    with ExitStack() as stack:
        sites = [stack.enter_context(scripted_web(address=f"127.0.3.{n + 1}")) for n in range(HOSTS)]
        for n, site in enumerate(sites):
            following = sites[(n + 1) % HOSTS]
            for page in range(PAGES):
                links = [f"/{page + 1}" if page + 1 < PAGES else "/gone", following.url(f"/{PAGES + page}")]
                text = f"host{n} page{page} {prose(site.url(str(page)))}{anchors(links)}"
                site.routes[f"/{page or ''}"] = _slowly(text)
                leaf = f"leaf{n} page{page} {prose(site.url(f'leaf{page}'))}"
                site.routes[f"/{PAGES + page}"] = _slowly(leaf)
        yield sites


def asked(sites: list[Site]) -> Counter[str]:
    return Counter(site.url(path) for site in sites for path in site.paths)


def words_of(sites: list[Site]) -> list[str]:
    seeds = ",".join(site.url("/") for site in sites)
    return ["crawl", "web", "-a", f"seeds={seeds}", "-a", "own=1"]


def found(location: Path | str) -> Found:
    """What stands in the crawl database."""
    query = sa.select(urls.c.url, urls.c.state, sa.func.coalesce(pages.c.fingerprint, b"")).outerjoin(pages)
    with closing(Store(location)) as store, store.engine.connect() as connection:
        if connection.dialect.name == "sqlite":
            assert connection.exec_driver_sql("PRAGMA integrity_check").scalar_one() == "ok"
        return {(row[0], row[1], bytes(row[2])) for row in connection.execute(query)}


def shares(location: Path | str) -> list[int]:
    """How many pages each run has stored."""
    of_crawls = sa.select(runs.c.id).where(runs.c.kind == "crawl").order_by(runs.c.id)
    with closing(Store(location)) as store, store.engine.connect() as connection:
        numbers = connection.execute(of_crawls).scalars().all()
        return [int(load_run(connection, number).counters.get("stored", 0)) for number in numbers]


def _slowly(text: str) -> Callable[[str], Answer]:
    page = html("A page", text)
    return lambda _: replace(page, delay=TEMPO.seconds)
