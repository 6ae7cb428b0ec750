"""Opens one moment of an index, a point in time: what is written later is not in it."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from engine.errors import IndexMissing
from engine.index.searching import SnapshotLostError
from engine.opensearch import ClusterError, UnavailableError, search_all

if TYPE_CHECKING:
    from opensearchpy import OpenSearch

KEEP_ALIVE = "5m"  # of a moment that nobody asks
# Of searches in a moment: nobody asked for too long, or it went with the node that had it.
_GONE = (404, 503)

Answer = dict[str, Any]
SearchAll = Callable[..., Sequence[Answer]]
"""Searches for each of some bodies, in one request: Moment.search."""


class MomentLostError(UnavailableError, SnapshotLostError):
    """The cluster has the moment no more; it may answer from a new one."""


class Moment:
    """One moment of an index, until close(). Threads may share it.

    Methods raise ClusterError where the cluster cannot answer; MomentLostError where a new moment may.
    """

    def __init__(self, client: "OpenSearch", index: str) -> None:
        self._client, self.index, self.is_lost = client, index, False
        answer = client.create_pit(index=index, params={"keep_alive": KEEP_ALIVE})
        self._point = {"id": answer["pit_id"], "keep_alive": KEEP_ALIVE}
        self.name = f"{index} {sha256(answer['pit_id'].encode()).hexdigest()}"  # no other moment has it

    def close(self) -> None:
        """Gives it back; a cluster that is away forgets it by itself."""
        with suppress(ClusterError):
            self._client.delete_pit(body={"pit_id": [self._point["id"]]})

    def search(self, *bodies: Answer) -> Sequence[Answer]:
        """Searches for each of the bodies, in one request."""
        asked = [{"pit": self._point, **body} for body in bodies]
        try:
            return search_all(self._client, asked)
        except IndexMissing as error:
            self.is_lost = True
            raise MomentLostError(str(error)) from error
        except ClusterError as error:
            if error.status not in _GONE:
                raise
            self.is_lost = True
            raise MomentLostError(str(error), error.status, error.kind) from error
