"""A request is answered by the nodes that can, in a time that is bounded over all of them."""

import logging
from collections.abc import Iterator
from typing import Any

import pytest

from engine.errors import EngineError, IndexMissing
from engine.opensearch import ClusterError, OverloadedError, UnavailableError, open_client
from tests.engine.opensearch.nodes import ROOT, SILENT, answer, locate, refuse, run_node
from tests.web.scripted import Answer, Route, Site

FOUND: dict[str, Any] = {"hits": {"hits": []}}


@pytest.fixture
def pair() -> Iterator[tuple[Site, Site]]:
    """Two nodes; the routes of the second are those of a healthy one."""
    with run_node() as first, run_node({"/pages/_search": answer(FOUND)}) as second:
        yield first, second


def search(*nodes: Site, times: int = 1, **options: Any) -> list[object]:
    """Searches, each node in turn."""
    with open_client(locate(*nodes)) as client:
        return [client.search(index="pages", body={}, **options) for _ in range(times)]


@pytest.mark.parametrize(
    ("fails", "why"),
    [
        (Answer(503, "no cluster manager"), "it has lost its cluster"),
        (Answer(502), "a proxy before it"),
        (refuse(503, "search_phase_execution_exception", "all shards failed"), "it lacks the others"),
        (Answer(drop=True), "it was killed while it answered"),
        (Answer(raw=b"junk\r\n\r\n"), "no HTTP"),
        (Answer(200, b"\xff", {"Content-Type": "application/json"}), "no UTF-8"),
    ],
)
def test_another_node_answers(
    pair: tuple[Site, Site], caplog: pytest.LogCaptureFixture, fails: Answer, why: str
) -> None:
    """In one line it is said why, once: after that the node is not asked."""
    pair[0].routes["/pages/_search"] = fails
    with caplog.at_level(logging.INFO):
        assert search(*pair, times=4) == [FOUND] * 4, why
    assert pair[0].paths.count("/pages/_search") == 1
    assert len(caplog.records) == 1
    assert caplog.messages[0].startswith("asking again: ")


def test_a_node_that_is_gone(pair: tuple[Site, Site]) -> None:
    with run_node() as third:
        pass
    assert search(pair[1], third, times=4) == [FOUND] * 4


@pytest.mark.parametrize(
    ("refusal", "expected", "why"),
    [
        (refuse(400, "parsing_exception", "unknown query [x]"), ClusterError, "no node would take it"),
        (refuse(404, "index_not_found_exception", "no such index [pages]"), IndexMissing, "all know that"),
        (refuse(429, "circuit_breaking_exception", "Data too large"), OverloadedError, "the others as much"),
    ],
)
def test_what_no_other_node_is_asked(
    pair: tuple[Site, Site], refusal: Answer, expected: type[EngineError], why: str
) -> None:
    for node in pair:
        node.routes["/pages/_search"] = refusal
    with pytest.raises(expected) as told:
        search(*pair)
    assert sum(node.paths.count("/pages/_search") for node in pair) == 1, why
    assert "\n" not in str(told.value)


def test_a_node_that_keeps_silent_is_given_up(pair: tuple[Site, Site]) -> None:
    """The time is over then; but the next who search ask another node."""
    pair[0].routes["/pages/_search"] = SILENT
    told = list[str]()
    with open_client(locate(*pair)) as client:
        for _ in pair:
            try:
                client.search(index="pages", body={}, request_timeout=1)
            except UnavailableError as error:
                told.append(str(error))
        assert [client.search(index="pages", body={}, request_timeout=60) for _ in range(4)] == [FOUND] * 4
    assert told == [f"cannot reach {locate(*pair)}: no answer within 1 s; is the cluster up?"]


def test_all_nodes_fail(pair: tuple[Site, Site]) -> None:
    for node in pair:
        node.routes["/pages/_search"] = Answer(503)
    with pytest.raises(UnavailableError, match="are enough of its nodes up"):
        search(*pair)
    assert [node.paths.count("/pages/_search") for node in pair] == [1, 1]


def test_one_node_is_asked_twice() -> None:
    """A connection that was kept may have been closed by then."""
    answers = iter([Answer(drop=True), answer(FOUND)])
    with run_node({"/pages/_search": lambda _: next(answers)}) as node:
        assert search(node) == [FOUND]


def test_what_the_server_waits_for_is_told_to_it() -> None:
    """opensearch-py would take `timeout` for its own, in seconds."""
    routes: dict[str, Route] = {"/_cluster/health/pages": answer({"status": "green"})}
    with run_node(routes) as node, open_client(locate(node)) as client:
        client.cluster.health(index="pages", wait_for_status="green", timeout="60s", request_timeout=70)
        assert "timeout=60s" in node.paths[-1]
        assert "request_timeout" not in node.paths[-1]


def test_what_may_be_missing_is_asked_again_for_as_well() -> None:
    """What is to be ignored is ignored in the second attempt, too."""
    answers = iter([Answer(503), answer({"found": False}, 404)])
    with run_node({"/pages/_doc/1": lambda _: next(answers)}) as node, open_client(locate(node)) as client:
        assert client.get(index="pages", id="1", ignore=404) == {"found": False}
        assert client.info() == ROOT
