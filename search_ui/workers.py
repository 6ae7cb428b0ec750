"""Serves by several processes on the same sockets; what one client may do holds over all of them."""

import logging
import os
import signal
import socket
from asyncio import get_running_loop, sleep
from collections.abc import Callable, Sequence
from functools import partial
from threading import Thread

import uvicorn

from engine.admin import OperatorServices
from engine.config import ServerConfig
from engine.kernels import compile_kernels
from engine.middleware import Identity
from engine.monitor import ALARM, Progress
from engine.prefork import DRAIN, READY, Channel, Notice, Supervisor
from engine.search import SearchViews
from engine.submission import SubmissionService
from engine.suggest import PastQueries
from search_ui.app import STOP_SECONDS, create_app, tune_process, uvicorn_config
from search_ui.search_request import Searcher
from search_ui.server import (
    ConnectionLimiter,
    SharedLedger,
    SharedMemory,
    raise_connection_limit,
    split_public_url,
)

QUERY, SENTENCE = "query", "sentence"  # kinds of messages: a past query, what the operator is to be told
LOOK_SECONDS = 0.1  # between looks whether a worker that drains still has connections

Parts = tuple[
    Searcher | SearchViews,
    Callable[[], Progress | None],
    Identity,
    ServerConfig,
    SubmissionService | None,
    OperatorServices,
]
Load = Callable[[], tuple[Sequence[PastQueries], Callable[[], Parts]]]


def serve_workers(count: int, listeners: Sequence[socket.socket], load: Load) -> int:
    """Serves by `count` workers until told to stop; returns the exit code.

    `load` reads crawl.toml, at the start and before each renewal, and may raise EngineError; what it returns
    to assemble the service opens files, so each worker does that for itself.
    """
    compile_kernels()  # once for all workers, which are forks
    tune_process(listeners)
    return Service(count, listeners, load).run()


class Service:
    """The search page as its supervisor sees it: who saves what its workers hear, and what these share."""

    def __init__(self, count: int, listeners: Sequence[socket.socket], load: Load) -> None:
        self._count = count
        self._listeners = listeners
        self._load = load
        self._past, self._assemble = load()
        self._memory = SharedMemory(count + 1)
        self._places = raise_connection_limit()

    def run(self) -> int:
        """Runs until told to stop; returns the exit code."""
        forget = self._memory.forget_connections
        supervisor = Supervisor(self._count, self._work, self._hear, forget, self._reload, self._listeners)
        code = supervisor.run()
        self._save()
        return code

    def _reload(self) -> None:
        self._save()
        self._past, self._assemble = self._load()

    def _save(self) -> None:
        for past in self._past:
            past.save()

    def _hear(self, message: Notice) -> bool:
        """Hears a worker; tells whether all workers are to hear the same."""
        if message.kind == QUERY:
            return not self._count_query(message).without_hits
        if message.kind == SENTENCE:
            ALARM(*message.texts)
        return False

    def _count_query(self, message: Notice) -> PastQueries:
        """Counts a query, and returns among which; only those that are offered are for all workers."""
        place, typed, client = message.texts
        past = self._past[int(place)]
        past.count(typed, bytes.fromhex(client))
        return past

    def _work(self, number: int, channel: Channel) -> None:
        """Serves, as one worker."""
        logging.getLogger("uvicorn.error").setLevel(
            logging.WARNING
        )  # its supervisor tells who comes and goes
        for place, past in enumerate(self._past):
            past.relay(partial(_tell_query, channel, place))
        ALARM.relay(lambda sentence: channel.send(Notice(SENTENCE, (sentence,))))
        search, progress, identity, serving, submissions, services = self._assemble()
        ledger = SharedLedger(self._memory, number)
        app = create_app(search, progress, identity, serving, submissions, ledger, services)
        places = ConnectionLimiter(self._places, proxies=serving.trusted_proxies, counts=ledger.connections)
        root_path = split_public_url(identity.public_url)[1]
        host, port = self._listeners[0].getsockname()[:2]
        config = uvicorn_config(app, host, port, places, root_path)
        server = WorkerServer(config, places, lambda: channel.send(Notice(READY)))
        Thread(target=self._follow, args=(channel, server), daemon=True).start()
        server.run([*self._listeners])

    def _follow(self, channel: Channel, server: "WorkerServer") -> None:
        """Hears the supervisor, as one worker; ends with it."""

        def hear(message: Notice) -> None:
            if message.kind == QUERY:
                self._count_query(message)
            elif message.kind == DRAIN:
                server.drain()

        channel.follow(hear)
        os.kill(os.getpid(), signal.SIGTERM)


def _tell_query(channel: Channel, place: int, typed: str, client: bytes) -> None:
    """Tells the supervisor a query for the past queries of this place, and a hash of who asked it."""
    channel.send(Notice(QUERY, (str(place), typed, client.hex())))


class WorkerServer(uvicorn.Server):
    """A server that says when it begins, and may end by letting its clients go first."""

    def __init__(self, config: uvicorn.Config, places: ConnectionLimiter, tell: Callable[[], None]) -> None:
        super().__init__(config)
        self._places = places
        self._tell = tell

    def drain(self) -> None:
        """Ends once each connection has had its last answer, or was idle for long; from any thread."""
        self._places.is_draining = True
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begins to accept connections."""
        await super().startup(sockets)
        self._tell()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accepts no more connections, and ends those that there are.

        A client may be about to send on one that is idle. While others serve, we wait until it is closed by
        what closes it at any time; else such a request would fail.
        """
        if self._places.is_draining:
            for server in self.servers:
                server.close()
            until = get_running_loop().time() + STOP_SECONDS
            while self.server_state.connections and get_running_loop().time() < until:
                await sleep(LOOK_SECONDS)
        await super().shutdown(sockets)
