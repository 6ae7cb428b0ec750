"""Searches the current generation: what was typed -> Results. The door for search_ui."""

import sqlite3
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock, Thread
from types import MappingProxyType
from typing import TypeVar

from whoosh.index import EmptyIndexError

from engine import generations
from engine.errors import DamagedError, EngineError, IndexMissing
from engine.generations import Generation
from engine.index.reader import IndexCache, limit_mapped
from engine.index.searching import (
    LABELS_FILE,
    Labels,
    OpenIndex,
    RankExplanation,
    Snapshot,
    SnapshotLostError,
    add_labels,
    parse_label,
)
from engine.index.snippets import NoCopy, TextCopy, build_matcher, check_copy, make_text_copy
from engine.model import NO_FILTERS, Results, SearchFilters
from engine.ranking import Ranking
from engine.search.answer import interpret_query
from engine.search.opening import SeenIndex, open_snapshot
from engine.search.rank import explain_rank
from engine.search.results import ResultsRequest, make_results
from engine.suggest import (
    Completion,
    FailingClauses,
    OperatorFile,
    PastQueries,
    complete_query,
    find_failing_clauses,
    pins,
    synonyms,
)

CHECK_SECONDS = 1.0  # between looks for a new commit; a removed page stays found this much longer
OPEN_TRIES = 20  # when a commit or publish deletes files while they are being opened
RETRY_SECONDS = 0.05
MAX_SIZE = 100  # hits on one page of results
SIZE = 10  # where nothing else is asked for

T = TypeVar("T")


def retry_open(attempt: Callable[[], T], location: object) -> T:
    """Retries an attempt to open the index, which a commit or publish may take away meanwhile.

    Raises EngineError when it cannot be opened.
    """
    for _ in range(OPEN_TRIES):
        try:
            return attempt()
        except (OSError, EmptyIndexError, sqlite3.OperationalError):
            time.sleep(RETRY_SECONDS)
    raise EngineError(f"the index in {location} cannot be opened: run scrapy rebuild")


