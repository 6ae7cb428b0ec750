"""One crawl on a fake clock: order, pace, robots.txt, failures, restarts."""

from itertools import pairwise
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.crawl import Limits
from engine.database import open_database, urls
from engine.model.page import State
from engine.store.runs import load_last_run
from tests.crawling import EPOCH, HOST, Clock, Web, answer, chain, crawl_of, run, states, step


@pytest.mark.requirement(1, 11, 16, 20, 21, 88, 101, 103)
def test_a_cycle_is_walked_once(tmp_path: Path) -> None:
    """Robots.txt first."""
    web, clock = Web(chain("/", "/b", "/c")), Clock()
    run(crawl_of(tmp_path, clock), web, clock)
    first = [f"{HOST}/robots.txt", f"{HOST}/sitemap.xml"]
    assert [url for _, url in web.log] == [*first, f"{HOST}/", f"{HOST}/b", f"{HOST}/c"]
    engine = open_database(tmp_path)
    with engine.connect() as connection:
        last = connection.execute(sa.select(urls).where(urls.c.url == f"{HOST}/c")).one()
        parent = connection.execute(sa.select(urls).where(urls.c.id == last.parent_id)).one()
    engine.dispose()
    assert (last.depth, parent.url) == (2, f"{HOST}/b")


def test_a_page_that_is_read_for_long_holds_nothing_up(tmp_path: Path) -> None:
    """What others lead to is fetched meanwhile: a scanned document waits for minutes."""
    web = Web({f"{HOST}/": [f"{HOST}/scan", f"{HOST}/a"], f"{HOST}/a": [f"{HOST}/b"], f"{HOST}/b": []})
    clock = Clock()
    crawl = crawl_of(tmp_path, clock, own=True)
    while (claim := crawl.claim()) is None or claim.url != f"{HOST}/scan":
        if claim is None:
            clock.now += crawl.seconds_to_next() or 0.0
        else:
            answer(crawl, web, clock, claim)
    crawl.record_response(web.fetch(claim, clock)[0])
    for _ in range(9):
        step(crawl, web, clock)
    assert web.asked()[-2:] == [f"{HOST}/a", f"{HOST}/b"]
    assert not crawl.is_finished()


@pytest.mark.requirement(15)
def test_breadth_first_and_fair_between_hosts(tmp_path: Path) -> None:
    """A deep host keeps nobody waiting."""
    deep = {f"http://deep.example/{n}": [f"http://deep.example/{n + 1}"] for n in range(50)}
    wide = {f"http://w{n}.example/": [f"http://w{n}.example/a"] for n in range(5)}
    web, clock = Web({**deep, **wide, **{f"{url}a": [] for url in wide}}), Clock()
    crawl = crawl_of(tmp_path, clock, seeds=("http://deep.example/0", *wide))
    while len(web.asked()) < 24:
        step(crawl, web, clock)
    assert sum(url.startswith("http://w") for url in web.asked()) == 10


@pytest.mark.parametrize(
    ("profile", "pause", "why"), [("polite", 5.0, "C33"), ("brisk", 1.0, "C33"), ("strict", 15.0, "C33")]
)
def test_start_to_start_intervals(tmp_path: Path, profile: str, pause: float, why: str) -> None:
    web, clock = Web(chain("/", "/b", "/c", "/d")), Clock()
    run(crawl_of(tmp_path, clock, profile=profile), web, clock)
    starts = [time for time, _ in web.log]
    assert min(b - a for a, b in pairwise(starts)) >= pause, why


@pytest.mark.requirement(191)
def test_crawl_delay_is_kept_to(tmp_path: Path) -> None:
    robots = {HOST: (200, b"User-agent: *\nCrawl-delay: 12")}
    web, clock = Web(chain("/", "/b", "/c"), robots=robots), Clock()
    run(crawl_of(tmp_path, clock), web, clock)
    starts = [time for time, _ in web.log]
    assert min(b - a for a, b in pairwise(starts)) >= 12


