"""Caches data read from an index: bounded in bytes, evicts the least recently used."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, Protocol, TypeVar, cast
from weakref import WeakValueDictionary

from engine.errors import EngineError
from engine.index.reader.graph import LinkGraphChecks

MAX_CACHED = 96_000_000  # bytes: some thousand words of a million pages; for each snapshot they count again
MAX_PAGES = 16_000_000  # bytes: some hundred pages as hits show them; the longest are the most frequent
MAX_ANSWERS = 24_000_000  # bytes: a thousand answers of ten hits; what pages tell of four thousand queries
ENTRY = 500  # bytes: a key, and its place; what nobody has takes no more, but is asked for, too


class Cacheable(Protocol):
    """What can be cached."""

    @property
    def nbytes(self) -> int:
        """The memory that it takes."""


T = TypeVar("T", bound=Cacheable)


class LRUCache:
    """A cache of limited bytes that evicts the least recently used; thread-safe."""

    def __init__(self, capacity: int) -> None:
        self._lock = Lock()
        self._capacity = capacity
        self._held: OrderedDict[Hashable, Cacheable] = OrderedDict()
        self.size = 0

    def get(self, key: Hashable, read: Callable[[], T]) -> T:
        """Returns what is cached under the key, else what read() gives; two threads may read the same at
        once.
        """
        found = self.peek(key)
        if found is None:
            found = read()
            self.put(key, found)
        return cast(T, found)

    def peek(self, key: Hashable) -> Cacheable | None:
        """Returns the cached value of a key, if there is one."""
        with self._lock:
            found = self._held.get(key)
            if found is not None:
                self._held.move_to_end(key)
            return found

    def put(self, key: Hashable, made: Cacheable) -> None:
        """Caches a value, replacing an earlier one of the key."""
        with self._lock:
            if (before := self._held.pop(key, None)) is not None:
                self.size -= before.nbytes + ENTRY
            self._held[key] = made
            self.size += made.nbytes + ENTRY
            while self.size > self._capacity and len(self._held) > 1:
                self.size -= self._held.popitem(last=False)[1].nbytes + ENTRY


class IndexCache(LRUCache):
    """A cache of data from segments and snapshots; outlives a Reader.

    `answers` are bytes: for the answers over one snapshot, and for hits as their pages tell of them.
    """

    def __init__(self, capacity: int = MAX_CACHED, answers: int = MAX_ANSWERS) -> None:
        super().__init__(capacity)
        self.answers = answers
        self.pages = LRUCache(MAX_PAGES)
        self.hits = LRUCache(answers)
        self.leaves: WeakValueDictionary[Hashable, Any] = WeakValueDictionary()
        self.damaged: dict[Hashable, EngineError] = {}  # what is wrong with a leaf that was opened once
        self.graphs = LinkGraphChecks()
        self.shared: WeakValueDictionary[Hashable, Any] = WeakValueDictionary()  # by what is held
