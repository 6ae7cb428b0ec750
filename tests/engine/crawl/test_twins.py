"""Two hosts with the same pages become one."""

from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from engine.database import copies, urls
from engine.explain import explain_url
from engine.model.page import State
from engine.store.revisit import DAY
from engine.store.twins import TWIN
from tests.crawling import Clock, Web, states
from tests.simulation.mirrors import PATHS, PLAIN, SAFE, SAFE_WWW, WWW, crawl, in_index, mirror, moved, stored


def crossed(web: Web) -> None:
    moved(web, SAFE, PLAIN, 302, PATHS[4:6])
    moved(web, PLAIN, SAFE, 302, PATHS[6:])


@pytest.mark.requirement(32, 266)
@pytest.mark.parametrize(
    ("hosts", "stands", "why"),
    [
        ((PLAIN, SAFE), SAFE, "https before http"),
        ((SAFE, PLAIN), SAFE, "https before http, in any order"),
        ((PLAIN, WWW), PLAIN, "the one that was there first, and so represents the copies"),
        ((WWW, PLAIN), WWW, "the one that was there first"),
        ((SAFE_WWW, PLAIN), SAFE_WWW, "both www and https"),
        ((PLAIN, SAFE, WWW, SAFE_WWW), "https", "four names of one site"),
    ],
)
def test_twins_become_one(tmp_path: Path, hosts: tuple[str, ...], stands: str, why: str) -> None:
    """Each page is found once, under the host that stands."""
    web = Web({})
    mirror(web, *hosts)
    made = crawl(tmp_path, web, None, *(f"{host}/" for host in hosts))
    kept = stored(tmp_path)
    assert len(kept) == len(PATHS), why
    assert all(url.startswith(stands) for url in kept), why
    assert in_index(made) == kept
    aliases = [found for url, found in states(tmp_path).items() if url not in kept and "xml" not in url]
    assert {(state, reason) for state, reason in aliases} <= {(State.ALIAS, TWIN), (State.ALIAS, "duplicate")}
    assert made.frontier.waiting == 0
    with made.store.engine.connect() as connection:
        reasons = sa.select(urls.c.reason).join(copies, copies.c.url_id == urls.c.id)
        assert set(connection.execute(reasons).scalars()) <= {"duplicate"}, "of a twin nothing is kept"


@pytest.mark.requirement(266)
@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda web: mirror(web, SAFE, paths=PATHS[:3], text="other"), "paths with different texts"),
        (lambda web: mirror(web, SAFE, paths=PATHS[:1], text="other"), "one path is enough"),
        (lambda web: web.answers.update({f"{SAFE}/1": 410}), "a page on one of them only"),
        (
            lambda web: web.robots.update({SAFE: (200, b"User-agent: *\nDisallow: /6")}),
            "owners that treat two hosts differently mean two",
        ),
        (crossed, "each sends visitors to the other"),
    ],
)
def test_hosts_that_are_two_stay_two(tmp_path: Path, change: Any, why: str) -> None:
    """Three pages agree and something speaks against it."""
    web = Web({}, robots={})
    mirror(web, PLAIN, SAFE)
    change(web)
    crawl(tmp_path, web, None, f"{PLAIN}/", f"{SAFE}/")
    assert TWIN not in {reason for _, reason in states(tmp_path).values()}, why


@pytest.mark.requirement(35)
@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("http://a.example", "http://b.example", "two names"),
        ("http://h.example:8080", "http://www.h.example:8080", "a port of their own"),
        ("http://sub.h.example", "http://h.example", "another part of the name"),
    ],
)
def test_names_that_are_no_twins(tmp_path: Path, one: str, other: str, why: str) -> None:
    """Each copy is found out by its text, for ever."""
    web = Web({})
    mirror(web, one, other)
    crawl(tmp_path, web, None, f"{one}/", f"{other}/")
    assert len(stored(tmp_path)) == len(PATHS), why
    assert TWIN not in {reason for _, reason in states(tmp_path).values()}, why


@pytest.mark.requirement(79)
@pytest.mark.parametrize("code", [301, 308])
def test_three_redirects_for_good_save_the_others(tmp_path: Path, code: int) -> None:
    """A link to the old name costs no request any more."""
    paths = [f"/{n}" for n in range(40)]
    web = Web({f"{SAFE}/": [PLAIN + path for path in paths]})
    mirror(web, SAFE, paths=paths)
    moved(web, PLAIN, SAFE, code, paths)
    made = crawl(tmp_path, web, None, f"{SAFE}/")
    asked = [url for url in web.asked() if url.startswith(PLAIN)]
    assert 3 <= len(asked) < 20
    assert in_index(made) == {f"{SAFE}/", *(SAFE + path for path in paths)}