@pytest.mark.requirement(104, 105, 106, 107, 108, 109, 112)
@pytest.mark.parametrize(
    ("status", "body", "asked", "state", "why"),
    [
        (404, b"User-agent: *\nDisallow: /", 3, State.STORED, "requirement 105: no file, no rules"),
        (200, b"", 3, State.STORED, "requirement 112: an empty file allows everything"),
        (410, b"", 3, State.STORED, "requirement 106"),
        (403, b"", 0, State.DISALLOWED, "requirement 107, C1"),
        (401, b"", 0, State.DISALLOWED, "requirement 107, C1"),
        (503, b"", 0, State.QUEUED, "requirement 108: postponed, kept"),
        (500, b"", 0, State.QUEUED, "requirement 109"),
        (429, b"", 0, State.QUEUED, "C2"),
        (0, b"", 0, State.QUEUED, "requirement 109: the connection drops"),
        (200, b"User-agent: Lycosa\nDisallow: /b", 1, State.STORED, "requirement 104"),
        (200, b"User-agent: *\nCrawl-delay: 301", 0, State.QUEUED, "C37: too long a delay"),
    ],
)
def test_robots_matrix(tmp_path: Path, status: int, body: bytes, asked: int, state: State, why: str) -> None:
    web, clock = Web(chain("/", "/b", "/c"), robots={HOST: (status, body)}), Clock()
    run(crawl_of(tmp_path, clock), web, clock)
    assert len(web.asked()) == asked, why
    assert states(tmp_path)[f"{HOST}/"][0] == state, why


@pytest.mark.requirement(108)
def test_a_host_without_robots_txt_comes_back_by_itself(tmp_path: Path) -> None:
    """While others keep the crawl going, it is asked again with growing pauses."""
    others = {f"http://o.example/{n}": [f"http://o.example/{n + 1}"] for n in range(20)}
    robots = {HOST: (503, b"")}
    web, clock = Web({**chain("/", "/b"), **others}, robots=robots), Clock()
    crawl = crawl_of(tmp_path, clock, seeds=(f"{HOST}/", "http://o.example/0"))
    while len(web.asked()) < 8:
        step(crawl, web, clock)
    assert not [url for url in web.asked() if url.startswith(HOST)]
    robots[HOST] = (200, b"")
    run(crawl, web, clock)
    assert f"{HOST}/b" in web.asked()
    tries = [time for time, url in web.log if url == f"{HOST}/robots.txt"]
    pauses = [b - a for a, b in pairwise(tries)]
    assert pauses == sorted(pauses)


@pytest.mark.requirement(115, 116, 123)
def test_robots_txt_is_asked_once_and_over_a_restart_not_again(tmp_path: Path) -> None:
    web, clock = Web(chain("/", "/b", "/c", "/d")), Clock()
    crawl = crawl_of(tmp_path, clock)
    for _ in range(5):
        step(crawl, web, clock)
    crawl.commit()
    run(crawl_of(tmp_path, clock), web, clock)
    assert sum(url.endswith("/robots.txt") for _, url in web.log) == 1
    assert len(web.asked()) == len(set(web.asked()))


@pytest.mark.requirement(121)
def test_rules_that_arrive_later_hold_for_queued_urls(tmp_path: Path) -> None:
    """Looked up when a URL is sent."""
    robots = {HOST: (200, b"")}
    web, clock = Web({f"{HOST}/": [f"{HOST}/a", f"{HOST}/b"]}, robots=robots), Clock()
    crawl = crawl_of(tmp_path, clock)
    while not web.asked():
        step(crawl, web, clock)
    crawl.commit()
    robots[HOST] = (200, b"User-agent: *\nDisallow: /")
    clock.now += 86_401
    run(crawl, web, clock)
    assert web.asked() == [f"{HOST}/"]
    assert states(tmp_path)[f"{HOST}/a"] == (State.DISALLOWED, "robots.txt")


