"""Counts past queries: those with hits, to be offered to others, and those without, for the operator.

Nothing is kept of who asked: in memory a few octets that tell clients apart, salted by every process anew, on
the disk not even these. A query is kept only if nothing in it looks like a person, a number of theirs or a
key; it is offered, written down and shown once several clients asked it. Each kind lies in a small file of
the data folder: the query, how many asked it, and when the last did.
"""

import logging
import os
import re
from collections.abc import Callable, Hashable
from contextlib import suppress
from hashlib import blake2b
from math import log2
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from engine.index.lexicon import NameCandidate
from engine.index.schema import fold_name, fold_prefix

FILE = "asked_queries.tsv"
UNANSWERED_FILE = "unanswered_queries.tsv"
COUNTED_BY_REQUEST = "past_queries.tsv"  # an earlier file, which one person could fill: deleted
MAX_QUERIES = 5_000  # 1 MB; of more, those that were asked last stay
DAY = 86_400.0  # seconds
MAX_DAYS = 90  # since it was asked last
MAX_LENGTH = 60  # characters; a longer one is nobody else's
OFFERED = 3  # clients that asked it, at least, before it is offered to others
# Clients of a query, at most, 1 KB; who asked longest ago is forgotten, and would count again.
TOLD_APART = 16
CLIENT_OCTETS = 8
SAVE_SECONDS = 60.0  # between writes; a kill loses what came since
WEIGHT = 2.0  # and 1 more for twice as often: asked 64 times it weighs as much as a title

# An address, a long number (a telephone's, a card's, an account's), letters and digits in a long row (a key),
# and what no keyboard types into a box (Unicode, category Cc).
_PRIVATE = re.compile(
    r"[\x00-\x1f\x7f-\x9f]|@|\d(?:[ ./()-]?\d){5}|(?=\S*\d)(?=\S*[^\W\d_])\S{20}|\S{32}|\w+://"
)
logger = logging.getLogger("lycosa")


class PastQuery(NamedTuple):
    """A query, how many clients asked it, when the last did, in seconds since 1970, and which they were."""

    typed: str
    times: int
    last: float
    clients: tuple[bytes, ...] = ()

    def count_again(self, client: bytes, now: float) -> "PastQuery":
        """Counts the query again, as it was asked now."""
        if client in self.clients:
            return self._replace(last=now)
        clients = (*self.clients, client)[-TOLD_APART:]
        return self._replace(times=self.times + 1, last=now, clients=clients)


class PastQueries:
    """The past queries of one file, kept for `days` after they were asked last; 0: it is deleted.

    With `without_hits` those are kept that found nothing, else those that found something. Safe for several
    threads.
    """

    def __init__(
        self,
        path: Path,
        clock: Callable[[], float],
        days: int = MAX_DAYS,
        *,
        without_hits: bool = False,
    ) -> None:
        self._path, self._clock, self._max_age = path, clock, days * DAY
        self.without_hits = without_hits
        self._lock = Lock()
        self._salt = os.urandom(CLIENT_OCTETS)
        self._saved = clock()
        self._changed = False
        self._tell: Callable[[str, bytes], None] | None = None
        self._queries: dict[str, PastQuery] = {}
        if days:
            self._queries = _read_queries(path)
        for gone in (path.with_name(COUNTED_BY_REQUEST), *(() if days else (path,))):
            with suppress(OSError):
                gone.unlink()

    def record(self, typed: str, total: int, client: Hashable) -> None:
        """Records that a client asked this and found so many documents."""
        typed = " ".join(typed.split())
        if not (self._max_age and typed) or bool(total) is self.without_hits:
            return
        if len(typed) > MAX_LENGTH or _PRIVATE.search(typed):
            return
        (self._tell or self.count)(typed, self._hash_client(client))

    def relay(self, tell: Callable[[str, bytes], None]) -> None:
        """Has each query told to the process that counts and saves for several; `count` hears of it again."""
        self._tell = tell

    def count(self, typed: str, client: bytes) -> None:
        """Counts a query of a client, known by a hash."""
        now, folded = self._clock(), fold_name(typed)
        with self._lock:
            before = self._queries.pop(folded, PastQuery(typed, 0, now))  # those asked last stand last
            self._queries[folded] = before.count_again(client, now)
            while len(self._queries) > MAX_QUERIES:
                del self._queries[next(iter(self._queries))]
            self._changed = True
        if now - self._saved >= SAVE_SECONDS:
            self.save()

    def _hash_client(self, client: Hashable) -> bytes:
        """Hashes a client so that nobody can tell who it was once the process is gone."""
        return blake2b(repr(client).encode(), digest_size=CLIENT_OCTETS, key=self._salt).digest()

    def find_beginning(self, typed: str) -> list[NameCandidate]:
        """Finds the queries with hits that begin so and were asked by OFFERED clients."""
        beginning, oldest = fold_prefix(typed), self._clock() - self._max_age
        if not beginning or self.without_hits:
            return []
        with self._lock:
            found = [one for folded, one in self._queries.items() if folded.startswith(beginning)]
        return [
            NameCandidate(WEIGHT + log2(one.times), one.typed)
            for one in found
            if one.times >= OFFERED and one.last >= oldest
        ]

    def save(self) -> None:
        """Saves the queries that are offered and not too old, atomically; unless another process does."""
        if self._tell:
            return
        with self._lock:
            self._saved, changed, self._changed = self._clock(), self._changed, False
            if not changed:
                return
            oldest = self._saved - self._max_age
            self._queries = {folded: one for folded, one in self._queries.items() if one.last >= oldest}
            offered = [one for one in self._queries.values() if one.times >= OFFERED]
            lines = [f"{one.typed}\t{one.times}\t{one.last:.0f}\n" for one in offered]
            aside = self._path.with_suffix(".draft")
            try:
                aside.write_text("".join(lines), encoding="utf-8", errors="replace")
                os.replace(aside, self._path)
            except OSError as error:
                logger.warning("cannot save past queries in %s: %s", self._path, error.strerror)


def _read_queries(path: Path) -> dict[str, PastQuery]:
    """Reads what was written; lines that are not as we write them are left out."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return {}
    found: dict[str, PastQuery] = {}
    for line in lines[-MAX_QUERIES:]:
        typed, _, numbers = line.partition("\t")
        times, _, last = numbers.partition("\t")
        if typed and re.fullmatch(r"\d{1,9}", times) and re.fullmatch(r"\d{1,12}", last):
            found[fold_name(typed)] = PastQuery(typed, int(times), float(last))
    return found


def load_most_asked(path: Path, number: int, oldest: float) -> list[PastQuery]:
    """Loads the queries that most clients asked, OFFERED at least, the most frequent first.

    None that nobody has asked since `oldest`, in seconds since 1970.
    """
    found = _read_queries(path).values()
    offered = (one for one in found if one.times >= OFFERED and one.last >= oldest)
    return sorted(offered, key=lambda one: (-one.times, one.typed))[:number]
