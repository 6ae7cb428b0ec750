"""Several searches in one request: all are answered, or the first that is refused is told."""

from typing import Any
from unittest.mock import Mock

import pytest

from engine.errors import IndexMissing
from engine.opensearch.errors import ClusterError, OverloadedError, UnavailableError
from engine.opensearch.multi_search import WHOLE, search_all

ANSWER = {"hits": {"hits": []}, "status": 200}
REFUSED = [
    (404, "search_phase_execution_exception", ClusterError, "a moment that is gone"),
    (404, "index_not_found_exception", IndexMissing, "an index that is gone"),
    (429, "circuit_breaking_exception", OverloadedError, "too much at once"),
    (503, "search_phase_execution_exception", UnavailableError, "shards that are away"),
    (400, "parsing_exception", ClusterError, "what nobody understands"),
]


def client_of(*answers: Any) -> Any:
    client = Mock()
    client.transport.location = "opensearch+http://127.0.0.1"
    client.msearch.return_value = {"responses": list(answers)}
    return client


def test_each_has_its_answer() -> None:
    client = client_of(ANSWER, ANSWER)
    assert search_all(client, [{"size": 1}, {"size": 2}]) == [ANSWER, ANSWER]
    client.msearch.assert_called_once_with(body=[WHOLE, {"size": 1}, WHOLE, {"size": 2}])


@pytest.mark.parametrize(("status", "kind", "expected", "why"), REFUSED, ids=[why for *_, why in REFUSED])
def test_a_refusal_is_our_error(status: int, kind: str, expected: type[Exception], why: str) -> None:
    cause = {"type": "inner", "reason": "for a reason"}
    error = {"type": kind, "reason": "all shards failed", "root_cause": [cause]}
    with pytest.raises(expected, match="for a reason") as raised:
        search_all(client_of(ANSWER, {"error": error, "status": status}), [{}, {}])
    assert getattr(raised.value, "status", status) == status, why
