"""What owners say, in a crawl on a fake clock: when and how fast, what leaves, what represents what."""

from itertools import pairwise
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.database import hosts
from engine.model.page import State
from engine.robots import Directives, Policy, RobotsResponse, interpret_response
from engine.store import save_robots
from tests.crawling import EPOCH, HOST, Clock, Web, chain, crawl_of, run, states, step

DAY = 86_400.0
SIX = EPOCH - 2 * 3_600  # 06:00 UTC


def robots(*lines: str) -> dict[str, tuple[int, bytes]]:
    return {HOST: (200, "\n".join(("User-agent: *", *lines)).encode())}


@pytest.mark.requirement(186, 187, 191)
@pytest.mark.parametrize(
    ("lines", "at", "pause", "why"),
    [
        (["Crawl-delay: 12"], EPOCH, 12, "requirement 191"),
        (["Request-rate: 1/8"], EPOCH, 8, "requirement 186: one page in 8 seconds"),
        (["Request-rate: 5/1m 0200-2259"], EPOCH, 12, "requirement 187: in its window"),
        (["Request-rate: 5/1m 0200-0700"], EPOCH, 5, "requirement 187: outside of it our own pace"),
        (["Request-rate: 1/8", "Request-rate: 1/20"], EPOCH, 20, "requirement 187: the slowest"),
        (["Request-rate: 1/8", "Crawl-delay: 30"], EPOCH, 30, "the slowest of both kinds"),
    ],
)
def test_the_owner_sets_the_pace(tmp_path: Path, lines: list[str], at: float, pause: float, why: str) -> None:
    web, clock = Web(chain("/", "/b", "/c"), robots=robots(*lines)), Clock(at)
    run(crawl_of(tmp_path, clock), web, clock)
    gaps = [b - a for (a, _), (b, _) in pairwise(web.log)]
    assert min(gaps) == pytest.approx(pause, abs=0.2), why
    assert len(web.asked()) == 3


@pytest.mark.requirement(188)
@pytest.mark.parametrize(
    ("hours", "at", "first", "why"),
    [
        ("0600-0845", SIX - 60, SIX, "requirement 188: 05:59 waits until 06:00"),
        ("0600-0845", SIX, SIX, "requirement 188: 06:00 is sent"),
        ("0600-0845", SIX + 2.75 * 3600, SIX + 2.75 * 3600, "08:45 is sent"),
        ("0600-0845", SIX + 2.75 * 3600 + 60, SIX + DAY, "requirement 188: 08:46 waits for tomorrow"),
        ("2200-0100", SIX, SIX + 16 * 3600, "over midnight"),
        ("2200-0100", SIX + 18.5 * 3600, SIX + 18.5 * 3600, "over midnight, after it"),
    ],
)
def test_visiting_hours(tmp_path: Path, hours: str, at: float, first: float, why: str) -> None:
    web, clock = Web(chain("/", "/b"), robots=robots(f"Visit-time: {hours}")), Clock(at)
    run(crawl_of(tmp_path, clock), web, clock)
    times = [time for time, url in web.log if not url.endswith("robots.txt")]
    assert times[0] == pytest.approx(first, abs=6), why
    assert len(web.asked()) == 2


@pytest.mark.requirement(189)
def test_an_operator_may_ignore_the_timing_on_his_own_host(tmp_path: Path) -> None:
    """Off means ignored; Disallow still holds."""
    lines = ("Visit-time: 2200-2300", "Request-rate: 1/30", "Disallow: /b")
    web, clock = Web(chain("/", "/b"), robots=robots(*lines)), Clock()
    run(crawl_of(tmp_path, clock, own=True), web, clock)
    assert web.asked() == [f"{HOST}/"]
    assert clock.now < EPOCH + 10


@pytest.mark.parametrize("line", ["Crawl-delay: 301", "Request-rate: 1/10m"])
def test_too_long_a_delay_parks_the_host_and_says_so(
    tmp_path: Path, line: str, caplog: pytest.LogCaptureFixture
) -> None:
    """C37."""
    others = {f"http://o.example/{n}": [f"http://o.example/{n + 1}"] for n in range(3)}
    web, clock = Web({**chain("/", "/b"), **others}, robots=robots(line)), Clock()
    run(crawl_of(tmp_path, clock, seeds=(f"{HOST}/", "http://o.example/0")), web, clock)
    assert len([url for url in web.asked() if url.startswith("http://o")]) == 4
    assert f"{HOST}/" not in web.asked()
    assert states(tmp_path)[f"{HOST}/"][0] == State.QUEUED
    assert f"{HOST} is suspended: its robots.txt asks for" in caplog.text


