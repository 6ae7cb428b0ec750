"""kill -9 in the commit of a link graph and while aliases move, of a process or of the database.

A process tells when it is there; it is killed at a moment by the seed, within the time that the same took
before.
"""

import os
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import NamedTuple

import pytest
import sqlalchemy as sa

from engine import generations
from engine.errors import Unreadable
from engine.generations.cluster.storage import ClusterStorage
from engine.index.cluster_indexing.cluster_index_writer import ClusterIndexWriter
from engine.index.indexing import batches
from engine.index.indexing.follow import Follower
from engine.index.indexing.rebuild import rebuild_index
from engine.index.indexing.rollback import roll_back
from engine.linkgraph.opening import find_graph_damages
from engine.opensearch import ClusterIndex, share_client, transport
from engine.ranking import Ranking, dump_ranking
from tests.engine.backup.archives import small_folder
from tests.engine.index.cluster_indexing.indexed import PATIENCE
from tests.engine.index.content import content
from tests.engine.index.killing import forked, kill
from tests.engine.index.source import Memory, corpus, page
from tests.postgresql import run_server
from tests.running import END_SECONDS, scrapy, until
from tests.warm import Fork

pytestmark = [pytest.mark.opensearch, pytest.mark.postgresql, pytest.mark.timeout(600)]

PAGES = 30
BATCH = 8  # documents: several to what comes at once
SETTLED = 50  # looks in a row that find the same index: a second
BEGUN, DONE, ENDED, AWAY = b"<", b">", b".", b"!"
SEEDS = [pytest.param(seed, marks=pytest.mark.slow if seed < 2 else pytest.mark.long) for seed in range(20)]
SCHEMAS = "SELECT nspname FROM pg_namespace WHERE nspname LIKE %s"


def go_back(source: Memory, index: ClusterIndex) -> None:
    """Goes back to an index that a batch is ahead of."""
    rebuild_index(source, index)
    roll_back(source, index)


class Phase(NamedTuple):
    """What a process is killed in: a method that its work calls."""

    owner: type
    method: str
    work: Callable[[Memory, ClusterIndex], object]
    calls: int  # at least


