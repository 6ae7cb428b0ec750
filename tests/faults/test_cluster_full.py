"""A cluster that takes no more, for a full disk or too much to do: the index waits, and goes on by itself."""

import json
import random
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from itertools import count
from pathlib import Path
from threading import Event, Thread
from typing import Any
from urllib.error import HTTPError

import pytest
import urllib3

from engine import generations
from engine.index.indexing import batches
from engine.index.indexing import follow as follow_module
from engine.index.indexing.follow import Follower, follow
from engine.index.indexing.rebuild import rebuild_index
from engine.opensearch import ClusterIndex, UnavailableError, bulk, transport
from engine.search.opening import SeenIndex
from engine.search.search import SearchService
from tests.engine.backup.archives import small_folder
from tests.engine.index.cluster_indexing.indexed import PATIENCE
from tests.engine.index.content import content
from tests.engine.index.source import Memory, corpus, page
from tests.opensearch.cluster import run_cluster
from tests.running import ask, scrapy, serving, until

pytestmark = [pytest.mark.opensearch, pytest.mark.postgresql, pytest.mark.timeout(600)]
SEEDS = [pytest.param(seed, marks=pytest.mark.long if seed else pytest.mark.slow) for seed in range(5)]

PAGES = 60
REFUSALS = 4  # that a follower meets, or a few more, before the cluster takes more
WATERMARKS = ("low", "high", "flood_stage")  # which count free bytes here
DISK = "cluster.routing.allocation.disk"
ONE_AT_A_TIME = {"thread_pool.write.size": "1", "thread_pool.write.queue_size": "1"}
LIFTED_SECONDS = 120  # in which a cluster looks at its disks again
LOADERS = 6  # that send at once what one thread writes, while one request waits