def outage(folder: Path, policy: Policy, days: float, before: tuple[int, bytes]) -> list[str]:
    """What is asked of a host whose robots.txt has not been had for so many days."""
    web, clock = Web(chain("/", "/b"), robots={HOST: before}), Clock()
    crawl = crawl_of(folder, clock, policy=policy)
    while not web.asked():
        step(crawl, web, clock)
    crawl.close("shutdown")
    web.robots = {HOST: (503, b"")}
    for passed in (1.1, days):
        clock.now = EPOCH + passed * DAY
        crawl = crawl_of(folder, clock, policy=policy)
        web.log.clear()
        run(crawl, web, clock)
    return web.asked()


OPEN, SHUT = (200, b"User-agent: *\nDisallow: /z"), (200, b"User-agent: *\nDisallow: /b")


@pytest.mark.requirement(114)
@pytest.mark.parametrize(
    ("policy", "days", "before", "asked", "why"),
    [
        (Policy(), 32, OPEN, [], "requirement 114, C3: stays closed"),
        (Policy(outage_after="cached"), 32, SHUT, ["/"], "requirement 114: the last good copy forbids /b"),
        (Policy(outage_after="cached"), 32, OPEN, ["/b", "/"], "requirement 114: ... or allows it"),
        (Policy(outage_after="cached"), 29, OPEN, [], "not yet"),
        (Policy(outage_after="allow"), 32, SHUT, ["/b", "/"], "RFC 9309, 2.3.1.4: as if there were none"),
        (Policy(outage_after="cached", outage_days=0), 1.2, SHUT, ["/"], "C3: at once, and / anew"),
        (Policy(outage_after="cached"), 32, (404, b""), [], "there is no good copy"),
    ],
)
def test_thirty_days_of_outage(
    tmp_path: Path, policy: Policy, days: float, before: tuple[int, bytes], asked: list[str], why: str
) -> None:
    assert outage(tmp_path, policy, days, before) == [HOST + path for path in asked], why


@pytest.mark.requirement(123)
def test_a_restart_during_an_outage_loses_nothing(tmp_path: Path) -> None:
    """What is only deferred is neither asked nor taken for forbidden."""
    web, clock = Web(chain("/", "/b"), robots=robots()), Clock()
    run(crawl_of(tmp_path, clock), web, clock)
    web.robots, clock.now = {HOST: (503, b"")}, clock.now + 2 * DAY
    for _ in range(3):  # each within the pause that the last one ended in
        web.log.clear()
        run(crawl_of(tmp_path, clock), web, clock)
        assert not web.asked()
    assert {state for url, (state, _) in states(tmp_path).items() if url in web.answers} == {State.QUEUED}
    assert crawl_of(tmp_path, clock).store.census().pages == 2


@pytest.mark.requirement(122)
def test_an_outage_ends_with_a_304(tmp_path: Path) -> None:
    """The copy that was kept is good again."""
    web, clock = Web(chain("/", "/b"), {f"{HOST}/robots.txt": [("etag", '"1"')]}, {HOST: SHUT}), Clock()
    crawl = crawl_of(tmp_path, clock)
    for status, passed in ((200, 0.0), (503, 2 * DAY), (304, 4 * DAY)):
        web.robots, clock.now = {HOST: (status, SHUT[1] if status == 200 else b"")}, EPOCH + passed
        run(crawl, web, clock)
        crawl = crawl_of(tmp_path, clock)
    rules = crawl.frontier.host_queues.robots(HOST)
    assert rules
    assert not rules.allowed("Lycosa", f"{HOST}/b")
    assert rules.allowed("Lycosa", f"{HOST}/c")


