"""An index tells its crawl database from others, and from what it was before a failover."""

import random
from contextlib import closing
from pathlib import Path
from uuid import UUID

import pytest

from engine import generations
from engine.database import log_change, write_transaction
from engine.index.indexing import Follower
from engine.store import Store
from tests.postgresql import run_server

pytestmark = pytest.mark.postgresql
SEEDS = [pytest.param(seed, marks=pytest.mark.long if seed else pytest.mark.slow) for seed in range(5)]


def note(store: Store, *paths: str) -> None:
    with write_transaction(store.engine) as connection:
        connection.execute(log_change(), [{"url": f"http://h.example/{path}"} for path in paths])


def test_two_databases(database_url: str, tmp_path: Path) -> None:
    """A file is told by its UUID, opened again, too; a server also by which one it is, and its timeline."""
    with closing(Store(database_url)) as one, closing(Store(tmp_path)) as other:
        own, server = one.identity().split(" ")
        assert UUID(own) != UUID(other.identity())
        assert server.endswith("-00000001"), "no standby took its place so far"
        kept = one.identity(), other.identity()
    with closing(Store(database_url)) as one, closing(Store(tmp_path)) as other:
        assert (one.identity(), other.identity()) == kept


@pytest.mark.requirement(276)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_standby_that_lacks_the_last_commits_takes_over(tmp_path: Path, seed: int) -> None:
    """It gives the lost numbers anew: the index is rebuilt beside, though its own number is not higher."""
    dice = random.Random(seed)
    lost = dice.randint(100, 200)
    with run_server() as server:
        url = server.create_database()
        with closing(Store(url)) as store:
            note(store, "kept")
            standby = server.make_standby()
            standby.start()
            before = store.identity()
            standby.wait_for_replay(server)
            standby.lose_what_follows()
            for number in range(lost):
                note(store, str(number))
            Follower(store, tmp_path).catch_up()
            last = store.last_change()
        first = generations.current_generation(tmp_path)
        assert first
        assert (first.source, first.caught_up) == (before, last)
        server.kill()
        standby.promote()
        try:
            with closing(Store(standby.url(url.rpartition("/")[2]))) as promoted:
                assert promoted.last_change() < last, "the last commits are lost"
                note(promoted, *(f"other/{number}" for number in range(lost + dice.randint(1, 100))))
                assert promoted.last_change() > last, "their numbers were given again"
                assert promoted.identity() != before
                Follower(promoted, tmp_path).catch_up()
                second = generations.current_generation(tmp_path)
                assert second
                assert second != first
                assert second.source == promoted.identity()
                assert second.caught_up == promoted.last_change()
        finally:
            standby.kill()
