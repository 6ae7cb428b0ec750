"""Limits connections: in total, per client, and which one is closed when all are in use.

A connection that we owe an answer keeps its slot. One that waits for its client (for a head, a body, or for
an answer to be taken) has a deadline, and gives way to a newcomer when the slots are full: the one that has
waited longest, of the client that has most of them. A newcomer for whom nobody gives way gets a spare slot,
in which /health alone is answered.
"""

import logging
import resource
from asyncio import AbstractEventLoop
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from math import inf

from engine.config import Network
from search_ui.server.clients import identify_peer

MAX_CONNECTIONS = 1_024  # 6 KB each while they say nothing, and one file descriptor
CLIENT_CONNECTIONS = 256  # of one client; a browser opens six, an office behind one address has forty people
FILES = 512  # file descriptors for all else: the index, the crawl database, libraries
LEAST_CONNECTIONS = 64  # however few files the system allows
SPARE = 32  # beyond MAX_CONNECTIONS, for whoever watches over us


logger = logging.getLogger("lycosa")
PROXIES = "proxies"  # as one client: they have no share, and give way last


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Deadlines in seconds for what a client has to do, and bounds for what it sends."""

    head: float = 15.0  # from accept, or from the last answer, until a head is complete
    body: float = 15.0  # from there until the body is; a form of 64 KB takes 11 s at 6 KB/s
    answer: float = 15.0  # to take an answer, and a second more for each `rate` octets of it
    rate: int = 4_096  # octets a second, what a telephone has where there is hardly a signal
    # For what is still sent after a refusal, so that its client sees the answer (RFC 9112, 9.6).
    linger: float = 2.0
    linger_bytes: int = 1024 * 1024
    sweep: float = 1.0  # between looks at the deadlines


@dataclass(eq=False, slots=True)
class ConnectionSlot:
    """The slot of one connection: its client, how it is closed, and its deadline."""

    client: Hashable
    close: Callable[[], None]
    deadline: float = inf
    is_spare: bool = False


class ConnectionCounts:
    """Counts the connections of each client."""

    def __init__(self) -> None:
        self._of: dict[Hashable, int] = {}

    def count(self, client: Hashable) -> int:
        """Counts the connections of a client."""
        return self._of.get(client, 0)

    def add(self, client: Hashable, limit: float) -> bool:
        """Counts one more, and tells whether there were fewer than `limit`; else counts none."""
        count = self._of.get(client, 0)
        if count >= limit:
            return False
        self._of[client] = count + 1
        return True

    def remove(self, client: Hashable) -> None:
        """Counts one less."""
        self._of[client] -= 1
        if not self._of[client]:
            del self._of[client]


@dataclass(slots=True)
class ConnectionLimiter:
    """Limits the connections of a server and of each client; trusted `proxies` bring many clients.

    While it drains, each connection ends with its next answer, or when it has been idle for long.
    """

    max_connections: int = MAX_CONNECTIONS
    max_per_client: int = CLIENT_CONNECTIONS
    max_spare: int = SPARE
    deadlines: Deadlines = field(default_factory=Deadlines)
    proxies: Sequence[Network] = ()
    counts: ConnectionCounts = field(default_factory=ConnectionCounts)
    is_draining: bool = False
    _waiting: dict[Hashable, dict[ConnectionSlot, None]] = field(
        default_factory=dict
    )  # who waits longest stands first
    _spare: dict[ConnectionSlot, None] = field(default_factory=dict)
    _number: int = 0
    _is_watched: bool = False

    def __len__(self) -> int:
        return self._number + len(self._spare)

    def identify_client(self, peer: tuple[str, int] | None) -> Hashable:
        """Identifies whose connection it is, by the address that it comes from."""
        client = identify_peer(peer)
        is_proxy = client.address and any(client.address in network for network in self.proxies)
        return PROXIES if is_proxy else client.network_key

    def acquire(self, client: Hashable, close: Callable[[], None]) -> ConnectionSlot:
        """Acquires a slot for a new connection, and closes the longest waiting one where all are taken."""
        slot = ConnectionSlot(client, close)
        if self._seat(slot):
            return slot
        if giving := self._giving_way(client):
            self._close(giving)
            if self._seat(slot):
                return slot
        slot.is_spare = True
        if len(self._spare) >= self.max_spare:
            self._close(next(iter(self._spare)))
        self._spare[slot] = None
        return slot

    def release(self, slot: ConnectionSlot) -> None:
        """Releases the slot of a connection that is gone; may be called twice."""
        self.clear_deadline(slot)
        slot.close = _nothing
        if slot.is_spare:
            self._spare.pop(slot, None)
        else:
            self._number -= 1
            self.counts.remove(slot.client)
        slot.is_spare = True  # so that it has no slot any more

    def start_deadline(self, slot: ConnectionSlot, deadline: float) -> None:
        """Starts a deadline: it is the client's turn, until then."""
        self.clear_deadline(slot)
        slot.deadline = deadline
        if not slot.is_spare:
            self._waiting.setdefault(slot.client, {})[slot] = None

    def clear_deadline(self, slot: ConnectionSlot) -> None:
        """Clears the deadline: it is our turn."""
        slot.deadline = inf
        if (waiting := self._waiting.get(slot.client)) is not None:
            waiting.pop(slot, None)
            if not waiting:
                del self._waiting[slot.client]

    def admit(self, slot: ConnectionSlot) -> bool:
        """Admits a request; False in a spare slot while there is no room for any but /health."""
        if slot.is_spare and slot in self._spare and self._seat(slot):
            del self._spare[slot]
            slot.is_spare = False
        return not slot.is_spare

    def watch(self, loop: AbstractEventLoop) -> None:
        """Checks the deadlines from now on, for as long as there are any."""
        if not self._is_watched:
            self._is_watched = True
            loop.call_later(self.deadlines.sweep, self._look, loop)

    def _look(self, loop: AbstractEventLoop) -> None:
        self.close_overdue(loop.time())
        self._is_watched = False
        if len(self):
            self.watch(loop)

    def close_overdue(self, now: float) -> None:
        """Closes the connections whose deadline is over."""
        for slot in [one for one in self._all_waiting() if one.deadline <= now]:
            self._close(slot)

    def _all_waiting(self) -> Iterator[ConnectionSlot]:
        for waiting in self._waiting.values():
            yield from waiting
        yield from self._spare

    def _giving_way(self, client: Hashable) -> ConnectionSlot | None:
        """Chooses the slot that a new connection of this client takes over."""
        if client != PROXIES and self.counts.count(client) >= self.max_per_client:
            waiting = self._waiting.get(client)
        else:
            waiting = max(self._waiting.values(), key=self._weight, default=None)
        return next(iter(waiting)) if waiting else None

    def _weight(self, waiting: dict[ConnectionSlot, None]) -> int:
        client = next(iter(waiting)).client
        return 0 if client == PROXIES else len(waiting)

    def _close(self, slot: ConnectionSlot) -> None:
        close = slot.close
        self.release(slot)
        close()

    def _seat(self, slot: ConnectionSlot) -> bool:
        """Counts a connection; False where there is no room for it, or its client has no share left."""
        share = inf if slot.client == PROXIES else self.max_per_client
        if self._number >= self.max_connections or not self.counts.add(slot.client, share):
            return False
        self._number += 1
        return True


def raise_connection_limit() -> int:
    """Raises the limit of open files for MAX_CONNECTIONS; returns how many are possible, logs if fewer."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_CONNECTIONS + SPARE + FILES
    most = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    if most < wanted:
        logger.warning(
            "this process may open %d files: %d are needed for %d connections at once; raise LimitNOFILE= of "
            "its systemd unit, or 'ulimit -Hn'",
            most,
            wanted,
            MAX_CONNECTIONS,
        )
    return max(MAX_CONNECTIONS - (wanted - most), LEAST_CONNECTIONS)


def _nothing() -> None:
    """Does nothing: the connection is closed already."""
