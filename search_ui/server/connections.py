"""Limits connections: how many in all, what share one client has, and who gives way when they are full.

A connection that we owe an answer keeps its place. One that waits for its client (for a head, a body, or for
an answer to be taken) has a deadline, and gives way to a newcomer when the places are full: the one that has
waited longest, of the client that has most of them. A newcomer for whom nobody gives way gets a spare place,
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
    """Seconds for what a client has to do, and how many octets of it we bear."""

    head: float = 15.0  # from accept, or from the last answer, until a head is complete
    body: float = 15.0  # from there until the body is; a form of 64 KB takes 11 s at 6 KB/s
    answer: float = 15.0  # to take an answer, and a second more for each `rate` octets of it
    rate: int = 4_096  # octets a second, what a telephone has where there is hardly a signal
    linger: float = (
        2.0  # for what is still sent after a refusal, so that its client sees the answer (RFC 9112, 9.6)
    )
    linger_octets: int = 1024 * 1024
    sweep: float = 1.0  # between looks at the deadlines


@dataclass(eq=False, slots=True)
class ConnectionSlot:
    """One connection's place: of whom, how it is closed, and until when its client is waited for."""

    client: Hashable
    close: Callable[[], None]
    deadline: float = inf
    is_spare: bool = False


@dataclass(slots=True)
class ConnectionLimiter:
    """All places of a server; `proxies` are trusted, and bring many clients over few connections."""

    most: int = MAX_CONNECTIONS
    of_client: int = CLIENT_CONNECTIONS
    spare: int = SPARE
    patience: Deadlines = field(default_factory=Deadlines)
    proxies: Sequence[Network] = ()
    _taken: dict[Hashable, int] = field(default_factory=dict)
    _waiting: dict[Hashable, dict[ConnectionSlot, None]] = field(
        default_factory=dict
    )  # who waits longest stands first
    _spare: dict[ConnectionSlot, None] = field(default_factory=dict)
    _number: int = 0
    _is_watched: bool = False

    def __len__(self) -> int:
        return self._number + len(self._spare)

    def client_at(self, peer: tuple[str, int] | None) -> Hashable:
        """Whose connection it is, by the address that it comes from."""
        client = identify_peer(peer)
        is_proxy = client.address and any(client.address in network for network in self.proxies)
        return PROXIES if is_proxy else client.household

    def take(self, client: Hashable, close: Callable[[], None]) -> ConnectionSlot:
        """A place for a newcomer; somebody else's connection is closed for it where they are full."""
        place = ConnectionSlot(client, close)
        if not self._has_room(client) and (giving := self._giving_way(client)):
            self._close(giving)
        if self._has_room(client):
            self._seat(place)
            return place
        place.is_spare = True
        if len(self._spare) >= self.spare:
            self._close(next(iter(self._spare)))
        self._spare[place] = None
        return place

    def leave(self, place: ConnectionSlot) -> None:
        """The connection is gone; may be said twice."""
        self.owe(place)
        place.close = _nothing
        if place.is_spare:
            self._spare.pop(place, None)
        elif place.client in self._taken:
            self._unseat(place)
        place.is_spare = True  # so that it has no place any more

    def wait(self, place: ConnectionSlot, deadline: float) -> None:
        """It is the client's turn, until then."""
        self.owe(place)
        place.deadline = deadline
        if not place.is_spare:
            self._waiting.setdefault(place.client, {})[place] = None

    def owe(self, place: ConnectionSlot) -> None:
        """It is our turn."""
        place.deadline = inf
        if (waiting := self._waiting.get(place.client)) is not None:
            waiting.pop(place, None)
            if not waiting:
                del self._waiting[place.client]

    def admit(self, place: ConnectionSlot) -> bool:
        """Whether a request is answered whatever it asks: not in a spare place, while there is no room."""
        if place.is_spare and place in self._spare and self._has_room(place.client):
            del self._spare[place]
            place.is_spare = False
            self._seat(place)
        return not place.is_spare

    def watch(self, loop: AbstractEventLoop) -> None:
        """Look at the deadlines from now on, for as long as there are any."""
        if not self._is_watched:
            self._is_watched = True
            loop.call_later(self.patience.sweep, self._look, loop)

    def _look(self, loop: AbstractEventLoop) -> None:
        self.close_overdue(loop.time())
        self._is_watched = False
        if len(self):
            self.watch(loop)

    def close_overdue(self, now: float) -> None:
        """Close all whose clients have been waited for long enough."""
        for place in [one for one in self._all_waiting() if one.deadline <= now]:
            self._close(place)

    def _all_waiting(self) -> Iterator[ConnectionSlot]:
        for waiting in self._waiting.values():
            yield from waiting
        yield from self._spare

    def _has_room(self, client: Hashable) -> bool:
        has_share = client == PROXIES or self._taken.get(client, 0) < self.of_client
        return has_share and self._number < self.most

    def _giving_way(self, client: Hashable) -> ConnectionSlot | None:
        """Who gives way to a newcomer of this client."""
        if client != PROXIES and self._taken.get(client, 0) >= self.of_client:
            waiting = self._waiting.get(client)
        else:
            waiting = max(self._waiting.values(), key=self._weight, default=None)
        return next(iter(waiting)) if waiting else None

    def _weight(self, waiting: dict[ConnectionSlot, None]) -> int:
        client = next(iter(waiting)).client
        return 0 if client == PROXIES else len(waiting)

    def _close(self, place: ConnectionSlot) -> None:
        close = place.close
        self.leave(place)
        close()

    def _seat(self, place: ConnectionSlot) -> None:
        self._taken[place.client] = self._taken.get(place.client, 0) + 1
        self._number += 1

    def _unseat(self, place: ConnectionSlot) -> None:
        self._taken[place.client] -= 1
        self._number -= 1
        if not self._taken[place.client]:
            del self._taken[place.client]


def raise_connection_limit() -> int:
    """How many connections this process may have open, at most MAX_CONNECTIONS; logs where it is fewer."""
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
    """What closing a closed connection does."""
