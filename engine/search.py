"""The one door for search_ui: what was typed -> Results."""

import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TypeVar

from whoosh.index import EmptyIndexError

from engine.errors import EngineError, IndexMissing
from engine.index import folded, generations
from engine.index.account import account
from engine.index.best import Best
from engine.index.eased import eased
from engine.index.parse import understood
from engine.index.query import Query, beginnings, loosened, words
from engine.index.rank import Rank
from engine.index.reader import Cache
from engine.index.scoring import Ranking
from engine.index.shown import Shown
from engine.index.snapshot import NO_INLINKS, Ranked, Snapshot
from engine.index.snippet import snippet
from engine.index.sought import Sought, sought
from engine.index.terms import MAX_BEGUN, begin_many
from engine.index.text_copy import NoCopy, TextCopy, no_copy, text_copy
from engine.note import Kind, Note
from engine.page import Hit, Results
from engine.store.clusters import ALONE, Cluster
from engine.suggest import pins, synonyms
from engine.suggest.completing import completions
from engine.suggest.failing import Failing, failing
from engine.suggest.mending import VERY_FEW, did_you_mean
from engine.suggest.past import Past
from engine.suggest.synonyms import Synonyms
from engine.suggest.written import Written
from engine.text import undirected

CHECK_SECONDS = 1.0  # between looks for a new commit; a removed page stays found this much longer
OPEN_TRIES = 20  # when a commit or publish deletes files while they are being opened
RETRY_SECONDS = 0.05
MAX_SIZE = 100  # hits on one page of results
SIZE = 10  # where nothing else is asked for
WAYS = (
    ("event loop", "all of the words"),
    ('"event loop"', "words side by side"),
    ("loop -while", "not the second word"),
    ("loop OR cycle", "either"),
    ("config*", "words that begin so"),
    ("intitle:queue", "in the title"),
    ("inurl:library", "in the address"),
    ("site:example.org", "on this host and all below it"),
    ("site:example.org/docs", "at addresses that begin so"),
    ("link:https://example.org/", "pages that link there"),
    ("filetype:pdf", "html, pdf, docx, txt or md"),
    ("lang:pl", "in a language"),
    ("after:2024-05 before:2025", "from a day, month or year on, and before one"),
)
"""What can be typed, with an example of each; a minus goes before any of them."""


T = TypeVar("T")


def patiently(attempt: Callable[[], T], data_dir: Path) -> T:
    """What an attempt to open the index gives, which a commit or publish may take away meanwhile.

    Raises EngineError when it cannot be opened.
    """
    for _ in range(OPEN_TRIES):
        try:
            return attempt()
        except (OSError, EmptyIndexError, sqlite3.OperationalError):
            time.sleep(RETRY_SECONDS)
    raise EngineError(f"the index in {data_dir} cannot be opened: run scrapy rebuild")


