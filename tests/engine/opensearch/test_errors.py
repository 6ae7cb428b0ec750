"""Each refusal of a cluster has its class and one line that says how to mend it."""

import pytest

from engine.errors import EngineError, IndexMissing
from engine.opensearch.errors import (
    ClusterError,
    LoginError,
    OverloadedError,
    UnavailableError,
    explain_refusal,
)


@pytest.mark.parametrize(
    ("status", "kind", "expected", "says", "why"),
    [
        (401, "", LoginError, "the password in LYCOSA_OPENSEARCH_PASSWORD", "who are you?"),
        (403, "security_exception", LoginError, "one of the user's roles", "he may not"),
        (403, "", LoginError, "one of the user's roles", "a proxy's words"),
        (403, "cluster_block_exception", ClusterError, "(cluster_block_exception)", "the index is closed"),
        (404, "index_not_found_exception", IndexMissing, "crawl or rebuild", "nothing was published"),
        (
            404,
            "search_context_missing_exception",
            ClusterError,
            "search_context_missing",
            "read for too long",
        ),
        (408, "", UnavailableError, "nodes up", "it has not become green"),
        (429, "circuit_breaking_exception", OverloadedError, "overloaded", "no memory"),
        (429, "cluster_block_exception", OverloadedError, "disk", "no disk"),
        (403, "index_create_block_exception", OverloadedError, "disk", "no disk of any node has room"),
        (503, "no_shard_available_action_exception", UnavailableError, "nodes up", "a node is away"),
        (400, "parsing_exception", ClusterError, "(parsing_exception)", "a bug of ours"),
        (302, "", ClusterError, "(302)", "a login page"),
    ],
)
def test_a_refusal(status: int, kind: str, expected: type[EngineError], says: str, why: str) -> None:
    failure = explain_refusal("opensearch+https://a", status, kind, "the\nreason " * 100)
    assert type(failure) is expected, why
    assert says in str(failure)
    assert str(failure).startswith("opensearch+https://a")
    assert "\n" not in str(failure)
    assert len(str(failure)) < 500
    if isinstance(failure, ClusterError):
        assert (failure.status, failure.kind) == (status, kind)
