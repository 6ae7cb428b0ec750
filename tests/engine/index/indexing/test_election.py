"""Which URL represents a cluster of copies, once all links are known."""

from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine import generations
from engine.crawl import Crawl, Limits
from engine.database import urls
from engine.index.indexing.election import BUSY_SECONDS, LOOK_SECONDS, elect, elect_at_end
from engine.index.indexing.follow import Follower
from engine.model.page import COPY, State
from engine.robots import Directives
from engine.search.search import SearchService
from engine.store import end_run, record_heartbeat, start_run
from tests.crawling import EVERYTHING, HOST, Clock, Web, crawl_of, run, states

DAY = 86_400.0
TEXT = {"fingerprint": b"same"}


def web_of(linking: dict[str, int], **said: dict[str, object]) -> Web:
    """A start page that names all copies, and for each so many pages that link to it as well."""
    web = Web({f"{HOST}/": []})
    for path, number in linking.items():
        copy = f"{HOST}/{path}"
        web.answers[copy] = []
        web.said[copy] = {**TEXT, **said.get(path, {})}
        pages = [f"{HOST}/to/{path}/{n}" for n in range(number)]
        web.answers.update({page: [copy] for page in pages})
        web.answers[f"{HOST}/"] = [*_links(web), copy, *pages]
    return web


def _links(web: Web) -> list[str]:
    links = web.answers[f"{HOST}/"]
    assert isinstance(links, list)
    return links


def crawled(folder: Path, clock: Clock, web: Web, limits: Limits = EVERYTHING) -> Crawl:
    """A crawl to its end, as its index then is."""
    crawl = crawl_of(folder, clock, limits, own=True)
    run(crawl, web, clock)
    Follower(crawl.store, folder).catch_up()
    return crawl


def election(crawl: Crawl, folder: Path, now: float) -> int:
    """Held, and followed by the index."""
    generation = generations.current_generation(folder)
    assert generation
    over = elect(crawl.store.engine, generation, now)
    Follower(crawl.store, folder).catch_up()
    return over


def stored(folder: Path, *paths: str) -> list[str]:
    found = states(folder)
    return [path for path in paths if found[f"{HOST}/{path}"][0] == State.STORED]


NOARCHIVE: dict[str, object] = {"directives": Directives(archive=False)}
CASES = [
    (web_of({"aa": 1, "b": 3, "c": 2}), "b", 1, "most pages link to it"),
    (web_of({"longer": 2, "short": 2, "tiny": 1}), "short", 1, "as many, and it is shorter"),
    (web_of({"c": 1, "b": 1}), "b", 1, "as many, as short: by the alphabet"),
    (web_of({"a": 2, "b": 2}), "a", 0, "the first is the preferred one already"),
    (web_of({"a": 1, "b": 3, "c": 2}, b=NOARCHIVE), "c", 1, "the owner of b asks what we no longer know"),
]


@pytest.mark.requirement(55, 59)
@pytest.mark.parametrize(("web", "stands", "over", "why"), CASES)
def test_who_stands(tmp_path: Path, web: Web, stands: str, over: int, why: str) -> None:
    """One is shown, the others are its copies, whichever was read first."""
    clock, paths = Clock(), [url.removeprefix(f"{HOST}/") for url in web.said]
    crawl = crawled(tmp_path, clock, web)
    assert stored(tmp_path, *paths) == paths[:1]
    assert election(crawl, tmp_path, clock.now) == over, why
    assert stored(tmp_path, *paths) == [stands], why
    others = sorted(f"{HOST}/{path}" for path in paths if path != stands)
    assert {states(tmp_path)[url] for url in others} == {(State.ALIAS, COPY)}
    with closing(SearchService(tmp_path)) as search:
        (hit,) = [hit for hit in search.search("text", size=100).hits if hit.copies]
    assert (hit.url, list(hit.copy_urls)) == (f"{HOST}/{stands}", others)
    assert election(crawl, tmp_path, clock.now) == 0, "it is settled"


@pytest.mark.requirement(60)
def test_the_owner_s_link_decides(tmp_path: Path) -> None:
    """However few pages link to the URL that a LINK names."""
    web = web_of({"a": 5, "main": 0})
    crawl = crawled(tmp_path, Clock(), web)
    with crawl.store.engine.begin() as connection:
        named = sa.update(urls).where(urls.c.url == f"{HOST}/to/a/0")
        connection.execute(named.values(state=State.ALIAS, reason="canonical", alias_of=f"{HOST}/main"))
    assert election(crawl, tmp_path, 0.0) == 1
    assert stored(tmp_path, "a", "main") == ["main"]


