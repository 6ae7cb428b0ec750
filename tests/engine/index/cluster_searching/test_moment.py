"""A moment that the cluster has no more is told apart from a cluster that cannot answer."""

from typing import Any
from unittest.mock import Mock

import pytest

from engine.errors import EngineError
from engine.index.cluster_searching.moment import Moment, MomentLostError
from engine.index.searching.snapshot import SnapshotLostError
from engine.opensearch.errors import ClusterError, OverloadedError, UnavailableError

RAISED: list[tuple[EngineError, bool, str]] = [
    (ClusterError("no context", 404, "search_phase_execution_exception"), True, "nobody asked for too long"),
    (UnavailableError("no shard", 503), True, "it went with its node, others may have the shard"),
    (UnavailableError("no answer"), False, "the cluster is away, and so it is for another moment"),
    (OverloadedError("too much", 429), False, "it is there"),
    (ClusterError("what?", 400), False, "asked again it would be the same"),
]


def open_moment(error: Exception | None) -> tuple[Moment, Any]:
    client = Mock()
    client.create_pit.return_value = {"pit_id": "7"}
    client.msearch.side_effect = error
    client.msearch.return_value = {"responses": [{"hits": {}}]}
    return Moment(client, "index"), client


@pytest.mark.parametrize(("error", "is_lost", "why"), RAISED, ids=[why for *_, why in RAISED])
def test_what_another_moment_may_answer(error: EngineError, is_lost: bool, why: str) -> None:
    moment, _ = open_moment(error)
    with pytest.raises(type(error)) as raised:
        moment.search({})
    assert (
        isinstance(raised.value, SnapshotLostError) == isinstance(raised.value, MomentLostError) == is_lost
    ), why
    assert moment.is_lost == is_lost


def test_all_is_asked_of_the_moment_until_it_is_given_back() -> None:
    moment, client = open_moment(None)
    assert moment.search({"size": 3}) == [{"hits": {}}]
    _, body = client.msearch.call_args.kwargs["body"]
    assert (body["pit"]["id"], body["size"]) == ("7", 3)
    client.delete_pit.side_effect = UnavailableError("no answer")
    moment.close()
    client.delete_pit.assert_called_once_with(body={"pit_id": ["7"]})
