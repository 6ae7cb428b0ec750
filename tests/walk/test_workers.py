"""`scrapy serve --workers 4`: whoever answers, the answer is the same, and so are a client's limits."""

import http.client
import os
import re
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from urllib.parse import urlencode

import pytest

from engine.index.indexing.follow import Follower
from engine.search.search import CHECK_SECONDS
from engine.suggest.past_queries import UNANSWERED_FILE
from search_ui.server.connections import CLIENT_CONNECTIONS
from tests.engine.index.source import Memory, corpus, page
from tests.running import command, run_apart, until
from tests.workers import Workers, get, search, serving_by

WORKERS = 4
BURST = 7
TOML = f"""[serve]
burst = {BURST}
requests_per_second = 1
past_queries = true
unanswered_query_days = 30
trusted_proxies = ["127.0.0.1"]
"""
QUERIES = ("amber", "amber basil", '"amber basil"', "jade -kelp", "ambr", "site:a.example lotus", "nowhere")
Connections = Sequence[http.client.HTTPConnection]


@pytest.fixture(scope="module")
def source() -> Memory:
    return Memory(*corpus(40))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory, source: Memory) -> Path:
    folder = tmp_path_factory.mktemp("workers")
    (folder / "crawl.toml").write_text(TOML, encoding="utf-8")
    Follower(source, folder).catch_up()
    return folder


@pytest.fixture(scope="module")
def workers(data: Path) -> Iterator[Workers]:
    with serving_by(data, WORKERS) as found:
        yield found


@pytest.fixture
def each(workers: Workers) -> Iterator[Connections]:
    """A connection to each worker."""
    with workers.one_each() as connections:
        yield connections


@pytest.mark.slow
@pytest.mark.requirement(290)
def test_answers_are_equal(each: Connections) -> None:
    for words in QUERIES:
        first, *others = [search(connection, words) for connection in each]
        assert others == [first] * (WORKERS - 1), words
    assert search(each[0], "amber")["total"] > 0


@pytest.mark.requirement(290)
def test_a_commit_is_seen_by_all_within_a_second(each: Connections, source: Memory, data: Path) -> None:
    for connection in each:
        assert search(connection, "whimbrel")["total"] == 0
    source.put(page("https://new.example/", "A whimbrel"))
    Follower(source, data).catch_up()
    time.sleep(CHECK_SECONDS)
    assert [search(connection, "whimbrel")["total"] for connection in each] == [1] * WORKERS


def test_a_client_has_one_bucket_for_all_workers(each: Connections) -> None:
    statuses = [
        get(each[turn % WORKERS], "/robot", X_Forwarded_For="192.0.2.7")[0] for turn in range(3 * BURST)
    ]
    assert statuses[:BURST] == [200] * BURST
    assert statuses[-1] == 429
    assert statuses.count(200) < 2 * BURST, "one a second comes back"
    assert get(each[0], "/robot", X_Forwarded_For="192.0.2.8")[0] == 200


def test_metrics_are_those_of_all_workers(each: Connections) -> None:
    def counted(connection: http.client.HTTPConnection) -> tuple[int, int]:
        _, text = get(connection, "/metrics")
        found = re.findall(r'lycosa_http_request\S+(?:_total|_count)\{route="/why"[^}]*\} (\d+)', text)
        requests, timed = map(int, found) if found else (0, 0)
        return requests, timed

    before = counted(each[0])
    for number, connection in enumerate(each):
        for _ in range(number + 1):
            get(connection, "/why")
    more = sum(range(WORKERS + 1))
    assert [counted(connection) for connection in each] == [(before[0] + more, before[1] + more)] * WORKERS


def test_queries_of_three_networks_are_offered_by_all(each: Connections) -> None:
    def offered(connection: http.client.HTTPConnection) -> bool:
        return "jade olive" in get(connection, "/api/suggest?q=jade+o", X_Forwarded_For="192.0.2.100")[1]

    for number, connection in enumerate(each[:3]):
        assert not offered(connection)
        asked = {"X_Forwarded_For": f"198.51.{number}.1", "Sec_Fetch_Site": "same-origin"}
        assert get(connection, f"/search?{urlencode({'q': 'jade olive'})}", **asked)[0] == 200
    until(lambda: all(map(offered, each)), "a completion in every worker")


