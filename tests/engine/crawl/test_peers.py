"""Several crawls on one data folder, on one fake clock: who asks which host."""

import random
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.crawl import Crawl, classify_response
from engine.database import hosts, write_transaction
from engine.errors import EngineError
from engine.frontier.host_share import HostShare
from engine.model.page import Claim, Purpose, State
from engine.store import LEASE_SECONDS, queue_url
from tests.crawling import Web, states
from tests.engine.crawl.farm import HOSTS, SEEDS, Farm, web_of


def farm_of_two(folder: Path, steps: int) -> Farm:
    """A farm with a process that has taken so many steps, and a second one that has just come."""
    farm = Farm(folder, web_of())
    first = farm.start()
    for _ in range(steps):
        farm.step(first)
    farm.start()
    return farm


def shortest_pause(farm: Farm) -> float:
    """The fewest seconds between two requests to one host, whoever made them."""
    by_host = ([at for at, _ in asked] for asked in farm.asked.values())
    return min(after - before for starts in by_host for before, after in pairwise(starts))


@pytest.fixture(scope="module")
def by_one(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, str]]:
    """What a single process finds."""
    farm = Farm(tmp_path_factory.mktemp("one"), web_of())
    farm.start()
    farm.run(random.Random(1))
    return states(farm.folder)


@pytest.mark.slow
@pytest.mark.requirement(26, 273)
@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 1_000_000))
def test_two_processes_find_what_one_finds(
    tmp_path_factory: pytest.TempPathFactory, by_one: dict[str, tuple[str, str]], seed: int
) -> None:
    """Each URL is asked once, whoever asks it; the union is the single run's result."""
    draw = random.Random(seed)
    farm = farm_of_two(tmp_path_factory.mktemp("two"), draw.randrange(80))
    farm.run(draw)
    assert states(farm.folder) == by_one
    pages = [url for _, url in farm.web.log]
    assert len(pages) == len(set(pages))
    assert len({run for asked in farm.asked.values() for _, run in asked}) == 2


def test_a_host_changes_hands_only_with_its_pause(tmp_path: Path) -> None:
    """A second process comes after a while: some hosts become its own, and none is asked sooner for it."""
    farm = farm_of_two(tmp_path, 60)
    farm.run(random.Random(3))
    both = [asked for asked in farm.asked.values() if len({run for _, run in asked}) == 2]
    assert both, "no host changed hands"
    assert shortest_pause(farm) >= 5.0


def test_who_keeps_a_host_need_not_wait_for_it(tmp_path: Path) -> None:
    """When another process comes, a host that stays has its usual pause, not a whole one from then on."""
    farm = farm_of_two(tmp_path, 60)
    joined = farm.clock.now
    farm.run(random.Random(3))
    kept = [asked for asked in farm.asked.values() if len({run for _, run in asked}) == 1]
    after = [min((at for at, _ in asked if at > joined), default=joined + 99) for asked in kept]
    assert min(after) < joined + 4.0, "of those that were due in a moment"


@pytest.mark.parametrize("seed", range(4))
def test_a_host_that_was_just_taken_has_its_pause_whoever_comes_meanwhile(tmp_path: Path, seed: int) -> None:
    """One takes the hosts of another that was killed, and before it asks them a third one comes."""
    farm = Farm(tmp_path, web_of())
    first, second = farm.start(), farm.start()
    draw = random.Random(seed)
    for _ in range(80):
        farm.step(draw.choice((first, second)))
    farm.kill(first)
    for _ in range(3 + seed):
        farm.step(second)
    farm.start()
    farm.run(draw)
    assert shortest_pause(farm) >= 5.0


@pytest.mark.requirement(276)
def test_a_killed_process_leaves_nothing_undone(tmp_path: Path, by_one: dict[str, tuple[str, str]]) -> None:
    """The other one takes over what the dead one had."""
    farm = Farm(tmp_path, web_of())
    first, _ = farm.start(), farm.start()
    for _ in range(60):
        farm.step(random.choice(farm.crawls)[0])
    farm.kill(first)
    farm.run(random.Random(4))
    assert states(tmp_path) == by_one


def test_a_lease_expires(tmp_path: Path) -> None:
    """A process that hangs holds its hosts for half a minute; when it wakes, it asks none of them."""
    farm = Farm(tmp_path, web_of())
    first, second = farm.start(), farm.start()
    for _ in range(10):
        farm.step(second)
        farm.step(first)
    hangs_at = farm.clock.now
    while second in [crawl for crawl, _ in farm.crawls]:
        farm.step(second)
    by_second = (at for asked in farm.asked.values() for at, run in asked if run == second.run.id)
    taken = [at for at in by_second if at > hangs_at]
    assert len(farm.asked) == 2 * HOSTS, "all hosts were asked in the end"
    assert max(taken) > hangs_at + LEASE_SECONDS
    known = {(host, at) for host, asked in farm.asked.items() for at, _ in asked}
    farm.run(random.Random(5))
    again = [(host, at) for host, asked in farm.asked.items() for at, _ in asked if (host, at) not in known]
    assert not again


def test_who_overslept_asks_no_host_that_another_has_taken(tmp_path: Path) -> None:
    """Both live then, and each has the share that it had before: only the leases have changed."""
    farm = Farm(tmp_path, web_of(), profile="strict")
    first, second = farm.start(), farm.start()
    for _ in range(10):
        farm.step(second)
        farm.step(first)
    woken_at = farm.clock.now + LEASE_SECONDS + 20
    while farm.clock.now < woken_at:
        farm.step(second)
    farm.run(random.Random(8))
    assert shortest_pause(farm) >= 15.0


