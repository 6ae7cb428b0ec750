"""Reports damage, and servers that are away; checks run in the background, so that no request waits."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from anyio import CapacityLimiter, move_on_after
from anyio.to_thread import run_sync

from engine.errors import EngineError, IndexMissing, Unreadable
from engine.monitor import ALARM, Progress
from engine.opensearch import ClusterError
from search_ui.search_request import Searcher

LOOK_SECONDS = 1.0  # between looks: whoever watches over us asks more rarely
WAIT_SECONDS = 0.25  # for a look that takes longer, as on a failing disk; what was seen before is said then
WELL = "ok"
PART = "a part of the index is damaged"
_UNREADABLE = "the index cannot be read"
_MEND_INDEX = "'scrapy rebuild' makes a new one"
_DATABASE = "the crawl database cannot be read: 'scrapy check' says what is damaged"
_CLUSTER = "the servers that keep the index are away or refuse to answer: are they up? They are asked again"
_SERVER = "the database server is away or refuses to answer: is it up? It is asked again"


@dataclass(slots=True)
class HealthMonitor:
    """Monitors whether the index and the crawl database can be read, as last seen; `clock` is in seconds."""

    searcher: Searcher
    progress: Callable[[], Progress | None]
    clock: Callable[[], float] = time.monotonic
    _seen: str = WELL
    _looked: float = float("-inf")
    _is_looking: bool = False  # also while nobody waits for it any more
    _room: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(1))

    async def report(self) -> str:
        """Reports a line for each damaged part, or WELL; needs no thread that searches need."""
        if self.clock() - self._looked >= LOOK_SECONDS and not self._is_looking:
            self._looked = self.clock()
            with move_on_after(WAIT_SECONDS):
                await run_sync(self._look, limiter=self._room, abandon_on_cancel=True)
        return self._seen

    def _look(self) -> None:
        self._is_looking = True
        try:
            self._seen = "\n".join(dict.fromkeys(self._faults())) or WELL
        finally:
            self._is_looking = False

    def _faults(self) -> Iterator[str]:
        try:
            if self.searcher.list_damage():
                yield f"{PART}: {_MEND_INDEX}"
        except IndexMissing:
            pass
        except EngineError as error:
            ALARM(str(error), getattr(error, "path", None))
            yield _describe_fault(error)
        if unreadable := self._read_crawl():
            yield _SERVER if unreadable.is_on_server else _DATABASE

    def is_crawl_readable(self) -> bool:
        """Tells whether the crawl database can be read; one that is busy counts as readable."""
        return self._read_crawl() is None

    def _read_crawl(self) -> Unreadable | None:
        """Reads from the crawl database; returns the error where that cannot be done."""
        try:
            self.progress()
        except Unreadable as error:
            ALARM(str(error), error.path)
            return error
        except EngineError:
            return None
        return None


def _describe_fault(error: EngineError) -> str:
    """Describes what keeps the index from being searched."""
    if isinstance(error, ClusterError):
        return _CLUSTER
    is_away = isinstance(error, Unreadable) and error.is_on_server
    return _SERVER if is_away else f"{_UNREADABLE}: {_MEND_INDEX}"