@pytest.mark.requirement(79, 80)
def test_redirects_are_aliases_and_pass_the_gates(tmp_path: Path) -> None:
    robots = {HOST: (200, b"User-agent: *\nDisallow: /secret")}
    headers = {
        f"{HOST}/a": [("location", "/page")],
        f"{HOST}/b": [("location", "/secret")],
        f"{HOST}/loop": [("location", "/loop?1")],
        **{f"{HOST}/loop?{n}": [("location", f"/loop?{n + 1}")] for n in range(1, 20)},
        f"{HOST}/out": [("location", "http://elsewhere.example/")],
    }
    moved: dict[str, int | list[str]] = dict.fromkeys(headers, 301)
    links = [f"{HOST}/{name}" for name in ("a", "b", "loop", "out")]
    web = Web({f"{HOST}/": links, f"{HOST}/page": [], **moved}, headers, robots)
    clock = Clock()
    run(crawl_of(tmp_path, clock), web, clock)
    found = states(tmp_path)
    assert found[f"{HOST}/a"] == (State.ALIAS, "redirect")
    assert found[f"{HOST}/page"][0] == State.STORED
    assert f"{HOST}/secret" not in web.asked()
    assert found[f"{HOST}/loop?5"] == (State.FAILED, "redirect loop")
    assert found[f"{HOST}/out"] == (State.SKIPPED, "redirect out of scope")


def test_a_seed_that_moved_takes_its_site_along(tmp_path: Path) -> None:
    new = "http://www.h.example"
    web = Web(
        {f"{HOST}/": 301, f"{new}/": [f"{new}/a"], f"{new}/a": []}, {f"{HOST}/": [("location", f"{new}/")]}
    )
    clock = Clock()
    run(crawl_of(tmp_path, clock), web, clock)
    run(crawl_of(tmp_path, clock), web, clock)
    moved = [f"{new}/", f"{new}/a"]
    assert web.asked() == [f"{HOST}/", *moved, *moved], "for good: the seed is not asked again the same day"


def test_a_page_that_fails_is_tried_three_times(tmp_path: Path) -> None:
    web, clock = (
        Web({f"{HOST}/": [f"{HOST}/bad", f"{HOST}/good"], f"{HOST}/bad": 500, f"{HOST}/good": []}),
        Clock(),
    )
    run(crawl_of(tmp_path, clock), web, clock)
    assert web.asked().count(f"{HOST}/bad") == 3
    assert states(tmp_path)[f"{HOST}/bad"] == (State.FAILED, "http 500")
    assert states(tmp_path)[f"{HOST}/good"][0] == State.STORED


@pytest.mark.requirement(276, 312)
def test_a_host_that_went_down_is_suspended_and_the_crawl_ends(tmp_path: Path) -> None:
    down = {f"{HOST}/{n}": 0 for n in range(30)}
    web, clock = Web({f"{HOST}/": list(down), **down}), Clock()
    run(crawl_of(tmp_path, clock), web, clock)
    starts = [time for time, url in web.log if url in down]
    assert len(starts) == 5
    gaps = [b - a for a, b in pairwise(starts)]
    assert gaps == sorted(gaps)
    assert sum(state == State.QUEUED for state, _ in states(tmp_path).values()) == 30


def test_retry_after_is_honoured(tmp_path: Path) -> None:
    """RFC 9110, 10.2.3: the host names its own rest."""
    web, clock = Web({f"{HOST}/": 503}, {f"{HOST}/": [("retry-after", "100")]}), Clock()
    crawl = crawl_of(tmp_path, clock)
    while not web.asked():
        step(crawl, web, clock)
    asked_at = clock.now
    web.answers[f"{HOST}/"] = []
    run(crawl, web, clock)
    assert web.asked() == [f"{HOST}/"] * 2
    assert web.log[-1][0] >= asked_at + 100