class SearchService:
    """Searches the current generation of an index; safe for many threads at once.

    Each search sees one snapshot; commits and new generations are seen within a second, and the moment that
    opening them takes.
    Methods raise IndexMissing when nothing was ever published.
    """

    def __init__(
        self,
        data_dir: Path,
        ranking: Ranking | None = None,
        past: Sequence[PastQueries] = (),
        labels: Labels = MappingProxyType({}),
        cache: IndexCache | None = None,
        alarm: Callable[[str], object] = lambda damage: None,
        index: SeenIndex | None = None,
    ) -> None:
        """`labels`: those of crawl.toml; `past` count queries; `alarm` gets each damage, once; `index`: where
        that is, and what is seen of it: nothing else reaches an answer; None: all that is in the data folder.
        """
        self._index, self._view = index or SeenIndex(data_dir)
        self._alarm = alarm
        self._told: set[str] = set()
        self._labels = OperatorFile(
            data_dir / LABELS_FILE, parse_label, lambda lines: add_labels(labels, lines)
        )
        self._ranking = ranking or Ranking()
        self._synonyms = synonyms.read_synonyms(data_dir, self._ranking.variant)
        self._pins = OperatorFile(data_dir / pins.FILE, pins.parse_pin, pins.group_by_query)
        self._past = past
        self._cache = cache or IndexCache()
        self._lock, self._looking = Lock(), Lock()
        self._snapshot: OpenIndex | None = None
        self._users: dict[OpenIndex, int] = {}
        self._checked, self._is_damaged = 0.0, False  # the snapshot is, as was found after it was opened

    def search(
        self,
        typed: str,
        page: int = 1,
        size: int = SIZE,
        fold: bool = True,
        choice: SearchFilters = NO_FILTERS,
    ) -> Results:
        """Searches one page of hits, from 1; all words are wanted, any of them if no page has all.

        With `fold` at most two of a host are among the first ten, where hits of three hosts match; not by
        date, where nothing is pinned either.
        """
        started = time.perf_counter()
        page, size, today = max(page, 1), min(max(size, 1), MAX_SIZE), datetime.now(UTC).date()
        asked = page, size, fold, choice, self._synonyms(), self._find_pins(typed), today
        question = ResultsRequest(typed, *asked, self._labels())
        found = self._ask(lambda snapshot: make_results(snapshot, question))
        return replace(found, took_ms=(time.perf_counter() - started) * 1000)

    def explain(self, url: str, typed: str) -> RankExplanation | None:
        """Explains the rank of a page, by canonical URL; None if it is not indexed."""
        pinned, known = self._find_pins(typed), self._synonyms()
        return self._ask(lambda snapshot: explain_rank(snapshot, url, typed, pinned, known))

    def copy_text(self, url: str, typed: str) -> TextCopy | NoCopy:
        """Copies the text of a page, by its canonical URL, with matches marked; or tells why not."""

        def copy(snapshot: Snapshot) -> TextCopy | NoCopy:
            of_url = snapshot.find_urls([url])
            if not of_url:
                return NoCopy.UNKNOWN
            [page], query = snapshot.pages(of_url[:1]), interpret_query(snapshot, typed, self._synonyms())
            return check_copy(page) or make_text_copy(page, build_matcher(query, snapshot.languages))

        return self._ask(copy)

    def find_failing_clauses(self, typed: str) -> FailingClauses:
        """Finds the parts of a query that no page has, or no page has together with the others."""
        return self._ask(lambda snapshot: find_failing_clauses(snapshot, typed))

    def complete(self, typed: str) -> list[Completion]:
        """Completes the beginning of a query, the best first; [] where nothing begins so."""
        offered = [one for past in self._past for one in past.find_beginning(typed)]
        return self._ask(lambda snapshot: complete_query(snapshot.lexicon, typed, offered))

    def record_query(self, typed: str, total: int, client: Hashable) -> None:
        """Records that a client asked this and found so many documents."""
        for past in self._past:
            past.record(typed, total, client)

    def contains(self, url: str) -> bool:
        """Tells whether the index has a page, by its canonical URL."""
        return self._ask(lambda snapshot: bool(snapshot.find_urls([url])))

    def count_documents(self) -> int:
        """Counts the documents that can be found."""
        return self._ask(lambda snapshot: snapshot.documents)

    def indexed_until(self) -> float:
        """Returns when the index last took up what was crawled, in seconds since 1970, UTC."""
        with self._borrow() as opened:
            return opened.caught_up_at

    def list_damage(self) -> list[str]:
        """Lists what the answers are without, as its files are damaged; a sentence each."""
        with self._borrow() as opened:
            return list(map(str, opened.damaged))

    def close(self) -> None:
        """Closes the files, as soon as no thread is searching."""
        for past in self._past:
            past.save()
        with self._looking:
            self._exchange(None)

    def _find_pins(self, typed: str) -> Sequence[str]:
        """Looks up the URLs that come first for these words."""
        return self._pins().get(pins.fold_query(typed), ())

    def _ask(self, question: Callable[[Snapshot], T]) -> T:
        """Asks the newest snapshot; where it is lost meanwhile, once more the one that takes its place."""
        with self._borrow() as opened:
            with suppress(SnapshotLostError):
                return question(opened.session())
            self._exchange(None, opened)
        with self._borrow() as opened:
            return question(opened.session())

    @contextmanager
    def _borrow(self) -> Iterator[OpenIndex]:
        """Borrows the newest snapshot, kept open while it is used.

        Raises DamagedError where it fails as its files are damaged; the next one is without them.
        """
        snapshot = self._borrow_newest()
        try:
            yield snapshot
        except IndexMissing:
            raise
        except Exception:
            self._check(snapshot)
            raise
        finally:
            self._release(snapshot)

    def _check(self, snapshot: OpenIndex) -> None:
        """Checks all that a snapshot answers from. Raises DamagedError, and opens it anew without that."""
        try:
            snapshot.check_files()
        except DamagedError:
            self._open_anew()
            raise

    def _check_later(self, snapshot: OpenIndex) -> None:
        """Checks the same in a thread of its own."""
        with suppress(DamagedError):
            self._check(snapshot)

    def _borrow_newest(self) -> OpenIndex:
        """Borrows what there is; at most once in CHECK_SECONDS it looks for something newer.

        One thread looks and opens; the others go on with what there is, and wait only where there is nothing.
        """
        while True:
            if self._is_due() and self._looking.acquire(blocking=self._snapshot is None):
                try:
                    if self._is_due():
                        retry_open(self._look_for_newer, self._index)
                finally:
                    self._looking.release()
            with self._lock:
                if self._snapshot:
                    self._users[self._snapshot] += 1
                    return self._snapshot

    def _is_due(self) -> bool:
        due = self._snapshot is None or time.monotonic() - self._checked >= CHECK_SECONDS
        return due or self._is_damaged

    def _look_for_newer(self) -> None:
        """Opens what is newest; not for two threads at once."""
        now, current = time.monotonic(), self._snapshot
        generation = generations.current_generation(self._index)
        if generation is None:
            raise IndexMissing(f"there is no index in {self._index} yet; 'scrapy crawl web' makes one")
        if current is None or self._is_damaged or not current.is_current(generation):
            self._is_damaged = False
            opened = self._open(generation)
            self._exchange(opened)
            self._raise_alarm(opened)
            if not opened.is_checked:
                Thread(target=self._check_later, args=(opened,), daemon=True).start()
        self._cache.graphs.check_later(generation.links, self._open_anew)
        limit_mapped(self._cache.leaves.values())
        self._checked = now

    def _open(self, generation: Generation) -> OpenIndex:
        """Opens a generation."""
        return open_snapshot(generation, self._cache, self._ranking, self._view)

    def _open_anew(self) -> None:
        """Has the snapshot opened anew at the next look, as the files' condition has changed."""
        self._is_damaged = True

    def _raise_alarm(self, snapshot: OpenIndex) -> None:
        """Raises the alarm for damage that is new."""
        for damage in map(str, snapshot.damaged):
            if damage not in self._told:
                self._told.add(damage)
                self._alarm(damage)

    def _exchange(self, snapshot: OpenIndex | None, known: OpenIndex | None = None) -> None:
        """Exchanges the snapshot (if it is this one); the old one closes when its last search has ended."""
        with self._lock:
            if known and known is not self._snapshot:
                return
            old, self._snapshot = self._snapshot, snapshot
            if snapshot:
                self._users[snapshot] = 1
        if old:
            self._release(old)

    def _release(self, snapshot: OpenIndex) -> None:
        with self._lock:
            self._users[snapshot] -= 1
            if is_unused := not self._users[snapshot]:
                del self._users[snapshot]
        if is_unused:
            snapshot.close()  # with the lock all others would wait for a cluster