def page_claim(farm: Farm, crawl: Crawl) -> Claim:
    """The next page that a crawl asks for; robots.txt and sitemaps are answered on the way."""
    while True:
        claim = crawl.claim()
        if claim is None:
            farm.clock.now += crawl.seconds_to_next() or 0.0
        elif claim.kind is Purpose.PAGE:
            return claim
        elif claim.kind is Purpose.ROBOTS:
            crawl.record_robots(farm.web.fetch(claim, farm.clock)[0])
        else:
            fetch, _ = farm.web.fetch(claim, farm.clock)
            crawl.record_response(fetch)
            crawl.finish(classify_response(fetch))


@pytest.mark.requirement(55)
def test_the_same_text_is_kept_once(tmp_path: Path) -> None:
    """Also when two processes bring it in the same moment, before either has stored it."""
    same: dict[str, dict[str, object]] = {url: {"fingerprint": b"same"} for url in SEEDS}
    farm = Farm(tmp_path, Web({url: [] for url in SEEDS}, said=same))
    first, second = farm.start(), farm.start()
    claims = [(crawl, page_claim(farm, crawl)) for crawl in (first, second)]
    for crawl, claim in claims:
        fetch, read = farm.web.fetch(claim, farm.clock)
        crawl.record_response(fetch)
        crawl.finish(crawl.canonical_choice.apply_duplicate(replace(classify_response(fetch), reading=read)))
    for crawl, _ in claims:
        crawl.commit()
    found = [state for state, _ in states(tmp_path).values()]
    assert (found.count(State.STORED), found.count(State.ALIAS)) == (1, 1)


LATE = "http://h1.example/late"


def one_has_called_the_other(folder: Path) -> tuple[Farm, Crawl, Crawl]:
    """A run that has just called for a host of the other, which has found that all is done."""
    farm = Farm(folder, Web({SEEDS[0]: [LATE], SEEDS[1]: [], LATE: []}), seeds=SEEDS[:2])
    both = [farm.start()]
    with write_transaction(both[0].store.engine) as connection:
        for host, run in (("http://h0.example", 1), ("http://h1.example", 2)):
            place = HostShare(run, (1, 2)).buckets[0]
            connection.execute(sa.update(hosts).where(hosts.c.host == host).values(place=place))
    both.append(farm.start())
    for crawl in (*both, *both):
        farm.clock.now += 1
        farm.step(crawl)
    calls = next(crawl for crawl in both if leased(crawl) == ["http://h0.example"])
    called = next(crawl for crawl in both if leased(crawl) == ["http://h1.example"])
    while "http://h1.example/" not in farm.web.asked() or called.frontier.waiting:
        farm.step(called)
    farm.clock.now += 1
    farm.step(called)
    while "http://h0.example/" not in farm.web.asked():
        farm.clock.now += 1
        farm.step(calls)
    calls.commit()
    assert not calls.is_finished(), "the call was not heard yet"
    return farm, calls, called


def test_who_is_last_does_what_nobody_heard_of(tmp_path: Path) -> None:
    """The run that was called leaves without having heard it."""
    farm, stays, leaves = one_has_called_the_other(tmp_path)
    leaves.close("finished")
    farm.kill(leaves)
    assert not stays.is_finished(), "its hosts are ours now"
    farm.run(random.Random(9))
    assert states(tmp_path)[LATE][0] == State.STORED


def test_who_has_heard_a_call_is_at_work(tmp_path: Path) -> None:
    """From that moment on: who leaves then has an index without the pages that the other still brings."""
    farm, calls, called = one_has_called_the_other(tmp_path)
    farm.clock.now += 1
    farm.step(called)
    assert not calls.is_finished(), "the call was heard just now"
    farm.run(random.Random(9))
    assert states(tmp_path)[LATE][0] == State.STORED


def test_a_run_counts_itself(tmp_path: Path) -> None:
    """Also when its own sign of life is old, as no commit could be written."""
    farm = Farm(tmp_path, web_of(hosts=1))
    crawl = farm.start()
    with crawl.store.engine.connect() as connection:
        crawl.run.refresh_share(connection, farm.clock.now + 2 * LEASE_SECONDS)
    assert crawl.run.share.is_whole
    assert crawl.run.share.run == crawl.run.id


def leased(crawl: Crawl) -> list[str]:
    """The hosts that a crawl alone may ask."""
    with crawl.store.engine.connect() as connection:
        query = sa.select(hosts.c.host).where(hosts.c.lease == crawl.run.id)
        return list(connection.execute(query).scalars())


def test_other_sites_are_not_mixed_in(tmp_path: Path) -> None:
    """A share is a share of the same sites: who crawls others waits, or takes another folder."""
    farm = Farm(tmp_path, web_of())
    farm.start()
    other = Farm(tmp_path, web_of(), seeds=SEEDS[:2], living=farm.living, clock=farm.clock)
    with pytest.raises(EngineError, match="with other sites"):
        other.start()


@pytest.mark.requirement(8)
def test_a_crawl_hears_what_was_submitted(tmp_path: Path) -> None:
    """For a host that it has never met, too."""
    farm = Farm(tmp_path, Web({SEEDS[0]: [], "http://late.example/": []}), seeds=SEEDS[:1])
    crawl = farm.start()
    for _ in range(3):
        farm.step(crawl)
    with crawl.store.engine.begin() as connection:
        queue_url(connection, "http://late.example/", farm.clock.now)
    farm.clock.now += 1
    farm.run(random.Random(6))
    assert states(tmp_path)["http://late.example/"][0] == State.STORED


def test_every_lease_is_given_back(tmp_path: Path) -> None:
    farm = Farm(tmp_path, web_of())
    both = [farm.start(), farm.start()]
    farm.run(random.Random(7))
    assert [leased(crawl) for crawl in both] == [[], []]