class Search:
    """Searches the current generation of a data folder; safe for many threads at once.

    Each search sees one snapshot; commits and new generations are seen within a second.
    Methods raise IndexMissing when nothing was ever published.
    """

    def __init__(self, data_dir: Path, ranking: Ranking | None = None, past: Past | None = None) -> None:
        self._data_dir = data_dir
        self._ranking = ranking or Ranking()
        self._synonyms = Written(
            data_dir / synonyms.FILE, synonyms.sides, partial(Synonyms, share=self._ranking.akin)
        )
        self._pins = Written(data_dir / pins.FILE, pins.pin, pins.by_query)
        self._past = past
        self._cache = Cache()
        self._lock = Lock()
        self._snapshot: Snapshot | None = None
        self._users: dict[Snapshot, int] = {}
        self._checked = 0.0

    def search(self, typed: str, page: int = 1, size: int = SIZE, fold: bool = True) -> Results:
        """One page of hits, the first is 1; all words are wanted, any of them if no page has all.

        With `fold` at most two of a host are among the first ten, where hits of three hosts match.
        """
        started = time.perf_counter()
        page, size = max(page, 1), min(max(size, 1), MAX_SIZE)
        with self._borrowed() as snapshot:
            first = pins.documents(snapshot, self._pins().get(pins.asked(typed), ()))
            fold = fold and folded.may_fold(snapshot.reader)
            count = max(page * size, folded.LOOKED_AT) if fold else page * size
            query, best, notes = answer(snapshot, typed, count, self._synonyms())
            order = pins.Order(snapshot, query, best, first)
            total, start, end = order.total, (page - 1) * size, page * size
            few = folded.folded(snapshot, query, best, order.pinned) if fold else None
            ranked = folded.between(few, order, start, end) if few else order(end, start)
            hits = _hits(snapshot, query, ranked, first, few.more if few else {})
            is_loosened = any(note.kind is Kind.SOME_WORDS for note in notes)
            meant = did_you_mean(snapshot, typed) if is_loosened or total <= VERY_FEW else ""
        took_ms = (time.perf_counter() - started) * 1000
        empty = folded.empty_places(few, total) if few else 0
        return Results(typed, total, page, size, took_ms, hits, notes, meant, empty)

    def explain(self, url: str, typed: str) -> Rank | None:
        """Why a page, by its canonical URL, stands where it does; None where the index does not have it."""
        with self._borrowed() as snapshot:
            of_url = snapshot.reader.holding("url", url).tolist()
            if not of_url:
                return None
            first = pins.documents(snapshot, self._pins().get(pins.asked(typed), ()))
            may_fold = folded.may_fold(snapshot.reader)
            count = folded.LOOKED_AT if may_fold else SIZE
            query, _, notes = answer(snapshot, typed, count, self._synonyms())
            found = account(snapshot, query, of_url[0], count)
            best = snapshot.find(query, max(count, found.place))
            order = pins.Order(snapshot, query, best, first)
            few = folded.folded(snapshot, query, best, order.pinned) if may_fold else None
            plain = order.place(of_url[0], found.place)
            inlinks = snapshot.inlinks([url]).get(url, NO_INLINKS)
            place = folded.place(few, order, of_url[0], plain) if few else plain
            return Rank(url, typed, found, place, plain, of_url[0] in first, inlinks, notes)

    def text(self, url: str, typed: str) -> TextCopy | NoCopy:
        """What was read of a page, by its canonical URL, with the words of the query marked; or why not."""
        with self._borrowed() as snapshot:
            of_url = snapshot.reader.holding("url", url).tolist()
            if not of_url:
                return NoCopy.UNKNOWN
            page, languages = snapshot.reader.page(of_url[0]), snapshot.reader.languages
            query = self._synonyms().expanded(understood(typed, languages, snapshot.numbers).query, languages)
            return no_copy(page) or text_copy(page, sought(query))

    def failing(self, typed: str) -> Failing:
        """Which parts of a query no page has, or no page has together with the others."""
        with self._borrowed() as snapshot:
            return failing(snapshot, typed)

    def complete(self, typed: str) -> list[str]:
        """What may be meant by the beginning of a query, the best first; [] where nothing begins so."""
        with self._borrowed() as snapshot:
            return completions(snapshot.reader, typed, self._past.begun(typed) if self._past else ())

    def remember(self, typed: str, total: int) -> None:
        """Somebody asked this and found so many documents: it may be offered to who begins to type it."""
        if self._past:
            self._past.note(typed, total)

    def documents(self) -> int:
        """How many documents can be found."""
        with self._borrowed() as snapshot:
            return snapshot.reader.documents

    def close(self) -> None:
        """Give the files back, as soon as no thread is searching."""
        if self._past:
            self._past.save()
        with self._lock:
            self._take(None)

    @contextmanager
    def _borrowed(self) -> Iterator[Snapshot]:
        """The newest snapshot, kept open while it is used."""
        with self._lock:
            snapshot = self._newest()
            self._users[snapshot] += 1
        try:
            yield snapshot
        finally:
            with self._lock:
                self._leave(snapshot)

    def _newest(self) -> Snapshot:
        """Looks for what was committed or published, at most once in CHECK_SECONDS."""
        now = time.monotonic()
        if self._snapshot and now - self._checked < CHECK_SECONDS:
            return self._snapshot
        snapshot = patiently(self._open, self._data_dir)
        self._checked = now
        return snapshot

    def _open(self) -> Snapshot:
        generation = generations.current(self._data_dir)
        if generation is None:
            raise IndexMissing(f"there is no index in {self._data_dir} yet; 'scrapy crawl web' makes one")
        if self._snapshot is None or not self._snapshot.is_current(generation):
            self._take(Snapshot(generation, self._cache, self._ranking))
        assert self._snapshot
        return self._snapshot

    def _take(self, snapshot: Snapshot | None) -> None:
        """Exchange the snapshot; the old one closes when its last search has ended."""
        old, self._snapshot = self._snapshot, snapshot
        if snapshot:
            self._users[snapshot] = 1
        if old:
            self._leave(old)

    def _leave(self, snapshot: Snapshot) -> None:
        self._users[snapshot] -= 1
        if not self._users[snapshot]:
            del self._users[snapshot]
            snapshot.close()