@pytest.mark.slow
def test_queries_without_hits_are_counted_over_all_and_saved_once(tmp_path: Path) -> None:
    (tmp_path / "crawl.toml").write_text(TOML, encoding="utf-8")
    Follower(Memory(*corpus(3)), tmp_path).catch_up()
    with serving_by(tmp_path, 2) as workers, workers.one_each() as (one, other):
        for connection, words, network in (
            *((one, "zyzzyva", 1), (other, "zyzzyva", 2), (one, "zyzzyva", 3), (other, "zyzzyva", 3)),
            *((one, "quokka", 1), (other, "quokka", 1), (one, "quokka", 2)),
        ):
            asked = {"X_Forwarded_For": f"198.51.{network}.1", "Sec_Fetch_Site": "same-origin"}
            assert get(connection, f"/search?q={words}", **asked)[0] == 200
    (line,) = (tmp_path / UNANSWERED_FILE).read_text(encoding="utf-8").splitlines()
    assert line.split("\t")[:2] == ["zyzzyva", "3"]


@pytest.mark.slow
def test_submissions_of_a_day_are_counted_over_all(each: Connections) -> None:
    """One hundred, of which none comes back within a test."""
    statuses = list[int]()
    for turn in range(104):
        connection = each[turn % WORKERS]
        body = urlencode({"url": f"https://www.example.org/{turn}.html"})
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        # From this machine, as it alone has no bucket of requests: the proxy says nothing of anybody.
        connection.request("POST", "/api/submit", body, form)
        with connection.getresponse() as answer:
            answer.read()
            statuses.append(answer.status)
    assert statuses == [202] * 100 + [429] * 4


def test_wrong_tokens_are_counted_over_all(each: Connections) -> None:
    """Ten an hour."""
    statuses = [
        get(each[turn % WORKERS], "/api/recrawl/1", Authorization="Bearer wrong")[0] for turn in range(12)
    ]
    assert statuses == [401] * 10 + [429] * 2


@pytest.mark.slow
def test_connections_of_a_client_are_counted_over_all(tmp_path: Path) -> None:
    """Who has as many as one may have in one worker gets none in another, until one of them ends."""
    Follower(Memory(*corpus(2)), tmp_path).catch_up()
    with serving_by(tmp_path, 2) as workers:
        with workers.one_each() as each:
            one, other = map(workers.owner, each)
        until(lambda: not (workers.ports_of(one) or workers.ports_of(other)), "the end of these")
        os.kill(other, signal.SIGSTOP)
        held = [workers.connect() for _ in range(CLIENT_CONNECTIONS)]
        until(lambda: len(workers.ports_of(one)) == CLIENT_CONNECTIONS, "all of them")
        os.kill(one, signal.SIGSTOP)  # so that it ends none of them
        os.kill(other, signal.SIGCONT)
        assert _ask(workers) == 503
        os.kill(one, signal.SIGCONT)
        for connection in held:
            connection.close()
        until(lambda: _ask(workers) == 200, "their share")


def _ask(workers: Workers) -> int:
    with closing(workers.connect()) as connection:
        return get(connection, "/robot")[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("toml", "words", "said"),
    [
        ("", ["--workers", "0"], "scrapy serve: --workers 0: 1 to 64 are possible"),
        ("", ["--workers", "65"], "scrapy serve: --workers 65: 1 to 64 are possible"),
        (
            'public_url = "https://www.example.org/static/"\n',
            ["--workers", "2", "--port", "0"],
            "public_url: /static is a path of the search page's own",
        ),
    ],
)
def test_mistakes_of_the_operator(tmp_path: Path, toml: str, words: Sequence[str], said: str) -> None:
    """Also one that only a worker meets: it is said, and nothing is tried again."""
    (tmp_path / "crawl.toml").write_text(toml, encoding="utf-8")
    done = run_apart(command(tmp_path, "serve", *words))
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
