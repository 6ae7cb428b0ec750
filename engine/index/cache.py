"""What was read of an index and may be asked for again: bounded, the least recently used goes first."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, Protocol, TypeVar, cast
from weakref import WeakValueDictionary

MAX_CACHED = 64_000_000  # bytes: some thousand words of a million pages
MAX_PAGES = 16_000_000  # bytes: some hundred pages as hits show them; the longest are the most frequent
MAX_ANSWERS = 24_000_000  # bytes: a thousand answers of ten hits; as much again for hits of any snapshot
ENTRY = 500  # bytes: a key, and its place; what nobody has takes no more, but is asked for, too


class Held(Protocol):
    """What can be cached."""

    @property
    def nbytes(self) -> int:
        """The memory that it takes."""


T = TypeVar("T", bound=Held)


class Recent:
    """So many bytes of what was asked for last; safe for many threads at once."""

    def __init__(self, capacity: int) -> None:
        self._lock = Lock()
        self._capacity = capacity
        self._held: OrderedDict[Hashable, Held] = OrderedDict()
        self.size = 0

    def get(self, key: Hashable, read: Callable[[], T]) -> T:
        """What is under the key, else what read() gives; two threads may read the same at once."""
        with self._lock:
            if (found := self._held.get(key)) is not None:
                self._held.move_to_end(key)
                return cast(T, found)
        made = read()
        with self._lock:
            if key not in self._held:
                self._held[key] = made
                self.size += made.nbytes + ENTRY
            while self.size > self._capacity and len(self._held) > 1:
                self.size -= self._held.popitem(last=False)[1].nbytes + ENTRY
        return made


class Cache(Recent):
    """What was read of segments and snapshots; outlives a Reader.

    `answers` are bytes: for the answers over one snapshot, and for hits as their pages tell of them.
    """

    def __init__(self, capacity: int = MAX_CACHED, answers: int = MAX_ANSWERS) -> None:
        super().__init__(capacity)
        self.answers = answers
        self.pages = Recent(MAX_PAGES)
        self.hits = Recent(answers)
        self.leaves: WeakValueDictionary[str, Any] = WeakValueDictionary()
        self.shared: WeakValueDictionary[Hashable, Any] = WeakValueDictionary()  # by what is held
