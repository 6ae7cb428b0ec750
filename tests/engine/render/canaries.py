"""Listeners on loopback that no page may reach: they count whoever comes."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Canary:
    """A TCP and a UDP port of the same number; `touched` has what came."""

    def __init__(self) -> None:
        self.touched: list[bytes] = []
        self._tcp = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._tcp.getsockname()[1]
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(("127.0.0.1", self.port))

    def serve(self) -> None:
        """Begin to count."""
        for listen in (self._accept, self._receive):
            threading.Thread(target=listen, daemon=True).start()

    def close(self) -> None:
        """End."""
        for one in (self._tcp, self._udp):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._tcp.accept()
                self.touched.append(b"tcp")
                connection.close()

    def _receive(self) -> None:
        with suppress(OSError):
            while data := self._udp.recv(2048):
                self.touched.append(data)


@contextmanager
def canary() -> Iterator[Canary]:
    """One canary."""
    made = Canary()
    made.serve()
    try:
        yield made
    finally:
        made.close()