MIRROR, ORIGINAL = "http://mirror.example", "http://original.example"
SITEMAP = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>%s/</loc></url></urlset>'


@pytest.mark.parametrize("seeds", [(MIRROR, ORIGINAL), (ORIGINAL, MIRROR)])
def test_between_two_owners_whose_sitemap_lists_it(tmp_path: Path, seeds: tuple[str, str]) -> None:
    """A mirror that was begun with, and read first: the one says itself where its page stands."""
    clock, pages = Clock(), [f"{host}/" for host in seeds]
    answers: dict[str, int | list[str]] = {page: [] for page in pages}
    web = Web(answers, said={page: {**TEXT} for page in pages})
    web.sitemaps = {f"{ORIGINAL}/sitemap.xml": SITEMAP % ORIGINAL}
    crawl = crawl_of(tmp_path, clock, own=True, seeds=tuple(pages))
    run(crawl, web, clock)
    Follower(crawl.store, tmp_path).catch_up()
    election(crawl, tmp_path, clock.now)
    assert states(tmp_path)[f"{ORIGINAL}/"][0] == State.STORED
    assert states(tmp_path)[f"{MIRROR}/"] == (State.ALIAS, COPY)


@pytest.mark.parametrize("first", ["en", "fr"])
def test_versions_that_link_to_each_other_change_no_places(tmp_path: Path, first: str) -> None:
    """Links to languages on a page that is translated into none: each names all others, but itself."""
    clock, paths = Clock(), [first, "fr" if first == "en" else "en", "tr"]
    web = web_of(dict.fromkeys(paths, 1))
    web.answers |= {f"{HOST}/{path}": [f"{HOST}/{to}" for to in paths if to != path] for path in paths}
    for over in (int(first != "en"), 0, 0):
        assert election(crawled(tmp_path, clock, web), tmp_path, clock.now) == over
        assert stored(tmp_path, *paths) == ["en"]
        clock.now += DAY


def test_nobody_is_elected_while_a_crawl_is_under_way(tmp_path: Path) -> None:
    clock = Clock()
    crawl = crawled(tmp_path, clock, web_of({"aa": 0, "b": 1}))
    crawl_of(tmp_path, clock, own=True)
    assert election(crawl, tmp_path, clock.now) == 0


GIVEN_UP = int(BUSY_SECONDS / LOOK_SECONDS)


@pytest.mark.requirement(273)
@pytest.mark.parametrize(
    ("idle", "elects", "looks", "stands", "why"),
    [
        ([True, True], False, 2, "b", "the other crawl ends, and leaves the election to us"),
        ([True, True], True, 2, "b", "the other machine has held it already: our index follows"),
        ([False, True], True, 2, "b", "it takes over what hosts we had, and ends then"),
        ([True] * GIVEN_UP + [False] * 3, True, GIVEN_UP + 3, "b", "it does so long after we have ended"),
        ([False, True] * GIVEN_UP, True, 2 * GIVEN_UP, "b", "so it goes on, host by host"),
        ([False] * 99, False, GIVEN_UP, "aa", "the other goes on for hours: its end brings the last word"),
    ],
)
def test_the_end_of_crawls_on_two_machines(
    tmp_path: Path, idle: list[bool], elects: bool, looks: int, stands: str, why: str
) -> None:
    """Each has an index of its own; the two end moments apart, and both indexes have what was elected.

    `idle`: what the other crawl says at each look, until it ends.
    """
    clock = Clock()
    crawl = crawled(tmp_path, clock, web_of({"aa": 0, "b": 1}))
    engine, looked = crawl.store.engine, list[float]()
    with engine.begin() as connection:
        other = start_run(connection, "crawl", clock.now)
        record_heartbeat(connection, other, clock.now, {}, idle=idle[0])

    def sleep(seconds: float) -> None:
        clock.now += seconds
        looked.append(seconds)
        has_ended = len(looked) == len(idle)
        with engine.begin() as connection:
            if has_ended:
                end_run(connection, other, clock.now, "finished")
            else:
                record_heartbeat(connection, other, clock.now, {}, idle=idle[len(looked)])
        if elects and has_ended:
            election(crawl, tmp_path, clock.now)

    two = tmp_path / "two"
    follower = Follower(crawl.store, two)
    follower.catch_up()
    elect_at_end(follower, engine, two, clock, sleep)
    assert len(looked) == looks, why
    with closing(SearchService(two)) as search:
        (hit,) = [hit for hit in search.search("text", size=100).hits if hit.copies]
    assert hit.url == f"{HOST}/{stands}", why
