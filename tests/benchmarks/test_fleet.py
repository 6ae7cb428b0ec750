"""The laws of a simulated fleet on a real server: who may ask a host, when, and that nothing is forgotten."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from xml.etree import ElementTree

import pytest
import sqlalchemy as sa

from benchmarks.__main__ import main
from benchmarks.corpora.filled_server import hosts_of
from benchmarks.fleet import find_shortest_pause, is_handed_over, load_leases, make_fleet
from benchmarks.instruments.simulated_fleet import Fleet
from engine.crawl import Limits
from engine.crawl.pending import BATCH_VISITS
from engine.database import open_database, urls
from engine.frontier.politeness import PACES
from engine.model.page import State
from engine.settings import CONCURRENT_REQUESTS

pytestmark = pytest.mark.postgresql
KNOWN = 2_000  # on twenty hosts
MORE = 1  # URLs of each host that are found; else there were no end
PAUSE = PACES["polite"].pause - 1e-6


@pytest.fixture
def fleet(database_url: str) -> Iterator[Fleet]:
    """Without workers; on machines for which nothing takes time, so that it does the same each time."""
    with closing(make_fleet(database_url, KNOWN, charge=0.0)) as made:
        made.limits = Limits(host_pages=KNOWN // hosts_of(KNOWN) + MORE)
        leave_few(made)
        yield made


def leave_few(fleet: Fleet) -> None:
    """Six or seven URLs wait for each host."""
    engine = open_database(fleet.url)
    with engine.begin() as connection:
        connection.execute(sa.update(urls).where(urls.c.id % 10 != 0).values(state=State.STORED))
    engine.dispose()


def queued(fleet: Fleet) -> int:
    engine = open_database(fleet.url)
    with engine.connect() as connection:
        count = sa.select(sa.func.count()).where(urls.c.state == State.QUEUED)
        number = int(connection.execute(count).scalar_one())
    engine.dispose()
    return number


def test_a_join_takes_its_part_of_the_hosts_and_moves_no_other(fleet: Fleet) -> None:
    for _ in range(2):
        fleet.join()
        fleet.run(fleet.now + 6)
    before = load_leases(fleet.url)
    newcomer = fleet.join()
    assert not is_handed_over(fleet)
    fleet.run(fleet.now + 15)
    after = load_leases(fleet.url)
    moved = {one: after[one] for one, run in before.items() if after[one] != run}
    assert len(before) == hosts_of(KNOWN)
    assert 0 < len(moved) <= 2 / 3 * hosts_of(KNOWN), "a third on average"
    assert set(moved.values()) == {newcomer.crawl.run.id}
    assert is_handed_over(fleet)
    assert any(one.run == newcomer.crawl.run.id for one in fleet.network.asked)
    assert find_shortest_pause(fleet) >= PAUSE


def test_whoever_joins_leaves_or_is_killed_everything_is_asked(fleet: Fleet) -> None:
    """Each page once, but for those that the killed one had asked and not committed."""
    first, second, *_ = [fleet.join() for _ in range(3)]
    fleet.run(fleet.now + 12)
    fleet.leave(first)
    fleet.run(fleet.now + 8)
    assert first not in fleet.workers
    assert not set(load_leases(fleet.url).values()) & {first.crawl.run.id}
    asked = Counter(one.url for one in fleet.network.asked)
    assert max(asked.values()) == 1, "who leaves in order has committed all"
    assert queued(fleet) > 0
    fleet.kill(second)
    fleet.join()
    fleet.run(fleet.now + 3_600)
    assert fleet.workers == [], "they end when nothing is left"
    assert queued(fleet) == 0
    asked = Counter(one.url for one in fleet.network.asked)
    assert sum(times - 1 for times in asked.values()) <= CONCURRENT_REQUESTS + BATCH_VISITS
    assert find_shortest_pause(fleet) >= PAUSE


@pytest.mark.slow
def test_each_number_of_workers_has_its_figures(
    database_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plot = tmp_path / "fleet.svg"
    arguments = ["fleet", "--database", database_url, "--urls", str(KNOWN), "--workers", "1,3"]
    assert main([*arguments, "--plot", str(plot)]) == 0
    rows = {row["name"]: row["ours"] for row in map(json.loads, capsys.readouterr().out.splitlines())}
    for number in (1, 3):
        assert all(rows[f"fleet.{what}.{number}"] > 0 for what in ("pages", "claim", "add", "write"))
        assert all(rows[f"fleet.join.{what}.{number}"] > 0 for what in ("seconds", "held"))
    assert rows["fleet.join.pages.3"] >= 0, "of so few hosts all change hands before the next turn of one"
    assert 0 < rows["fleet.join.moved.3"] < 1
    assert rows["fleet.info.shortest_pause"] >= PAUSE
    assert len(ElementTree.parse(plot).findall("{http://www.w3.org/2000/svg}polyline")) == 4
    assert main(arguments) == 2
    assert "is not empty" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "name an empty database of a server with --database"),
        (["--database", "postgresql://x", "--urls", "999"], "--urls 999 is too few"),
        (["--database", "postgresql://x", "--plot", "/no/such/plot.svg"], "there is no folder /no/such"),
    ],
)
def test_what_is_missing_is_told(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["fleet", *arguments]) == 2
    assert words in capsys.readouterr().err
