"""No page is lost on its way from one host to its twin, whatever is under way."""

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from engine.database import urls
from engine.model.page import Claim, Fetch, State, Visit
from engine.store import twins as store_of_twins
from engine.store.revisit import DAY
from tests.crawling import Clock, Web, crawl_of, reading, step
from tests.engine.crawl.farm import Farm
from tests.simulation.mirrors import PATHS, PLAIN, SAFE, WWW, crawl, in_index, mirror

pytestmark = pytest.mark.requirement(266)


@pytest.mark.slow
@pytest.mark.requirement(275)
def test_a_restart_in_the_middle_loses_nothing(tmp_path: Path) -> None:
    """Whatever the moment, all pages are there in the end."""
    for moment in range(2, 40, 3):
        folder, web, clock = tmp_path / str(moment), Web({}), Clock()
        mirror(web, PLAIN, SAFE, WWW)
        seeds = (f"{PLAIN}/", f"{SAFE}/", f"{WWW}/")
        first = crawl_of(folder, clock, scope="domain", seeds=seeds, own=True)
        for _ in range(moment):
            step(first, web, clock)
        first.store.close()  # what was not committed is lost, as after kill -9
        made = crawl(folder, web, clock, *seeds)
        assert sorted(url[url.index("/", 8) :] for url in in_index(made)) == sorted(PATHS), moment


def test_many_at_a_time(tmp_path: Path) -> None:
    """Visits that are under way while their host is given up bring nothing back, and lose nothing."""
    web, clock = Web({}), Clock()
    paths = [f"/{n}" for n in range(60)]
    mirror(web, PLAIN, SAFE, paths=paths)
    made = crawl_of(tmp_path, clock, seeds=(f"{PLAIN}/0", f"{SAFE}/0"), own=True)
    held: list[Any] = []
    claim = made.claim

    def shuffled() -> Any:
        """Takes as many claims as there are, and answers the last first."""
        while one := claim():
            held.append(one)
        return held.pop() if held else None

    made.claim = shuffled  # type: ignore[method-assign]
    while step(made, web, clock):
        pass
    assert made.frontier.waiting == 0
    made.close("finished")
    assert in_index(made) == {SAFE + path for path in paths}
    clock.now += 2 * DAY
    web.log.clear()
    crawl(tmp_path, web, clock, f"{PLAIN}/0", f"{SAFE}/0")
    assert not [url for _, url in web.log if url.startswith(f"{PLAIN}/")]


def test_nothing_is_a_copy_of_what_is_about_to_leave(tmp_path: Path) -> None:
    """A page under the given-up name may still be there when its twin comes in."""
    web = Web({})
    mirror(web, PLAIN)
    made = crawl(tmp_path, web, None, f"{PLAIN}/")
    fetch = Fetch(Claim(99, f"{SAFE}/1", SAFE), 200)
    copy = Visit(fetch, State.STORED, reading=reading(f"{SAFE}/1", [], fingerprint=b"/1"))
    assert made.canonical_choice.apply_duplicate(copy).target == f"{PLAIN}/1"
    sites = made.discovery.sites
    made.discovery.sites = replace(sites, aliases=sites.aliases.with_twins([(PLAIN, SAFE)]))
    assert made.canonical_choice.apply_duplicate(copy) == copy
    late = made.twin_hosts.recheck(Visit(fetch, State.ALIAS, "duplicate", target=f"{PLAIN}/1"))
    assert (late.state, late.again, late.target) == (State.FAILED, True, ""), "it is fetched once more"


def test_a_known_site_that_gets_a_new_name_never_leaves_the_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages go over with their texts, before their twins were asked for."""
    monkeypatch.setattr(store_of_twins, "CHUNK", 7)
    web, clock = Web({}), Clock()
    paths = [f"/{n}" for n in range(40)]
    mirror(web, PLAIN, paths=paths)
    web.answers = {url: [] for url in web.answers}
    web.answers[f"{PLAIN}/0"] = [PLAIN + path for path in paths]
    crawl(tmp_path, web, clock, f"{PLAIN}/0")
    clock.now += DAY
    mirror(web, SAFE, paths=paths[:4])
    web.answers[f"{PLAIN}/0"] = [SAFE + path for path in paths[1:]]
    second = crawl_of(tmp_path, clock, seeds=(f"{PLAIN}/0",), own=True)
    while not second.discovery.sites.aliases.twins:
        assert step(second, web, clock)
        assert second.store.census().pages == len(paths)
    assert {url[url.index("/", 8) :] for url in in_index(second)} == set(paths)
    assert in_index(second) >= {SAFE + path for path in paths[4:]}
    assert not [url for url in in_index(second) if url.startswith(PLAIN)]


def test_what_stood_aside_is_asked_for_its_own_text(tmp_path: Path) -> None:
    """A tag of an older answer could confirm another text than the one that came over."""
    web, clock = Web({}), Clock()
    mirror(web, PLAIN, SAFE)
    web.headers = {url: [("etag", '"1"')] for url in web.answers}
    made = crawl_of(tmp_path, clock, seeds=(f"{PLAIN}/", f"{SAFE}/"), own=True)
    while not made.discovery.sites.aliases.twins:
        assert step(made, web, clock)
    with made.store.engine.connect() as connection:
        tags = connection.execute(sa.select(urls.c.etag).where(urls.c.state == State.QUEUED)).scalars()
        assert set(tags) == {""}


@pytest.mark.slow
@pytest.mark.requirement(26)
@pytest.mark.parametrize("seed", range(6))
def test_twins_that_two_processes_crawl(tmp_path: Path, seed: int) -> None:
    """Whoever finds out, both go by it, and each page is there once in the end."""
    web = Web({})
    paths = [f"/{n}" for n in range(30)]
    mirror(web, PLAIN, SAFE, WWW, paths=paths)
    farm = Farm(tmp_path, web, seeds=(f"{PLAIN}/0", f"{SAFE}/0", f"{WWW}/0"), profile="brisk")
    made = [farm.start(), farm.start()]
    farm.run(random.Random(seed))
    farm.clock.now += 2 * DAY
    again = crawl(tmp_path, web, farm.clock, f"{PLAIN}/0", f"{SAFE}/0", f"{WWW}/0")
    for one in (*made, again):
        assert sorted(url[url.index("/", 8) :] for url in in_index(one)) == sorted(paths)
    assert again.discovery.sites.aliases.twins
