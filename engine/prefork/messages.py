"""Carries short messages between the supervisor and one worker, over a pair of sockets."""

import json
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

MAX_BYTES = 8_192  # of a message; a query has 60 characters
READY = "ready"  # a worker serves
DRAIN = "drain"  # a worker is to end once its clients have gone


class Notice(NamedTuple):
    """A message: its kind, and texts."""

    kind: str
    texts: tuple[str, ...] = ()


class Channel:
    """One end of the connection; safe for several threads."""

    def __init__(self, end: socket.socket) -> None:
        self._socket = end

    @classmethod
    def pair(cls) -> "tuple[Channel, Channel]":
        """Makes both ends."""
        one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        return cls(one), cls(other)

    def fileno(self) -> int:
        """Returns the descriptor, to wait for."""
        return self._socket.fileno()

    def close(self) -> None:
        """Closes this end."""
        self._socket.close()

    def send(self, message: Notice) -> None:
        """Sends a message; drops one that is too long, or that the other end does not take."""
        octets = json.dumps(message).encode()
        if len(octets) <= MAX_BYTES:
            with suppress(OSError):
                self._socket.send(octets, socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL)

    def receive(self) -> Notice | None:
        """Waits for a message; None when the other end is gone."""
        try:
            read = self._socket.recv(MAX_BYTES)
        except OSError:
            return None
        if not read:
            return None
        kind, texts = json.loads(read)
        return Notice(kind, tuple(texts))

    def follow(self, hear: Callable[[Notice], None]) -> None:
        """Passes on messages until the other end is gone."""
        while message := self.receive():
            hear(message)