def answer(
    snapshot: Snapshot, typed: str, count: int, known: Synonyms = synonyms.NONE
) -> tuple[Query, Best, Sequence[Note]]:
    """What was typed as a query, the best `count` matches, and what is to be said about that."""
    languages = snapshot.reader.languages
    parsed, notes = understood(typed, languages, snapshot.numbers)
    many = [one.beginning for one in beginnings(parsed) if begin_many(snapshot.reader, one)]
    notes = (*notes, *(Note(Kind.MANY_BEGIN_SO, one, MAX_BEGUN) for one in many))
    query = eased(known.expanded(parsed, languages), languages, snapshot.ranking.little)
    best = snapshot.find(query, count)
    if not best.total and len(words(parsed)) + len(beginnings(parsed)) > 1:
        query = known.expanded(loosened(parsed), languages)
        best = snapshot.find(query, count)
        return query, best, (*notes, Note(Kind.SOME_WORDS)) if best.total else notes
    return query, best, (*notes, *_missing(best, count))


def _missing(best: Best, count: int) -> Iterator[Note]:
    """What is to be said where hits that will be shown have not all words."""
    having_all = best.total - best.partial
    if best.partial and not having_all:
        yield Note(Kind.SOME_WORDS)
    elif best.partial and having_all < count:
        yield Note(Kind.SOME_AFTER, limit=having_all)


def _hits(
    snapshot: Snapshot, query: Query, ranked: list[Ranked], pinned: Sequence[int], more: Mapping[int, int]
) -> list[Hit]:
    pages, wanted = [snapshot.reader.page(hit.document) for hit in ranked], sought(query)
    urls = [page.url for page in pages]
    inlinks, clusters = snapshot.inlinks(urls), snapshot.clusters(urls)
    return [
        replace(
            _hit(wanted, hit, page, inlinks.get(url, NO_INLINKS).pages, clusters.get(url, ALONE)),
            pinned=hit.document in pinned,
            more_of_host=more.get(hit.document, 0),
        )
        for hit, page, url in zip(ranked, pages, urls, strict=True)
    ]


def _hit(wanted: Sought, ranked: Ranked, page: Shown, inlinks: int, cluster: Cluster) -> Hit:
    passage = snippet(page, wanted)
    return Hit(
        url=page.url,
        title=undirected(page.title),
        snippet=passage.text,
        score=ranked.score,
        inlinks=inlinks,
        language=page.language,
        fetched_at=datetime.fromtimestamp(page.fetched_at, UTC).isoformat(timespec="seconds"),
        marks=passage.marks,
        copies=cluster.copies,
        copy_urls=cluster.named,
        media_type=page.media_type,
        section=undirected(passage.section),
        fragment=passage.fragment,
        day=page.day,
        has_copy=no_copy(page) is None,
    )