@pytest.mark.parametrize("own", [True, False])
def test_no_crawl_stays_for_a_host_that_asks_for_a_long_rest(tmp_path: Path, own: bool) -> None:
    """A Retry-After of a day would keep the command for a day; its URLs stay queued for the next crawl."""
    web, clock = Web({f"{HOST}/": 503}, {f"{HOST}/": [("retry-after", "86400")]}), Clock()
    run(crawl_of(tmp_path, clock, own=own), web, clock)
    assert clock.now < EPOCH + 60
    web.answers[f"{HOST}/"] = []
    clock.now = EPOCH + 86_500
    run(crawl_of(tmp_path, clock, own=own), web, clock)
    assert states(tmp_path)[f"{HOST}/"][0] == "stored"


@pytest.mark.parametrize(
    ("headers", "pause", "why"),
    [([("retry-after", "100")], 100, "the host names its own rest"), ([], 2, "a failing host rests")],
)
def test_an_own_host_that_asks_for_a_rest_gets_it(
    tmp_path: Path, headers: list[tuple[str, str]], pause: float, why: str
) -> None:
    """Eight at a time, but not while it says no."""
    web, clock = Web({f"{HOST}/": [f"{HOST}/a", f"{HOST}/b"], f"{HOST}/a": 503}), Clock()
    web.headers[f"{HOST}/a"] = headers
    web.answers[f"{HOST}/b"] = []
    crawl = crawl_of(tmp_path, clock, own=True)
    while f"{HOST}/a" not in web.asked():
        step(crawl, web, clock)
    run(crawl, web, clock)
    times = {url: time for time, url in reversed(web.log)}
    assert times[f"{HOST}/b"] - times[f"{HOST}/a"] >= pause, why


@pytest.mark.requirement(274)
def test_page_and_depth_limits(tmp_path: Path) -> None:
    web, clock = Web(chain(*(f"/{n}" for n in range(20)))), Clock()
    run(crawl_of(tmp_path, clock, Limits(pages=3), seeds=(f"{HOST}/0",)), web, clock)
    assert len(web.asked()) == 3
    run(crawl_of(tmp_path, clock, Limits(pages=4), seeds=(f"{HOST}/0",)), web, clock)
    assert len(web.asked()) == len(set(web.asked())) == 7
    other = tmp_path / "other"
    run(crawl_of(other, clock, Limits(depth=2), seeds=(f"{HOST}/0",)), web, clock)
    assert [url for url, (state, _) in states(other).items() if state == State.STORED] == [
        f"{HOST}/{n}" for n in range(3)
    ]


@pytest.mark.requirement(6, 73, 74)
def test_a_finished_crawl_is_visited_again_and_changes_are_found(tmp_path: Path) -> None:
    web, clock = Web(chain("/", "/b")), Clock()
    web.headers[f"{HOST}/b"] = [("etag", '"1"')]
    run(crawl_of(tmp_path, clock), web, clock)
    web.answers[f"{HOST}/b"] = 304
    web.answers[f"{HOST}/"] = [f"{HOST}/b", f"{HOST}/new"]
    web.answers[f"{HOST}/new"] = []
    clock.now += 3600
    crawl = crawl_of(tmp_path, clock)
    run(crawl, web, clock)
    assert states(tmp_path)[f"{HOST}/new"][0] == State.STORED
    assert states(tmp_path)[f"{HOST}/b"][0] == State.STORED
    assert crawl.counters.counts["unchanged"] == 1
    assert len(crawl.store.changes(0, 100)) == 3


def test_a_stopped_run_goes_on_with_its_counts(tmp_path: Path) -> None:
    web, clock = Web(chain(*(f"/{n}" for n in range(9)))), Clock()
    crawl = crawl_of(tmp_path, clock, seeds=(f"{HOST}/0",))
    while len(web.asked()) < 4:
        step(crawl, web, clock)
    crawl.close("shutdown")
    again = crawl_of(tmp_path, clock, seeds=(f"{HOST}/0",))
    run(again, web, clock)
    assert len(web.asked()) == len(set(web.asked())) == 9
    with again.store.engine.connect() as connection:
        row = load_last_run(connection, "crawl")
    assert row
    assert (row.counters["stored"], row.id, row.reason) == (9, 1, "finished")