@pytest.mark.requirement(79)
@pytest.mark.parametrize("code", [302, 303, 307])
def test_redirects_for_now_are_followed_each_time(tmp_path: Path, code: int) -> None:
    web = Web({f"{SAFE}/": [PLAIN + path for path in PATHS]})
    mirror(web, SAFE, paths=PATHS[1:])
    moved(web, PLAIN, SAFE, code)
    crawl(tmp_path, web, None, f"{SAFE}/")
    assert {PLAIN + path for path in PATHS} <= set(web.asked())


@pytest.mark.requirement(32, 267)
def test_the_next_run_knows(tmp_path: Path) -> None:
    """Not even its robots.txt is asked for."""
    web, clock = Web({}), Clock()
    mirror(web, PLAIN, SAFE)
    crawl(tmp_path, web, clock, f"{PLAIN}/", f"{SAFE}/")
    clock.now += 2 * DAY
    web.log.clear()
    made = crawl(tmp_path, web, clock, f"{PLAIN}/", f"{SAFE}/")
    assert {url for _, url in web.log if url.startswith(f"{PLAIN}/")} == set()
    assert set(web.asked()) == in_index(made) == {SAFE + path for path in PATHS}


@pytest.mark.requirement(266)
def test_a_twin_that_sends_us_back_is_none(tmp_path: Path) -> None:
    """Part of the site is served under the other name only."""
    web, clock = Web({}), Clock()
    mirror(web, PLAIN, SAFE)
    crawl(tmp_path, web, clock, f"{PLAIN}/", f"{SAFE}/")
    moved(web, SAFE, PLAIN, 302, PATHS[1:3])
    for _ in range(3):
        clock.now += DAY
        made = crawl(tmp_path, web, clock, f"{PLAIN}/", f"{SAFE}/")
        assert {url[url.index("/", 8) :] for url in in_index(made)} == set(PATHS)
    assert {PLAIN + path for path in PATHS[1:3]} <= in_index(made)


def test_a_site_that_turns_round(tmp_path: Path) -> None:
    """All of the host that stands is redirected to the one that was given up."""
    web, clock = Web({}), Clock()
    mirror(web, PLAIN, SAFE)
    crawl(tmp_path, web, clock, f"{PLAIN}/", f"{SAFE}/")
    moved(web, SAFE, PLAIN)
    for _ in range(2):
        clock.now += DAY
        made = crawl(tmp_path, web, clock, f"{PLAIN}/", f"{SAFE}/")
    assert in_index(made) == {PLAIN + path for path in PATHS}


@pytest.mark.requirement(80)
def test_each_host_keeps_its_own_rules(tmp_path: Path) -> None:
    """What the host that stands shuts later is shut, and nothing else."""
    robots: dict[str, tuple[int, bytes]] = {}
    web, clock = Web({}, robots=robots), Clock()
    mirror(web, PLAIN, SAFE)
    crawl(tmp_path, web, clock, f"{PLAIN}/", f"{SAFE}/")
    robots[SAFE] = (200, b"User-agent: *\nDisallow: /3")
    clock.now += 2 * DAY
    made = crawl(tmp_path, web, clock, f"{PLAIN}/", f"{SAFE}/")
    assert f"{SAFE}/3" not in in_index(made)
    assert {f"{SAFE}/4", f"{SAFE}/5"} <= in_index(made)


def test_it_is_said_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    web, clock = Web({}), Clock()
    mirror(web, PLAIN, SAFE)
    with caplog.at_level("INFO", "lycosa"):
        for _ in range(2):
            crawl(tmp_path, web, clock, f"{PLAIN}/", f"{SAFE}/")
            clock.now += DAY
    said = [record.message for record in caplog.records if "is crawled in place of" in record.message]
    assert said == [f"{SAFE} is crawled in place of {PLAIN} from now on: they have the same pages"]


@pytest.mark.requirement(309)
def test_a_person_who_asks_is_told(tmp_path: Path) -> None:
    """Of a URL, and of one that no crawl has found."""
    web = Web({})
    mirror(web, PLAIN, SAFE)
    made = crawl(tmp_path, web, None, f"{PLAIN}/", f"{SAFE}/")
    known = explain_url(made.store.engine, tmp_path, f"{PLAIN}/1", "")
    assert known.known
    assert (known.twin, known.known.alias_of) == (SAFE, f"{SAFE}/1")
    assert known.meaning == "another URL represents it: twin"
    assert explain_url(made.store.engine, tmp_path, f"{PLAIN}/none", "").twin == SAFE
    assert explain_url(made.store.engine, tmp_path, f"{SAFE}/1", "").twin == ""
