"""Writes in bulk: bounded requests, every document checked, and what is refused for now sent again."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

import pytest

from engine.errors import EngineError, IndexMissing
from engine.opensearch import (
    BULK_BYTES,
    BulkAction,
    BulkCounts,
    ClusterError,
    OverloadedError,
    ProductError,
    UnavailableError,
    open_client,
    write_bulk,
)
from engine.opensearch.bulk import BULK_TRIES, FIRST_WAIT
from tests.engine.opensearch.nodes import answer, locate, refuse, run_node
from tests.web.scripted import Answer, Site

WRITTEN = {"index": {"status": 201}}
DELETED = {"delete": {"status": 404}}
MANY = 20


def failed(status: int, kind: str = "some_exception", reason: str = "why") -> dict[str, Any]:
    """What is said of an action that failed."""
    return {"index": {"status": status, "error": {"type": kind, "reason": reason}}}


STALE = failed(409, "version_conflict_engine_exception", "current version [9] is higher")
REFUSED = failed(429, "opensearch_rejected_execution_exception", "coordinating_rejected_exception")


def make_actions(count: int) -> list[BulkAction]:
    """Actions whose documents are longer and longer, so that lengths of requests say what is in them."""
    return [BulkAction(str(number), 7, {"body": "x" * 10**number}) for number in range(count)]


def items(*told: dict[str, Any]) -> Answer:
    return answer({"items": told})


@contextmanager
def run_index(*answers: Answer) -> Iterator[Site]:
    """Runs a node with an index `pages` that answers these bulk requests, the last one again and again."""
    left = list(answers)

    def reply(_: str) -> Answer:
        return left.pop(0) if len(left) > 1 else left[0]

    with run_node({"/pages": Answer(), "/pages/_bulk": reply}) as node:
        yield node


def lengths(node: Site) -> list[int]:
    """The lengths of the bulk requests that came."""
    requests = [request for request in node.log if request.path.startswith("/pages/_bulk")]
    return [int(request.headers["content-length"]) for request in requests]


def run_bulk(node: Site, actions: Sequence[BulkAction], waits: list[float] | None = None) -> BulkCounts:
    waits = [] if waits is None else waits
    with open_client(locate(node)) as client:
        return write_bulk(client, "pages", iter(actions), sleep=waits.append)


def test_what_becomes_of_actions() -> None:
    actions = [*make_actions(3), BulkAction("9", 7, None)]
    with run_index(items(WRITTEN, STALE, WRITTEN, DELETED)) as node:
        assert run_bulk(node, actions) == BulkCounts(written=3, stale=1)


TOO_MUCH = failed(400, "illegal_argument_exception", "too many tokens for field")


def test_a_document_that_is_refused_for_what_it_is_leaves(caplog: pytest.LogCaptureFixture) -> None:
    """A stranger's page stops nobody; what it was before is found no more."""
    with run_index(items(WRITTEN, TOO_MUCH, WRITTEN), items(DELETED)) as node:
        waits = list[float]()
        assert run_bulk(node, make_actions(3), waits) == BulkCounts(written=3, left_out=1)
        removal = b'{"delete":{"_id":"1","version":7,"version_type":"external_gte"}}\n'
        assert lengths(node)[1] == len(removal)
    assert not waits
    assert "a page is left out: " in caplog.text
    assert "too many tokens" in caplog.text


def test_where_none_of_several_is_taken_it_is_no_fault_of_theirs() -> None:
    with (
        run_index(items(TOO_MUCH, TOO_MUCH, TOO_MUCH)) as node,
        pytest.raises(ClusterError, match="too many"),
    ):
        run_bulk(node, make_actions(3))


def test_nothing_to_do_is_no_request() -> None:
    with run_index(items()) as node:
        assert run_bulk(node, []) == BulkCounts()
        assert lengths(node) == []


def test_what_is_refused_for_now_is_sent_again() -> None:
    """That alone, and after waits that double."""
    with run_index(items(WRITTEN, REFUSED, REFUSED, STALE), items(REFUSED, WRITTEN), items(WRITTEN)) as node:
        waits = list[float]()
        assert run_bulk(node, make_actions(4), waits) == BulkCounts(written=3, stale=1, repeated=3)
        sent = lengths(node)
    assert waits == [FIRST_WAIT, FIRST_WAIT * 2]
    one = sent[2]  # its document has ten letters, the third a hundred
    assert sent[1] == one + one + 90


def test_a_request_that_is_refused_as_a_whole() -> None:
    """By the circuit breaker, which has not looked at what is in it."""
    breaker = refuse(429, "circuit_breaking_exception", "Data too large")
    with run_index(breaker, items(WRITTEN, WRITTEN)) as node:
        waits = list[float]()
        assert run_bulk(node, make_actions(2), waits) == BulkCounts(written=2, repeated=2)
        assert len({*lengths(node)}) == 1
    assert waits == [FIRST_WAIT]


