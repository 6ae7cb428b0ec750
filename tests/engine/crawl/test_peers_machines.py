"""Several crawls and hosts that answer at one address: one run alone asks there."""

import random
from itertools import pairwise
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.database import hosts
from engine.frontier.politeness import PACES, SHARED
from tests.crawling import states
from tests.engine.crawl.farm import Farm, web_of

FLOOR = SHARED * PACES["polite"].pause  # seconds
SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))]


@pytest.mark.requirement(26, 273)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("machines", "why"), [(1, "all hosts at one address"), (3, "four hosts at each of three addresses")]
)
def test_a_machine_is_asked_by_one_run(tmp_path: Path, machines: int, seed: int, why: str) -> None:
    """The pause between its hosts is kept over all processes, and nothing is lost on the way."""
    alone = Farm(tmp_path / "alone", web_of())
    alone.start()
    alone.run(random.Random(seed))

    def look_up(host: str) -> str:
        return f"192.0.2.{sum(map(ord, host)) % machines}"

    farm = Farm(tmp_path / "both", web_of(), look_up=look_up)
    farm.start()
    for _ in range(40):
        farm.step(farm.crawls[0][0])
    farm.start()
    farm.run(random.Random(seed))
    assert states(tmp_path / "both") == states(tmp_path / "alone"), why
    for number in range(machines):
        here = {name for name in farm.asked if look_up(f"http://{name}") == f"192.0.2.{number}"}
        asked = sorted(time for name in here for time in farm.asked[name])
        assert min(b - a for (a, _), (b, _) in pairwise(asked)) >= FLOOR - 1e-6, why


def test_who_joins_finds_each_host_where_it_answers(tmp_path: Path) -> None:
    """Also hosts that were asked a moment ago: else their run goes on without knowing what waits there."""
    farm = Farm(tmp_path, web_of(), look_up=lambda host: f"192.0.2.{host[-9]}")
    first = farm.start()
    while claim := first.claim():
        first.record_robots(farm.web.fetch(claim, farm.clock)[0])
    farm.start()
    farm.clock.now += 1
    first.claim()
    with first.store.engine.connect() as connection:
        held = connection.execute(sa.select(hosts.c.host, hosts.c.lease == first.run.id)).all()
    known = first.frontier.host_queues
    assert {host for host, is_ours in held if is_ours and known[host].waiting} == {
        host for host, is_ours in held if is_ours
    }


def test_where_a_host_answers_is_kept(tmp_path: Path) -> None:
    """For the runs that come later, so that they share hosts alike from the beginning."""
    farm = Farm(tmp_path, web_of(), look_up=lambda host: "192.0.2.7")
    crawl = farm.start()
    farm.run(random.Random(1))
    with crawl.store.engine.connect() as connection:
        places = connection.execute(sa.select(hosts.c.place).distinct()).scalars().all()
    assert len(places) == 1
    assert places[0] is not None
