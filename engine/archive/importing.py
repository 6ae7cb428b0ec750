"""Imports archives: captures go the way of fetched pages, from the readers to the crawl database.

One thread reads the archives and writes the database, while reader processes parse the captures before: so
what a batch takes of memory is all that the import does, whatever the size of the archives.
"""

import asyncio
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path

from engine.archive.capture_index import CaptureIndex
from engine.archive.chosen_fetches import read_chosen
from engine.archive.import_walk import ImportWalk
from engine.archive.indexing import CaptureSelection
from engine.config import Config, ReadingLimits
from engine.database import connect_to_read
from engine.errors import PageError
from engine.folder import FreeSpace, lock_folder
from engine.model import State, Visit
from engine.store import Store, load_twins
from engine.workers import ReaderPool, TextRecognition, find_tesseract

Report = Callable[[str, int, int], None]
"""Told now and then how far an import is: what it does, at which byte of all files, and its pages so far."""

BATCH = 100  # captures of a transaction, and
BATCH_BYTES = 8_000_000  # of their bodies, packed as they are; two batches are under way at once


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """What is imported. `until`: seconds since 1970; `own`: robots.txt and noindex do not count."""

    until: float = math.inf
    own: bool = False


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of the captures: pages that were stored, and reasons for which others were not."""

    pages: int
    skipped: Mapping[str, int]


def import_archives(
    config: Config, files: Sequence[Path], options: ImportOptions, report: Report
) -> Imported:
    """Imports the captures of WARC files; what was visited then or later stays as it is.

    So one that was stopped anywhere goes on where it was when it is run again. Raises EngineError for what is
    no WARC file, while another import runs, and where the disk is too full; OSError.
    """
    with lock_folder(config.data_dir, "import"), ThreadPoolExecutor(1) as thread:
        return asyncio.run(_import(config, files, options, report, thread))


async def _import(
    config: Config, files: Sequence[Path], options: ImportOptions, report: Report, thread: ThreadPoolExecutor
) -> Imported:
    """Parses a batch of captures while the one before is saved, and the next one read."""
    loop = asyncio.get_running_loop()
    tesseract = find_tesseract(config.ocr)
    session = await loop.run_in_executor(thread, lambda: ImportSession(config, files, options, report))
    limits = ReadingLimits(config.types, config.limits.page_cpu_seconds)
    readers = ReaderPool(lambda: session.aliases, config.screening, config.duplicates, limits)
    recognition = TextRecognition(readers, tesseract) if tesseract else None
    reading = list[asyncio.Task[Visit]]()
    try:
        while True:
            batch = await loop.run_in_executor(thread, session.next_batch)
            following = [loop.create_task(_read(readers, recognition, visit)) for visit in batch]
            await loop.run_in_executor(thread, session.save, await asyncio.gather(*reading))
            if not following:
                return Imported(session.pages, session.skipped)
            reading = following
    finally:
        readers.close()
        await loop.run_in_executor(thread, session.close)


async def _read(readers: ReaderPool, recognition: TextRecognition | None, visit: Visit) -> Visit:
    """Adds its reading to the visit of a page, or why there is none, and drops the body."""
    fetch = visit.fetch
    read = replace(visit, fetch=replace(fetch, body=b"", unpacked=fetch.size))
    if visit.state is not State.STORED:
        return read
    try:
        reading = await readers.read(
            fetch.body, fetch.claim.url, fetch.header("content-type"), fetch.headers, unpacked=fetch.unpacked
        )
    except PageError as error:
        return replace(read, state=State.SKIPPED, reason=error.kind)
    if reading.pictures and recognition:
        reading = await recognition.complete(reading, fetch)
    return replace(read, reading=reading)


class ImportSession:
    """What one thread works with: the index of captures, the archives, the crawl database."""

    def __init__(self, config: Config, files: Sequence[Path], options: ImportOptions, report: Report) -> None:
        """Goes through the archives, and chooses the captures."""
        with ExitStack() as opened:
            self._open(opened, config, files, options, report)
            self._resources = opened.pop_all()

    def _open(
        self,
        opened: ExitStack,
        config: Config,
        files: Sequence[Path],
        options: ImportOptions,
        report: Report,
    ) -> None:
        self.pages, self._space = 0, FreeSpace(config.data_dir, config.limits.free_bytes)
        self._space.require()
        before = [*itertools.accumulate((path.stat().st_size for path in files), initial=0)]
        store = opened.enter_context(closing(Store(config.database)))
        with connect_to_read(store.engine) as connection:
            self.aliases = config.aliases.with_twins(load_twins(connection))
        index = opened.enter_context(closing(CaptureIndex(config.data_dir)))
        selection = CaptureSelection(index, config, self.aliases, options.until)
        selection.add_files(files, lambda file, at: report("looked at", before[file] + at, 0))
        self.skipped = selection.skipped
        self.skipped["revisits of what is not there"] += index.choose()
        self._walk = ImportWalk(store, index, config, self.aliases, own=options.own)
        self._fetches = read_chosen(
            files,
            index,
            self._walk.find_older,
            self.skipped,
            lambda file, at: report("imported", before[file] + at, self.pages),
        )

    def next_batch(self) -> list[Visit]:
        """Returns the next visits to be read, none at the end. Raises EngineError for a disk that is full."""
        self._space.require()
        batch, size = list[Visit](), 0
        for fetch in self._fetches:
            batch.append(self._walk.begin(fetch))
            size += len(fetch.body)
            if len(batch) >= BATCH or size >= BATCH_BYTES:
                break
        return batch

    def save(self, visits: Sequence[Visit]) -> None:
        """Saves visits that were read, and counts them."""
        for visit in self._walk.commit(visits) if visits else ():
            if visit.state is State.STORED:
                self.pages += 1
            else:
                self.skipped[visit.reason or visit.state] += 1

    def close(self) -> None:
        """Closes all that it works with."""
        self._resources.close()
