"""`scrapy serve --workers`, and which of its processes has which connection."""

import http.client
import json
import os
import signal
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tests.running import WAIT_SECONDS, running, until
from tests.warm import Fork

HOST = "127.0.0.1"


@dataclass
class Workers:
    """The supervisor and the port."""

    supervisor: Fork
    port: int
    count: int
    lines: list[str] = field(default_factory=list)  # that it has said

    def pids(self) -> list[int]:
        """The workers that there are now."""
        with suppress(OSError):
            children = Path(f"/proc/{self.supervisor.pid}/task/{self.supervisor.pid}/children").read_text()
            return [int(pid) for pid in children.split()]
        return []

    def connect(self) -> http.client.HTTPConnection:
        """A connection to any of them."""
        connection = http.client.HTTPConnection(HOST, self.port, timeout=WAIT_SECONDS)
        connection.connect()
        return connection

    @contextmanager
    def one_each(self) -> Iterator[Sequence[http.client.HTTPConnection]]:
        """A connection to each worker: those that have one are stopped until all have."""
        pids, connections = self.pids(), list[http.client.HTTPConnection]()
        stopped = list[int]()
        try:
            while len(connections) < len(pids):
                connections.append(self.connect())
                until(lambda: self.owner(connections[-1]), "a worker that accepts")
                stopped.append(self.owner(connections[-1]))
                os.kill(stopped[-1], signal.SIGSTOP)
            assert sorted(stopped) == sorted(pids)
        finally:
            for pid in stopped:
                os.kill(pid, signal.SIGCONT)
        try:
            yield connections
        finally:
            for connection in connections:
                connection.close()

    def owner(self, connection: http.client.HTTPConnection) -> int:
        """The worker that has a connection, 0 until there is one."""
        inode = _connections(self.port).get(_local_port(connection), "none")
        return next((pid for pid in self.pids() if inode in _sockets(pid)), 0)

    def ports_of(self, pid: int) -> set[int]:
        """The ports of those who are connected to a worker."""
        sockets = _sockets(pid)
        return {port for port, inode in _connections(self.port).items() if inode in sockets}


@contextmanager
def serving_by(data: Path, count: int) -> Iterator[Workers]:
    """`scrapy serve --workers` on a free port, once all of them serve; what it says is read on."""
    with running(data, "serve", "--port", "0", "--workers", str(count)) as process:
        assert process.stdout
        first = process.stdout.readline()
        assert "http://" in first, first
        workers = Workers(process, int(first.rpartition(":")[2].split("/")[0]), count)
        reader = threading.Thread(target=lambda: workers.lines.extend(process.stdout or ()))
        reader.start()
        try:
            until(lambda: len(workers.pids()) == count, "workers")
            yield workers
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(WAIT_SECONDS)
            reader.join()


def get(connection: http.client.HTTPConnection, target: str, **headers: str) -> tuple[int, str]:
    """Status and body of a page; the connection is opened again where it was closed."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request("GET", target, headers=named)
    with connection.getresponse() as answer:
        return answer.status, answer.read().decode()


def search(connection: http.client.HTTPConnection, words: str) -> Mapping[str, Any]:
    """What `/api/search` finds, without the time that it took."""
    status, body = get(connection, f"/api/search?q={quote(words)}")
    assert status == 200, body
    found: dict[str, Any] = json.loads(body)
    del found["took_ms"]
    return found


@dataclass
class Load:
    """Clients that ask without pause, each on a new connection or on one that is kept."""

    port: int
    answered: int = 0
    cut: int = 0  # answers that began and did not end
    failed: dict[int, str] = field(default_factory=dict)  # by the client's port
    _stop: threading.Event = field(default_factory=threading.Event)

    def ask(self, is_kept: bool) -> None:
        connection = http.client.HTTPConnection(HOST, self.port, timeout=WAIT_SECONDS)
        while not self._stop.is_set():
            port = 0
            try:
                connection.connect() if connection.sock is None else None
                port = _local_port(connection)
                status, _ = get(
                    connection, "/search?q=amber", Connection="keep-alive" if is_kept else "close"
                )
                assert status == 200
                self.answered += 1
            except http.client.IncompleteRead:
                self.cut += 1
            except (OSError, http.client.HTTPException) as error:
                self.failed[port] = repr(error)
                connection.close()
                time.sleep(0.01)
        connection.close()


@contextmanager
def load(port: int, clients: int) -> Iterator[Load]:
    """Half of the clients keep their connections."""
    asking = Load(port)
    threads = [threading.Thread(target=asking.ask, args=(number % 2 == 0,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    try:
        until(lambda: asking.answered > 2 * clients, "answers")
        yield asking
    finally:
        asking._stop.set()
        for thread in threads:
            thread.join()


def _local_port(connection: http.client.HTTPConnection) -> int:
    assert connection.sock
    port: int = connection.sock.getsockname()[1]
    return port


def _connections(port: int) -> dict[int, str]:
    """The inodes of our ends, by the ports of the others."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    ends = [(int(row[1][-4:], 16), int(row[2][-4:], 16), row[9]) for row in rows]
    return {other: inode for ours, other, inode in ends if ours == port and other and inode != "0"}


def _sockets(pid: int) -> set[str]:
    found = set[str]()
    for link in Path(f"/proc/{pid}/fd").glob("*"):
        with suppress(OSError):
            found.add(os.readlink(link).removeprefix("socket:[").removesuffix("]"))
    return found