@pytest.mark.requirement(121)
def test_new_rules_take_what_they_forbid_out_at_once(tmp_path: Path) -> None:
    """Also what this crawl has not come to yet."""
    web, clock = Web(chain("/", "/a/1", "/a/2", "/b"), robots=robots()), Clock()
    run(crawl_of(tmp_path, clock), web, clock)
    web.robots = robots("Disallow: /a/")
    clock.now += 2 * DAY
    crawl = crawl_of(tmp_path, clock)
    after = crawl.store.last_change()
    while not web.log[-1][1].endswith("/robots.txt"):
        step(crawl, web, clock)
    left = {change.url for change in crawl.store.changes(after, 99) if change.page is None}
    assert left == {f"{HOST}/a/1", f"{HOST}/a/2"}
    run(crawl, web, clock)
    assert states(tmp_path)[f"{HOST}/a/1"] == (State.DISALLOWED, "robots.txt")
    assert states(tmp_path)[f"{HOST}/b"][0] == State.STORED


def test_search_no_is_as_noindex(tmp_path: Path) -> None:
    """Content-Signal: links are followed, nothing is kept; what was there leaves."""
    web, clock = Web(chain("/", "/b"), robots=robots("Content-Signal: search=no, ai-train=no")), Clock()
    run(crawl_of(tmp_path, clock), web, clock)
    assert {state for url, (state, _) in states(tmp_path).items() if url in web.answers} == {State.NOINDEX}
    web.robots, clock.now = robots(), clock.now + 2 * DAY
    run(crawl_of(tmp_path, clock), web, clock)
    assert states(tmp_path)[f"{HOST}/b"][0] == State.STORED
    web.robots, clock.now = robots("Content-Signal: search=no"), clock.now + 2 * DAY
    crawl = crawl_of(tmp_path, clock)
    run(crawl, web, clock)
    assert crawl.store.census().pages == 0


def test_a_page_leaves_when_its_owner_said(tmp_path: Path) -> None:
    """unavailable_after: at the next crawl after the date, whether it is visited or not."""
    said = {
        f"{HOST}/b": {"directives": Directives(unavailable_after=EPOCH + DAY), "revisit_seconds": 90 * DAY}
    }
    web, clock = Web(chain("/", "/b"), said=said), Clock()
    run(crawl_of(tmp_path, clock), web, clock)
    assert states(tmp_path)[f"{HOST}/b"][0] == State.STORED
    clock.now += 2 * DAY
    crawl = crawl_of(tmp_path, clock)
    assert states(tmp_path)[f"{HOST}/b"] == (State.NOINDEX, "unavailable_after")
    assert crawl.store.changes(0, 99)[-1].page is None


@pytest.mark.requirement(224)
@pytest.mark.parametrize(("days", "again"), [(9.0, False), (10.0, True)])
def test_revisit_after(tmp_path: Path, days: float, again: bool) -> None:
    """Ten days are ten days, for a 304 as well."""
    said: dict[str, dict[str, object]] = {f"{HOST}/b": {"revisit_seconds": 10 * DAY}}
    web, clock = Web(chain("/", "/b"), {f"{HOST}/b": [("etag", "1")]}, said=said), Clock()
    run(crawl_of(tmp_path, clock), web, clock)
    web.answers[f"{HOST}/b"] = 304
    for _ in range(1 + again):
        clock.now, web.log = clock.now + days * DAY, []
        run(crawl_of(tmp_path, clock), web, clock)
        assert (f"{HOST}/b" in web.asked()) is again


@pytest.mark.requirement(60, 226)
@pytest.mark.parametrize(
    ("said", "answers", "expected", "why"),
    [
        ({"/b": "/c"}, {}, {"/b": State.ALIAS, "/c": State.STORED}, "requirements 60, 226: the main copy"),
        ({"/b": "/gone"}, {}, {"/b": State.ALIAS}, "not known yet: believed once"),
        ({"/b": "/c", "/c": "/b"}, {}, {"/b": State.ALIAS, "/c": State.STORED}, "two that prefer each other"),
        ({"/b": "/secret"}, {}, {"/b": State.STORED}, "one that may not be fetched represents nothing"),
        ({"/b": "http://o.example/"}, {}, {"/b": State.STORED}, "nor does one out of scope"),
    ],
)
def test_canonical(
    tmp_path: Path, said: dict[str, str], answers: dict[str, int], expected: dict[str, State], why: str
) -> None:
    fields: dict[str, dict[str, object]] = {
        HOST + path: {"canonical": target if "://" in target else HOST + target}
        for path, target in said.items()
    }
    web, clock = Web(chain("/", "/b", "/c"), robots=robots("Disallow: /secret"), said=fields), Clock()
    web.answers[f"{HOST}/"] = [f"{HOST}/b", f"{HOST}/c"]
    run(crawl_of(tmp_path, clock, own=True), web, clock)  # so fast that one waits for its commit
    found = states(tmp_path)
    assert {path: found[HOST + path][0] for path in expected} == expected, why