AWAY = failed(503, "unavailable_shards_exception", "primary")


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ([items(WRITTEN, AWAY), items(AWAY), items(WRITTEN)], "a shard that another node takes over"),
        ([*[answer({}, 503)] * 4, items(WRITTEN, WRITTEN)], "a cluster that has only begun"),
        ([*[Answer(drop=True)] * 4, items(WRITTEN, WRITTEN)], "a node that is restarted"),
    ],
)
def test_a_node_that_is_away_for_a_moment_costs_nothing(told: Sequence[Answer], why: str) -> None:
    with run_index(*told) as node:
        waits = list[float]()
        assert run_bulk(node, make_actions(2), waits).written == 2, why
    assert waits == [FIRST_WAIT, FIRST_WAIT * 2], why


@pytest.mark.parametrize(
    ("told", "waited", "why"),
    [
        ([*[answer({}, 503)] * 4, Answer()], 2, "it is back before anything was sent"),
        ([Answer(drop=True)], BULK_TRIES - 1, "it stays away: the error of the last try"),
    ],
)
def test_a_node_that_is_away_before_anything_is_sent(told: list[Answer], waited: int, why: str) -> None:
    def reply(_: str) -> Answer:
        return told.pop(0) if len(told) > 1 else told[0]

    waits, is_back = list[float](), len(told) > 1
    end = nullcontext() if is_back else pytest.raises(UnavailableError)
    with run_node({"/pages": reply, "/pages/_bulk": items(WRITTEN)}) as node, end:
        assert run_bulk(node, make_actions(1), waits).written == 1, why
    assert waits == [FIRST_WAIT * 2**number for number in range(waited)], why


@pytest.mark.parametrize("refusal", [items(REFUSED), refuse(429, "circuit_breaking_exception", "too large")])
def test_a_cluster_that_takes_nothing_for_long(refusal: Answer) -> None:
    with run_index(refusal) as node:
        waits = list[float]()
        with pytest.raises(OverloadedError, match="is overloaded"):
            run_bulk(node, make_actions(1), waits)
        assert len(lengths(node)) == BULK_TRIES
    assert waits == [FIRST_WAIT * 2**number for number in range(BULK_TRIES - 1)]
    assert 20 < sum(waits) < 60


@pytest.mark.parametrize(
    ("told", "expected", "says", "why"),
    [
        (
            items(WRITTEN, failed(500, "mapper_parsing_exception", "no [f]"), failed(500)),
            ClusterError,
            "no [f]",
            "the first reason counts",
        ),
        (items(REFUSED, failed(500), WRITTEN), ClusterError, "why", "waiting would not mend it"),
        (
            items(WRITTEN, WRITTEN, failed(404, "index_not_found_exception", "no such index [pages]")),
            IndexMissing,
            "no such index",
            "it was deleted meanwhile",
        ),
        (items(WRITTEN), ProductError, "3 documents", "two are not spoken of"),
        (answer({}), ProductError, "3 documents", "none is"),
        (answer([]), ProductError, "3 documents", "another form"),
        (Answer(413, "too large"), ClusterError, "(413): too large", "a proxy's limit"),
        (Answer(401, "Unauthorized"), EngineError, "refuses the login", "the password was changed"),
    ],
)
def test_what_is_refused_for_good(told: Answer, expected: type[EngineError], says: str, why: str) -> None:
    with run_index(told) as node:
        waits = list[float]()
        with pytest.raises(expected) as failure:
            run_bulk(node, make_actions(3), waits)
        assert says in str(failure.value), why
        assert (len(lengths(node)), waits) == (1, [])


def test_requests_are_bounded() -> None:
    """And what is longer than the bound goes by itself."""
    size = BULK_BYTES // 3
    bodies = ["x" * size] * 4 + ["x" * (BULK_BYTES + 1)] + ["x"] * 3
    actions = [BulkAction(str(number), 7, {"body": body}) for number, body in enumerate(bodies)]
    told = [items(*[WRITTEN] * count) for count in (2, 2, 1, 3)]
    with run_index(*told) as node:
        assert run_bulk(node, actions) == BulkCounts(written=8)
        sent = lengths(node)
    assert [length > BULK_BYTES for length in sent] == [False, False, True, False]


def test_actions_are_read_as_they_are_sent() -> None:
    """So many of them need not fit into memory."""
    read = list[int]()

    def make() -> Iterator[BulkAction]:
        for number in range(MANY):
            read.append(number)
            yield BulkAction(str(number), 7, {"body": "x" * BULK_BYTES})

    with run_index(items(failed(403))) as node, open_client(locate(node)) as client:
        with pytest.raises(ClusterError):
            write_bulk(client, "pages", make())
        assert len(read) == 2


def test_an_index_that_is_not_there() -> None:
    """The cluster would make one of its own, without our mapping."""
    with run_node({"/pages": Answer(404)}) as node:
        with pytest.raises(IndexMissing, match="has no index pages"):
            run_bulk(node, make_actions(1))
        assert lengths(node) == []
