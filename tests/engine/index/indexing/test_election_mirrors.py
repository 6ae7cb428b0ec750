"""A mirror that was crawled first does not keep an honest site's pages."""

from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.crawl import Crawl
from engine.database import submissions, urls
from engine.index.indexing.follow import Follower
from engine.model.page import COPY, State
from engine.search.search import SearchService
from tests.crawling import Clock, Web, crawl_of, run, states
from tests.engine.index.indexing.test_election import DAY, election

MIRROR, HONEST = "http://mirror.com", "http://honest.org"
PATHS = ("/", "/a", "/b")
START = "http://start.net/"


def web_of(*readers: str, boosted: int = 0) -> Web:
    """A site and its mirror, which is found first; so many pages of the mirror link to what it copied."""
    web = Web({START: [f"{MIRROR}/", *readers, f"{HONEST}/"]})
    for host in (MIRROR, HONEST):
        for path in PATHS:
            web.answers[host + path] = [host + other for other in PATHS]
            web.said[host + path] = {"fingerprint": f"text{path}".encode()}
    web.answers[f"{HONEST}/"] = [f"{HONEST}/a", f"{HONEST}/b", f"{HONEST}/own"]
    web.answers[f"{HONEST}/own"] = []
    for reader in readers:
        web.answers[reader] = [f"{HONEST}/"]
    farm = [f"{MIRROR}/farm/{n}" for n in range(boosted)]
    web.answers.update({page: [MIRROR + path for path in PATHS] for page in farm})
    web.answers[f"{MIRROR}/"] = [*(MIRROR + path for path in PATHS), *farm]
    return web


def crawled(folder: Path, clock: Clock, web: Web, *seeds: str) -> Crawl:
    crawl = crawl_of(folder, clock, scope="any", seeds=seeds or (START,), profile="brisk")
    run(crawl, web, clock)
    Follower(crawl.store, folder).catch_up()
    return crawl


def standing(folder: Path) -> set[str]:
    """The hosts that represent the pages that both have."""
    found = states(folder)
    return {host for host in (MIRROR, HONEST) for path in PATHS if found[host + path][0] == State.STORED}


def test_a_site_that_was_copied_is_crawled_beyond_its_copies(tmp_path: Path) -> None:
    """Its front page is an alias at first, and its own pages are found all the same."""
    crawled(tmp_path, Clock(), web_of())
    found = states(tmp_path)
    assert found[f"{HONEST}/"] == (State.ALIAS, COPY)
    assert found[f"{HONEST}/own"] == (State.STORED, "")


def test_a_host_that_says_the_same_at_each_address_is_left_soon(tmp_path: Path) -> None:
    """Another one says it, too: of the pages that are copies of one and the same, one leads on."""
    lost = {"fingerprint": b"lost"}
    chain = [f"{HONEST}/lost/{n}" for n in range(9)]
    web = Web({START: [f"{MIRROR}/lost", f"{HONEST}/"], f"{MIRROR}/lost": [], f"{HONEST}/": chain[:1]})
    web.answers.update({url: [after] for url, after in pairwise(chain)})
    web.said = {url: dict(lost) for url in (f"{MIRROR}/lost", *chain)}
    crawled(tmp_path, Clock(), web)
    asked = [url for url in web.asked() if "/lost/" in url]
    assert asked == chain[:2]
    assert states(tmp_path)[chain[1]] == (State.ALIAS, COPY)


READERS = ("http://r1.net/", "http://r2.net/")
CASES = [
    (web_of(*READERS), (), "two others link to it"),
    (web_of(*READERS, boosted=30), (), "however many pages of the mirror link to its copies"),
    (web_of(), (START, f"{HONEST}/"), "the operator began there"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("web", "seeds", "why"), CASES, ids=[why for *_, why in CASES])
def test_the_honest_site_takes_over(tmp_path: Path, web: Web, seeds: tuple[str, ...], why: str) -> None:
    """And the whole index follows; the next crawl changes nothing any more."""
    clock = Clock()
    if seeds:  # the mirror is there from an earlier crawl
        earlier = {url: answer for url, answer in web.answers.items() if HONEST not in url}
        crawled(tmp_path, clock, Web(earlier, said=web.said))
    crawl = crawled(tmp_path, clock, web, *seeds)
    election(crawl, tmp_path, clock.now)
    assert standing(tmp_path) == {HONEST}, why
    with closing(SearchService(tmp_path)) as search:
        hits = {hit.url: hit.copy_urls for hit in search.search("text", size=100).hits}
    assert hits[f"{HONEST}/a"] == (f"{MIRROR}/a",), why
    assert f"{MIRROR}/a" not in hits
    for _ in range(2):
        clock.now += DAY
        crawl = crawled(tmp_path, clock, web, *seeds)
        assert election(crawl, tmp_path, clock.now) == 0, "it is settled"
        assert standing(tmp_path) == {HONEST}


def test_who_was_there_weeks_before_stands(tmp_path: Path) -> None:
    """A mirror that the crawl meets later, however its pages came to stand."""
    clock = Clock()
    crawl = crawled(tmp_path, clock, web_of())
    assert standing(tmp_path) == {MIRROR}
    with crawl.store.engine.begin() as connection:
        of_honest = sa.update(urls).where(urls.c.url.startswith(HONEST))
        connection.execute(of_honest.values(found_at=urls.c.found_at - 30 * DAY))
    election(crawl, tmp_path, clock.now)
    assert standing(tmp_path) == {HONEST}


def test_what_others_submitted_is_not_where_the_operator_began(tmp_path: Path) -> None:
    clock, web = Clock(), web_of(*READERS)
    crawl = crawled(tmp_path, clock, web)
    with crawl.store.engine.begin() as connection:
        connection.execute(sa.update(urls).where(urls.c.url == f"{MIRROR}/").values(depth=0, parent_id=None))
        connection.execute(sa.insert(submissions), {"url": f"{MIRROR}/", "at": 0.0, "outcome": ""})
    election(crawl, tmp_path, clock.now)
    assert standing(tmp_path) == {HONEST}