def test_a_canonical_url_that_is_not_there_is_not_believed_twice(tmp_path: Path) -> None:
    web, clock = Web(chain("/", "/b"), said={f"{HOST}/b": {"canonical": f"{HOST}/gone"}}), Clock()
    run(crawl_of(tmp_path, clock), web, clock)
    assert states(tmp_path)[f"{HOST}/b"] == (State.ALIAS, "canonical")
    clock.now += DAY
    run(crawl_of(tmp_path, clock), web, clock)
    assert states(tmp_path)[f"{HOST}/b"][0] == State.STORED


@pytest.mark.requirement(82, 228)
def test_meta_refresh_is_a_redirect(tmp_path: Path) -> None:
    """The target is indexed, the page is its alias (C39)."""
    web, clock = Web(chain("/", "/b"), said={f"{HOST}/b": {"moved_to": f"{HOST}/new"}}), Clock()
    web.answers[f"{HOST}/new"] = []
    run(crawl_of(tmp_path, clock), web, clock)
    assert states(tmp_path)[f"{HOST}/b"] == (State.ALIAS, "redirect")
    assert states(tmp_path)[f"{HOST}/new"][0] == State.STORED


@pytest.mark.requirement(89, 90, 91, 93)
def test_hosts_are_kept_apart(tmp_path: Path) -> None:
    """Scheme, name and port, whatever the address; each is asked once."""
    names = [HOST, f"{HOST}:8080", "https://h.example", "http://a.h.example", "http://www.h.example"]
    shut: dict[str, tuple[int, bytes]] = {names[1]: (200, b"User-agent: *\nDisallow: /x")}
    answers: dict[str, int | list[str]] = {f"{name}/": [f"{name}/x"] for name in names}
    web, clock = Web({**answers, **{f"{name}/x": [] for name in names}}, robots=shut), Clock()
    run(crawl_of(tmp_path, clock, seeds=tuple(answers)), web, clock)
    asked = [url for _, url in web.log if url.endswith("/robots.txt")]
    assert sorted(asked) == sorted(f"{name}/robots.txt" for name in names)
    assert f"{names[1]}/x" not in web.asked()
    assert {f"{name}/x" for name in names if name != names[1]} <= set(web.asked())


@pytest.mark.requirement(92)
def test_the_default_port_is_the_same_host(tmp_path: Path) -> None:
    """One fetch."""
    web, clock = Web({f"{HOST}/": [], f"{HOST}/b": []}), Clock()
    run(crawl_of(tmp_path, clock, seeds=(f"{HOST}:80/", f"{HOST}/b")), web, clock)
    assert [url for _, url in web.log].count(f"{HOST}/robots.txt") == 1
    assert len(web.asked()) == 2


@pytest.mark.requirement(94, 95)
def test_robots_txt_is_one_file_at_the_root(tmp_path: Path) -> None:
    """Nothing is looked for in folders, nor in capitals."""
    web, clock = Web(chain("/", "/a/", "/a/b/c", "/~u/x")), Clock()
    run(crawl_of(tmp_path, clock), web, clock)
    assert {url for _, url in web.log if "robots" in url.lower()} == {f"{HOST}/robots.txt"}


def test_a_refreshed_robots_txt_is_taken_up_by_a_running_crawl(tmp_path: Path) -> None:
    web, clock = Web(chain("/", "/b", "/c")), Clock()
    crawl = crawl_of(tmp_path, clock)
    while not web.asked():
        step(crawl, web, clock)
    answer = RobotsResponse(200, {}, b"User-agent: *\nDisallow: /b")
    with crawl.store.engine.begin() as connection:
        save_robots(connection, HOST, interpret_response(answer, clock.now), refreshed=True)
    run(crawl, web, clock)
    assert web.asked() == [f"{HOST}/"]
    with crawl.store.engine.connect() as connection:
        assert not connection.execute(sa.select(hosts.c.refreshed)).scalar()
