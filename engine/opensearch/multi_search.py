"""Sends several searches in one request."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engine.opensearch.errors import explain_refusal, read_refusal

if TYPE_CHECKING:
    from opensearchpy import OpenSearch

WHOLE = {"allow_partial_search_results": False}  # an answer without some shards would be a wrong one


def search_all(client: "OpenSearch", bodies: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Searches for each of the bodies. Raises ClusterError, or IndexMissing, where one of them is refused."""
    answer = client.msearch(body=[line for body in bodies for line in (WHOLE, body)])
    answers: list[dict[str, Any]] = answer["responses"]
    for one in answers:
        if "error" in one:
            location = getattr(client.transport, "location", "the cluster")
            raise explain_refusal(location, int(one["status"]), *read_refusal(one["error"]))
    return answers
