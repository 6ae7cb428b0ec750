"""Writes documents to an index, many in a request: each is checked, and sent again where that is of use."""

import json
import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass
from operator import add
from typing import TYPE_CHECKING, Any, cast

from engine.errors import EngineError, IndexMissing
from engine.opensearch.errors import ProductError, UnavailableError, explain_refusal

if TYPE_CHECKING:
    from opensearchpy import OpenSearch

BULK_BYTES = 4_000_000  # of one request: larger ones were no faster, and a node holds several in memory
BULK_SECONDS = 60.0  # a node may wait for a merge or for a replica
BULK_TRIES = 7  # with waits of FIRST_WAIT, twice that ...: half a minute
FIRST_WAIT = 0.5  # seconds
_CONFLICT = 409
_BAD_REQUEST = 400
_WRITES = b'{"index":'  # begins an action that has a document
_ANSWER = "items.*.status,items.*.error.type,items.*.error.reason"  # else each document's whole outcome

logger = logging.getLogger("lycosa")
Sleep = Callable[[float], None]


@dataclass(frozen=True)
class BulkAction:
    """Writes a document, or deletes it where it is None; what has a greater version by then stays."""

    key: str
    version: int  # of the change that it follows: external_gte, so that repeating it does no harm
    document: Mapping[str, object] | None


@dataclass(frozen=True)
class BulkCounts:
    """What has become of actions; `repeated` counts the tries that were refused for now, `left_out` what is
    refused for what it is.
    """

    written: int = 0
    stale: int = 0
    repeated: int = 0
    left_out: int = 0

    def __add__(self, other: "BulkCounts") -> "BulkCounts":
        return BulkCounts(*map(add, astuple(self), astuple(other)))


@dataclass(frozen=True)
class _Outcome:
    """What one request has come to: `refused` are the lines to be sent again, and why; `removals` those that
    delete what a document was before it was refused for good.
    """

    counts: BulkCounts
    refused: Sequence[bytes] = ()
    why: EngineError | None = None
    removals: Sequence[bytes] = ()


def write_bulk(
    client: "OpenSearch", index: str, actions: Iterable[BulkAction], sleep: Sleep = time.sleep
) -> BulkCounts:
    """Carries out the actions in their order, BULK_BYTES in a request or one action that is longer.

    A stale one is done already. A document that is refused for what it is, as a stranger's page may be, is
    left out, and the one before it is deleted. Raises a ClusterError for the first that is refused for
    another reason; OverloadedError or another UnavailableError after BULK_TRIES: others may have been carried
    out by then, and to repeat all is right. Raises IndexMissing before anything is sent, as the cluster would
    make an index without our mapping.
    """
    if not _has_index(client, index, sleep):
        raise IndexMissing(f"{_location(client)} has no index {index}: crawl or rebuild")
    counts = BulkCounts()
    for lines in _split(map(_encode, actions)):
        counts += _repeat(client, index, lines, sleep)
    return counts


def _has_index(client: "OpenSearch", index: str, sleep: Sleep) -> bool:
    """Tells whether the index is there; asks again after the same waits while no node answers."""
    for tries in range(BULK_TRIES - 1):
        with suppress(UnavailableError):
            return bool(client.indices.exists(index=index, request_timeout=BULK_SECONDS))
        sleep(FIRST_WAIT * 2**tries)
    return bool(client.indices.exists(index=index, request_timeout=BULK_SECONDS))


def _encode(action: BulkAction) -> bytes:
    """Encodes an action as the lines of a bulk request, each with its end."""
    target = {"_id": action.key, "version": action.version, "version_type": "external_gte"}
    head = {"delete" if action.document is None else "index": target}
    lines: list[object] = [head] if action.document is None else [head, action.document]
    return b"".join(
        json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n" for line in lines
    )


def _split(actions: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Splits encoded actions into requests."""
    lines, size = list[bytes](), 0
    for action in actions:
        if lines and size + len(action) > BULK_BYTES:
            yield lines
            lines, size = [], 0
        lines.append(action)
        size += len(action)
    if lines:
        yield lines


def _repeat(client: "OpenSearch", index: str, lines: Sequence[bytes], sleep: Sleep) -> BulkCounts:
    """Sends a request, and what of it is refused again after waits that double."""
    counts, wait = BulkCounts(), FIRST_WAIT
    for tries_left in reversed(range(BULK_TRIES)):
        outcome = _send(client, index, lines)
        counts += outcome.counts
        lines = [*outcome.refused, *outcome.removals]
        if not lines:
            break
        if outcome.why and not tries_left:
            raise outcome.why
        if outcome.refused:
            sleep(wait)
            wait *= 2
    return counts


def _send(client: "OpenSearch", index: str, lines: Sequence[bytes]) -> _Outcome:
    """Sends one request. Raises the error of the first action that is refused for good, but for what single
    documents are: where it takes none of several, that is no fault of theirs.
    """
    try:
        answer = client.bulk(
            body=b"".join(lines), index=index, filter_path=_ANSWER, request_timeout=BULK_SECONDS
        )
    except UnavailableError as error:  # another node may take its shard over
        return _Outcome(BulkCounts(repeated=len(lines)), lines, error)
    location = _location(client)
    items = _read_items(location, answer, len(lines))
    stale, refused, removals = 0, list[bytes](), list[bytes]()
    why: EngineError | None = None
    for line, item in zip(lines, items, strict=True):
        status, told = item["status"], item.get("error")
        stale += status == _CONFLICT
        if status == _CONFLICT or not told:  # to delete what is not there is a 404, and no error
            continue
        failure = explain_refusal(location, status, told.get("type", ""), told.get("reason", ""))
        is_strange = status == _BAD_REQUEST and line.startswith(_WRITES)
        if is_strange and (len(lines) == 1 or len(removals) < len(lines) - 1):
            logger.warning("a page is left out: %s", failure)
            removals.append(_encode_removal(line))
            continue
        if not isinstance(failure, UnavailableError):
            raise failure
        refused.append(line)
        why = why or failure
    written = len(lines) - stale - len(refused) - len(removals)
    return _Outcome(BulkCounts(written, stale, len(refused), len(removals)), refused, why, removals)


def _encode_removal(line: bytes) -> bytes:
    """Encodes the deletion of what an action would have written."""
    head = json.loads(line[: line.index(b"\n")])
    return json.dumps({"delete": head["index"]}, separators=(",", ":")).encode() + b"\n"


def _read_items(location: str, answer: Any, count: int) -> list[dict[str, Any]]:
    """Reads what has become of each action. Raises ProductError unless it is told of all."""
    items = answer.get("items") if isinstance(answer, dict) else None
    if not isinstance(items, list) or len(items) != count:
        raise ProductError(f"{location} does not say what became of {count:,} documents: is a proxy between?")
    return [next(iter(item.values())) for item in items]


def _location(client: "OpenSearch") -> str:
    """Returns what open_client was given."""
    return str(cast("Any", client.transport).location)