@pytest.fixture(scope="module")
def node() -> Iterator[str]:
    """The address of a node that has no room for more than one request to wait."""
    with run_cluster(settings=ONE_AT_A_TIME) as cluster:
        yield cluster.urls[0]


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits are short, small batches many; on a busy machine an answer may take its time."""
    monkeypatch.setattr(bulk, "FIRST_WAIT", 0.01)
    monkeypatch.setattr(bulk, "BULK_TRIES", 2)
    monkeypatch.setattr(follow_module, "LOOK_SECONDS", 0.1)
    monkeypatch.setattr(batches, "BATCH_DOCUMENTS", 10)
    monkeypatch.setattr(transport, "SEARCH_SECONDS", PATIENCE)


def send(node: str, method: str, path: str, body: object = None) -> Any:
    """What a node answers, whatever that is."""
    return urllib3.request(method, node + path, json=body, retries=False, timeout=PATIENCE).json()


def set_free_bytes(node: str, wanted: str) -> None:
    """Sets how much must be free of a disk that is not full."""
    marks = {f"{DISK}.watermark.{mark}": wanted for mark in WATERMARKS}
    looks = {"cluster.info.update.interval": "10s", f"{DISK}.reroute_interval": "1s"}
    change_settings(node, {f"{DISK}.threshold_enabled": True, **looks, **marks})


def change_settings(node: str, settings: Mapping[str, object]) -> None:
    """Changes settings of a cluster; None: as it was started."""
    assert send(node, "PUT", "/_cluster/settings", {"transient": settings})["acknowledged"]


def list_blocks(node: str) -> dict[str, Any]:
    """Lists what a cluster does not do at present."""
    blocks: dict[str, Any] = send(node, "GET", "/_cluster/state/blocks")["blocks"]
    return blocks


@contextmanager
def full_disk(node: str) -> Iterator[None]:
    """Its disk counts as full: it sees that within seconds, and as late that there is room again."""
    set_free_bytes(node, "900tb")
    try:
        until(lambda: "global" in list_blocks(node), "a full disk", LIFTED_SECONDS)  # it makes no index
        yield
    finally:
        set_free_bytes(node, "1b")
        until(lambda: not list_blocks(node), "room", LIFTED_SECONDS)
        change_settings(node, {"cluster.*": None})


@contextmanager
def one_full_disk(node: str) -> Iterator[None]:
    """What is there counts as on a full disk, as OpenSearch marks it; of what is new others have room."""
    path, block = "/*/_settings", "index.blocks.read_only_allow_delete"
    assert send(node, "PUT", path, {block: True})["acknowledged"]
    try:
        yield
    finally:
        assert send(node, "PUT", path, {block: None})["acknowledged"]


@contextmanager
def much_to_do(node: str) -> Iterator[None]:
    """Others write to it all the time: what it has no room for it rejects."""
    ended = Event()
    lines = ('{"index":{}}\n{"text":"' + "amber basil " * 50 + '"}\n') * 500

    def load() -> None:
        with urllib3.PoolManager(headers={"Content-Type": "application/json"}) as pool:
            while not ended.is_set():
                pool.request("POST", f"{node}/load/_bulk", body=lines, retries=False, timeout=PATIENCE)

    loaders = [Thread(target=load) for _ in range(LOADERS)]
    with ExitStack() as stack:
        stack.callback(send, node, "DELETE", "/load")
        for loader in loaders:
            loader.start()
            stack.callback(loader.join)
        stack.callback(ended.set)
        yield


class CountingFollower(Follower):
    """Keeps what it was refused."""

    def __init__(self, source: Memory, index: ClusterIndex) -> None:
        super().__init__(source, index)
        self.refusals = list[str]()

    def step(self, learning: bool = False) -> int:
        """Does a step."""
        try:
            return super().step(learning)
        except UnavailableError as error:
            self.refusals.append(str(error))
            raise


Trouble = Callable[[str], AbstractContextManager[None]]
TROUBLES: list[tuple[Trouble, str, str]] = [
    (full_disk, "flood-stage watermark", "one that is full tells so of each document"),
    (much_to_do, "rejected execution", "each refusal counts what was done so far, so no two are alike"),
]


@contextmanager
def following(source: Memory, index: ClusterIndex) -> Iterator[CountingFollower]:
    """Follows beside the test."""
    follower, ended = CountingFollower(source, index), Event()
    thread = Thread(target=follow, args=(follower, ended.is_set, lambda _: time.sleep(0.1)))
    thread.start()
    try:
        yield follower
    finally:
        ended.set()
        thread.join(PATIENCE)
    assert not thread.is_alive()


def locate(node: str, database: str, name: str) -> tuple[ClusterIndex, ClusterIndex]:
    """Locates an index to be disturbed and one that is not."""
    war, peace = (ClusterIndex(f"opensearch+{node}/{name}{one}", database) for one in ("war", "peace"))
    return war, peace


def check(source: Memory, war: ClusterIndex, peace: ClusterIndex, log: str) -> None:
    """Checks that an index lacks nothing, and that it was told once why it waited."""
    assert log.count("the index waits: ") == 1, log
    assert generations.count_behind(war, source.last_change()) == 0
    rebuild_index(source, peace)
    assert content(war) == content(peace)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("trouble", "says", "why"), TROUBLES, ids=[one.__name__ for one, *_ in TROUBLES])
def test_the_index_waits_and_goes_on_by_itself(
    node: str,
    tmp_path: Path,
    database_url: str,
    caplog: pytest.LogCaptureFixture,
    trouble: Trouble,
    says: str,
    why: str,
    seed: int,
) -> None:
    """Searches are answered meanwhile."""
    dice = random.Random(seed)
    war, peace = locate(node, database_url, f"{trouble.__name__.replace('_', '')}{seed}")
    source = Memory(*corpus(PAGES, seed))
    left = dice.randint(0, PAGES - 1)
    with following(source, war) as follower:
        until(lambda: generations.current_generation(war), "an index")
        until(lambda: follower.count_waiting() <= left, "the first pages")
        with closing(SearchService(tmp_path, index=SeenIndex(war))) as search, trouble(node):
            put_until_refused(source, follower, dice)
            assert says in follower.refusals[-1], why
            assert search.search("amber OR basil").total
            source.remove("http://new.example/0")
        until(lambda: not follower.count_waiting(), "the pages that were refused", LIFTED_SECONDS)
    check(source, war, peace, caplog.text)


def put_until_refused(source: Memory, follower: CountingFollower, dice: random.Random) -> None:
    """Changes pages for as long as the cluster takes that."""
    numbers, refusals = count(), dice.randint(REFUSALS, 2 * REFUSALS)
    urls = list(source._last)
    changes: list[Callable[[], None]] = [
        lambda: source.put(page(dice.choice(urls), f"basil {dice.random()}")),
        lambda: source.remove(dice.choice(urls)),
        lambda: source.copy(*dice.sample(urls, 2)),
    ]

    def is_refused() -> bool:
        if not follower.count_waiting():
            source.put(page(f"http://new.example/{next(numbers)}", "amber"))
            dice.choice(changes)()
        return len(follower.refusals) >= refusals

    until(is_refused, "refusals", LIFTED_SECONDS)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_first_index_waits_for_room(
    node: str, database_url: str, caplog: pytest.LogCaptureFixture, seed: int
) -> None:
    """While all disks are full a cluster makes no index."""
    refusals = random.Random(seed).randint(REFUSALS, 4 * REFUSALS)
    war, peace = locate(node, database_url, f"first{seed}")
    source = Memory(*corpus(PAGES, seed))
    with ExitStack() as trouble:
        trouble.enter_context(full_disk(node))
        with following(source, war) as follower:
            until(lambda: len(follower.refusals) >= refusals, "refusals")
            assert "create-index blocked" in follower.refusals[-1]
            trouble.close()
            until(lambda: not follower.count_waiting(), "all pages", LIFTED_SECONDS)
    check(source, war, peace, caplog.text)


@pytest.mark.slow
@pytest.mark.parametrize("trouble", [full_disk, one_full_disk])
def test_commands_say_so_in_one_line(node: str, tmp_path: Path, database_url: str, trouble: Trouble) -> None:
    """The old index stays; what was removed meanwhile leaves it once there is room."""
    data, name = small_folder(tmp_path), trouble.__name__.replace("_", "")
    cluster = f"opensearch+{node}/commands{name}"
    scrapy(data, "move", database_url, cluster)
    (data / "crawl.toml").write_text(f'database = "{database_url}"\nindex = "{cluster}"\n', "utf-8")
    scrapy(data, "rebuild")
    before = search(data)
    with serving(data) as address, trouble(node):
        until(lambda: "indices" in list_blocks(node), "a block of what is there", LIFTED_SECONDS)
        for words in (("rebuild",), ("rebuild", "--rollback"), ("remove", before[0], "--reason", "a test")):
            said = scrapy(data, *words, code=2).stderr
            assert said.count("\n") == 1, said
            assert "overloaded" in said
            assert search(data) == before
            until(lambda: ask_page(address) == before, "an answer of the page")
    for words in (("rebuild",), ("rebuild", "--rollback")):
        scrapy(data, *words)
        assert sorted(search(data)) == sorted(before[1:])


def ask_page(address: str) -> list[str]:
    """The URLs that a search page finds, none where it has to wait for long."""
    with suppress(HTTPError):
        return [hit["url"] for hit in ask(address, "moulting")["hits"]]
    return []


def search(data: Path) -> list[str]:
    """The URLs that a search finds."""
    found = json.loads(scrapy(data, "search", "--json", "moulting").stdout)
    return [hit["url"] for hit in found["hits"]]