PHASES = [
    Phase(ClusterIndexWriter, "update_links", lambda source, index: Follower(source, index).catch_up(), 2),
    Phase(ClusterIndexWriter, "mark_committed", lambda source, index: Follower(source, index).catch_up(), 2),
    Phase(ClusterStorage, "publish", lambda source, index: rebuild_index(source, index), 1),
    Phase(ClusterStorage, "go_back", go_back, 1),
]


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches are small; on a busy machine an answer may take its time."""
    monkeypatch.setattr(batches, "BATCH_DOCUMENTS", BATCH)
    monkeypatch.setattr(transport, "SEARCH_SECONDS", PATIENCE)


class Worker:
    """A process that does the work of a phase, tells how far it is, and stays until it is killed."""

    def __init__(self, phase: Phase, source: Memory, index: ClusterIndex) -> None:
        self._heard, self._said = os.pipe()
        self.process = forked(partial(self._live, phase, source, index))
        os.close(self._said)

    def _live(self, phase: Phase, source: Memory, index: ClusterIndex) -> None:
        do = getattr(phase.owner, phase.method)

        def tell(*given: object) -> object:
            os.write(self._said, BEGUN)
            result = do(*given)
            os.write(self._said, DONE)
            return result

        setattr(phase.owner, phase.method, tell)
        try:
            phase.work(source, index)
            os.write(self._said, ENDED)
        except Unreadable:
            os.write(self._said, AWAY)
        while True:
            signal.pause()

    def wait_for(self, *signs: bytes) -> float:
        """Waits for one of these signs; returns when it came."""
        while (heard := os.read(self._heard, 1)) not in signs:
            assert heard, "it has died"
        return time.monotonic()

    def end(self) -> None:
        """Kills it."""
        kill(self.process)
        os.close(self._heard)


def measure(phase: Phase, source: Memory, index: ClusterIndex) -> float:
    """Measures how long a phase takes where nobody is killed, in seconds."""
    worker = Worker(phase, source, index)
    seconds = -worker.wait_for(BEGUN) + worker.wait_for(DONE)
    worker.wait_for(ENDED)
    worker.end()
    return seconds


def wait_within(phase: Phase, worker: Worker, seconds: float, dice: random.Random) -> None:
    """Waits for some moment in which it is in a phase, which takes so long."""
    for _ in range(dice.randint(1, phase.calls)):
        worker.wait_for(BEGUN)
    time.sleep(dice.uniform(0.0, seconds))


def change(source: Memory, dice: random.Random) -> None:
    """Makes some changes: two batches of them."""
    urls = list(source._last)
    for url in dice.sample(urls, BATCH):
        source.put(page(url, f"amber {dice.random()}", links=dice.choice(corpus(PAGES)).links))
    for number in range(BATCH - 2):
        source.put(page(f"http://new{number}.example/{source.last_change()}", "basil"))
    source.remove(dice.choice(urls))
    source.copy(*dice.sample(urls, 2))


def settle(index: ClusterIndex) -> None:
    """Waits until a cluster has done what dead processes have asked of it, and answers with one index."""
    pending, seen = share_client(index.cluster).cluster.pending_tasks, list[str]()

    def is_settled() -> bool:
        current = generations.current_generation(index)
        assert current
        seen.append(current.name)
        return not pending()["tasks"] and len(seen) > SETTLED and len(set(seen[-SETTLED:])) == 1

    until(is_settled, "one index")


def check(source: Memory, war: ClusterIndex, peace: ClusterIndex) -> None:
    """Checks that an index is whole, catches up, and is then one that was built in peace."""
    found = generations.current_generation(war)
    assert found
    assert found.is_readable
    assert found.count_documents()
    Follower(source, war).catch_up()
    rebuild_index(source, peace)
    assert content(war) == content(peace)
    assert not list(find_graph_damages(found.links))


def list_schemas(index: ClusterIndex) -> set[str]:
    """Lists the link graphs that there are of an index."""
    engine = sa.create_engine(index.database.replace("postgresql://", "postgresql+psycopg://"))
    with engine.connect() as connection:
        rows = connection.exec_driver_sql(SCHEMAS, (f"{index.prefix}\\_%",)).scalars().all()
    engine.dispose()
    return set(rows)


def begin_phases(source: Memory, war: ClusterIndex, dice: random.Random) -> Iterator[Worker]:
    """Yields a process in each phase, at some moment within it."""
    for phase in dice.sample(PHASES, len(PHASES)):
        change(source, dice)
        seconds = measure(phase, source, war)
        change(source, dice)
        worker = Worker(phase, source, war)
        wait_within(phase, worker, seconds, dice)
        yield worker


@pytest.mark.parametrize("seed", SEEDS)
def test_a_process_is_killed(opensearch_node: str, database_url: str, seed: int) -> None:
    """Once in each phase; in the end nothing is left of what was begun."""
    dice = random.Random(seed)
    war, peace = locate(opensearch_node, database_url, f"process{seed}")
    source = Memory(*corpus(PAGES, seed))
    rebuild_index(source, war)
    for worker in begin_phases(source, war, dice):
        worker.end()
        settle(war)
        check(source, war, peace)
    rebuild_index(source, war)
    current = generations.current_generation(war)
    assert current
    assert current.before
    kept = {current.name, current.before.name}
    assert set(share_client(war.cluster).indices.get_alias(index=f"{war.prefix}-*")) == kept
    assert list_schemas(war) == {name.replace("-", "_") for name in kept}


@pytest.mark.parametrize("seed", SEEDS)
def test_the_database_is_killed(opensearch_node: str, seed: int) -> None:
    """Who writes to it then says that it is away; started again, it has what was committed."""
    dice = random.Random(seed)
    with run_server() as server:
        war, peace = locate(opensearch_node, server.create_database(), f"database{seed}")
        source = Memory(*corpus(PAGES, seed))
        rebuild_index(source, war)
        for worker in begin_phases(source, war, dice):
            server.kill()
            if is_quick := dice.random() < 0.5:  # then it may be there again before anybody has missed it
                server.start()
            worker.wait_for(AWAY, ENDED)
            worker.end()
            if not is_quick:
                server.start()
            check(source, war, peace)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_database_is_killed_under_a_follower(opensearch_node: str, tmp_path: Path, seed: int) -> None:
    """That has its pages from there, too, and ends with one line."""
    dice = random.Random(seed)
    with run_server() as server:
        data, url = small_folder(tmp_path), server.create_database()
        scrapy(data, "move", url)
        war, peace = locate(opensearch_node, url, f"follower{seed}")
        assert run_follower(peace, data) == (0, "")
        begun = time.monotonic()
        assert run_follower(locate(opensearch_node, url, f"measured{seed}")[0], data) == (0, "")
        seconds = time.monotonic() - begun

        def wait_and_kill() -> None:
            time.sleep(dice.uniform(0.0, seconds))
            server.kill()

        code, said = run_follower(war, data, wait_and_kill)
        assert (code, said.count("\n")) in ((2, 1), (0, 0)), said
        server.start()
        assert run_follower(war, data) == (0, "")
    assert content(war) == content(peace)


def run_follower(
    index: ClusterIndex, data: Path, meanwhile: Callable[[], None] = lambda: None
) -> tuple[int, str]:
    """Runs the process of a crawl that indexes, to its end; returns its exit code and all that it says."""
    line = [sys.executable, "-m", "engine.index.indexing", str(data), index.database, index.cluster]
    with TemporaryFile("w+") as said:
        given = [*line, dump_ranking(Ranking()), "0", "[]", "15"]
        process = Fork(given, stdout=said.fileno(), stderr=said.fileno())
        try:
            meanwhile()
            code = process.wait(END_SECONDS)
        finally:
            process.kill()
            process.wait()
        said.seek(0)
        return code, said.read()


def locate(node: str, database: str, name: str) -> tuple[ClusterIndex, ClusterIndex]:
    """Locates an index to be disturbed and one that is not."""
    war, peace = (ClusterIndex(f"opensearch+{node}/{name}{one}", database) for one in ("war", "peace"))
    return war, peace
