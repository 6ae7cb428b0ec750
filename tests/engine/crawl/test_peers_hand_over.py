"""Hosts change hands a few at a time, and what stays with a run goes on as if nobody had come."""

import random
from itertools import pairwise
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.crawl import Crawl
from engine.crawl.peers import POLL_SECONDS
from engine.database import hosts, write_transaction
from engine.frontier import leases
from tests.crawling import states
from tests.engine.crawl.farm import HOSTS, Farm, web_of
from tests.engine.crawl.test_peers import leased, shortest_pause

AT_ONCE = 2


@pytest.fixture(autouse=True)
def few_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "HOSTS_AT_ONCE", AT_ONCE)


def farm_of_one(folder: Path, steps: int) -> tuple[Farm, Crawl]:
    farm = Farm(folder, web_of())
    first = farm.start()
    for _ in range(steps):
        farm.step(first)
    return farm, first


def poll(farm: Farm, crawl: Crawl) -> int:
    """Lets a crawl look at the others once; returns how many leases it has after that."""
    farm.clock.now += POLL_SECONDS
    crawl._poll_peers(farm.clock.now)
    return len(leased(crawl))


def test_a_join_takes_several_transactions(tmp_path: Path) -> None:
    farm, first = farm_of_one(tmp_path, 0)
    second = farm.start()
    held = [(len(leased(first)), len(leased(second)))]
    while held[-1:] != held[-2:-1] or first.frontier.host_leases.are_moving:
        held.append((poll(farm, first), poll(farm, second)))
    for before, after in pairwise(held):
        assert before[0] - after[0] <= AT_ONCE, "one transaction of the first"
        assert after[1] - before[1] <= AT_ONCE, "one of the second"
    assert 0 < held[-1][1] < HOSTS
    assert sum(held[-1]) == HOSTS, "all have changed hands that had to"


def test_a_host_that_has_left_is_not_asked_while_its_lease_is_still_ours(tmp_path: Path) -> None:
    farm, first = farm_of_one(tmp_path, 0)
    farm.start()
    poll(farm, first)
    assert first.frontier.host_leases.are_moving
    share = first.run.share
    ours = [queue for queue in first.frontier.host_queues.values() if queue.leased]
    assert ours
    assert all(share.includes(queue.bucket) for queue in ours)
    assert len(ours) < len(leased(first))


def test_what_stays_keeps_its_urls_in_memory(tmp_path: Path) -> None:
    farm, first = farm_of_one(tmp_path, 100)
    queues = first.frontier.host_queues
    before = {host: [*queue.urls] for host, queue in queues.items() if queue.urls}
    waiting = {host: queue.waiting for host, queue in queues.items()}
    farm.start()
    poll(farm, first)
    stays = [host for host in before if queues[host].leased]
    assert stays
    assert all([*queues[host].urls] == before[host] for host in stays)
    assert all(queues[host].waiting == waiting[host] for host in stays)
    assert first.frontier.waiting == sum(queue.waiting for queue in queues.values())


@pytest.mark.parametrize("seed", range(3))
def test_nothing_is_lost_whoever_comes_or_is_killed(tmp_path: Path, seed: int) -> None:
    """Also where the share changes again, and back, before all have changed hands."""
    draw = random.Random(seed)
    farm, first = farm_of_one(tmp_path / "many", 40)
    for _ in range(3):
        other = farm.start()
        for _ in range(draw.randrange(4)):
            farm.step(first)
        farm.kill(other)
        farm.start()
        for _ in range(draw.randrange(12)):
            farm.step(draw.choice(farm.crawls)[0])
    farm.run(draw)
    alone, _ = farm_of_one(tmp_path / "one", 0)
    alone.run(draw)
    assert states(tmp_path / "many") == states(tmp_path / "one")
    assert shortest_pause(farm) >= 5.0


def test_a_host_whose_lease_another_run_has_is_left_to_it(tmp_path: Path) -> None:
    """Whatever we remember of it: the database decides."""
    farm, first = farm_of_one(tmp_path, 20)
    with write_transaction(first.store.engine) as connection:
        connection.execute(sa.update(hosts).where(hosts.c.host == "http://h3.example").values(lease=99))
    farm.living.add(99)
    farm.start()
    poll(farm, first)
    assert not first.frontier.host_queues["http://h3.example"].leased


def test_a_lease_is_kept_while_something_of_the_host_is_under_way(tmp_path: Path) -> None:
    farm, first = farm_of_one(tmp_path, 0)
    claims = []
    while claim := first.claim():
        claims.append(claim)
    assert len(claims) == HOSTS, "a robots.txt of each"
    farm.start()
    for _ in range(HOSTS):
        assert poll(farm, first) == HOSTS
    for claim in claims:
        first.record_robots(farm.web.fetch(claim, farm.clock)[0])
    assert poll(farm, first) < HOSTS
    assert not first.frontier.host_leases.are_moving
