"""Which URL comes next: breadth first across hosts; inside a host by depth, priority, known inlinks."""

from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.crawl import Limits
from engine.database import hosts, open_database, urls
from engine.frontier.host_queue import MAX_IN_MEMORY, MAX_LENGTH, MIN_LENGTH, HostQueue, queue_length
from engine.frontier.order import fill_queues
from engine.frontier.politeness import PACES
from engine.frontier.robots_cache import RobotsCache
from engine.model import State
from tests.crawling import HOST, Clock, Web, crawl_of, run, step

TRAP = "http://trap.example"
QUOTA = 150  # queries of one path


@pytest.mark.requirement(15, 240)
@pytest.mark.parametrize(
    ("pages", "priorities", "order", "why"),
    [
        ({"/": "/x /y", "/x": "/deep"}, {}, "/ /x /y /deep", "depth first of all"),
        ({"/": "/x /y"}, {"/y": 0.9}, "/ /y /x", "what a sitemap prefers"),
        (
            {"/": "/1 /2 /a /b", "/1": "/b", "/2": "/b"},
            {},
            "/ /1 /2 /a /b",
            "a page's links are known only once it was read: the line was in memory by then",
        ),
        (
            {"/": "/1 /2", "/1": "/c /d /e", "/2": "/d /e", "/c": "/e"},
            {},
            "/ /1 /2 /d /e /c",
            "two pages link to /d and /e, one to /c; between equals the first found",
        ),
        (
            {"/": "/1 /2", "/1": "/c /d", "/2": "/d"},
            {"/c": 0.9},
            "/ /c /1 /2 /d",
            "priority before inlinks; who is listed has depth 1",
        ),
        (
            {"/": "/1 /2 /3", "/1": "/c", "/2": "/x /d", "/3": "/d /d?1", "/c": "/y", "/d": "/y /d?1"},
            {},
            "/ /1 /2 /3 /d /c /x /d?1 /y",
            "depth before inlinks",
        ),
    ],
)
def test_the_order_inside_a_host(
    tmp_path: Path, pages: dict[str, str], priorities: dict[str, float], order: str, why: str
) -> None:
    paths = {*pages, *" ".join(pages.values()).split()}
    web = Web({HOST + path: [HOST + to for to in pages.get(path, "").split()] for path in sorted(paths)})
    listed = "".join(
        f"<url><loc>{HOST}{path}</loc><priority>{value}</priority></url>"
        for path, value in priorities.items()
    )
    if listed:
        web.sitemaps = {f"{HOST}/sitemap.xml": f"<urlset>{listed}</urlset>"}
    clock = Clock()
    run(crawl_of(tmp_path, clock), web, clock)
    assert [url.removeprefix(HOST) for url in web.asked()] == order.split(), why


@pytest.mark.requirement(15)
def test_five_hosts_are_done_before_a_trap_has_its_quota(tmp_path: Path) -> None:
    """Breadth first across hosts."""
    hosts = [f"http://h{n}.example" for n in range(5)]
    answers: dict[str, int | list[str]] = {f"{TRAP}/": [f"{TRAP}/?0"]}
    answers |= {f"{TRAP}/?{n}": [f"{TRAP}/?{2 * n + 1}", f"{TRAP}/?{2 * n + 2}"] for n in range(QUOTA)}
    for host in hosts:
        answers |= {f"{host}/": [f"{host}/{n}" for n in range(1, 20)]}
        answers |= {f"{host}/{n}": [f"{host}/"] for n in range(1, 20)}
    web, clock = Web(answers), Clock()
    limits = Limits(queries=QUOTA)
    crawl = crawl_of(tmp_path, clock, limits, seeds=(f"{TRAP}/", *(f"{host}/" for host in hosts)))
    while len([url for url in web.asked() if not url.startswith(TRAP)]) < 100:
        assert step(crawl, web, clock)
    assert len([url for url in web.asked() if url.startswith(TRAP)]) < 30


@pytest.mark.requirement(14)
@pytest.mark.parametrize(
    ("hosts", "length", "why"),
    [
        (0, MAX_LENGTH, "before there are any"),
        (1, MAX_LENGTH, "one host"),
        (1_000, MAX_LENGTH, "a hundred each would be too long"),
        (10_000, 10, "what all may have, shared"),
        (1_000_000, MIN_LENGTH, "a line has a few"),
    ],
)
def test_lines_are_shorter_where_there_are_many(hosts: int, length: int, why: str) -> None:
    """Memory bounded."""
    assert queue_length(hosts) == length, why
    assert queue_length(hosts) * hosts <= max(MAX_IN_MEMORY, MIN_LENGTH * hosts), why


@pytest.mark.postgresql
def test_a_long_line_is_read_from_its_beginning(database_url: str) -> None:
    """A server that plans once for all hosts takes the index of what waits, and sorts nothing."""
    engine = open_database(database_url)
    queue = HostQueue(1, "http://h.example", PACES["polite"], RobotsCache(engine))
    with engine.begin() as connection:
        connection.execute(sa.insert(hosts), {"id": 1, "host": queue.host})
        row = {"host_id": 1, "state": State.QUEUED, "found_at": 0.0, "turn": 0}
        connection.execute(sa.insert(urls), [{**row, "url": f"{queue.host}/{n}"} for n in range(5_000)])
        connection.exec_driver_sql("ANALYZE urls")
        connection.exec_driver_sql("SET LOCAL plan_cache_mode = force_generic_plan")
        for _ in range(8):  # psycopg prepares what it has sent some five times
            queue.clear()
            fill_queues(connection, [queue], lambda url: 0, 64)
        prepared = connection.exec_driver_sql("SELECT name, statement FROM pg_prepared_statements").all()
        (name,) = (name for name, statement in prepared if "ORDER BY urls.fails" in statement)
        plan = "\n".join(connection.exec_driver_sql(f"EXPLAIN EXECUTE {name} ('{{1,2}}', 256)").scalars())
    engine.dispose()
    assert "Index Only Scan using urls_in_turn" in plan
    assert "Index Scan using urls_pkey" in plan
    assert "Sort" not in plan
