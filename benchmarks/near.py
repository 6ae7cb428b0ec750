"""Measures near-duplicate detection: recall, precision, time of a look-up."""

import random
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import sqlalchemy as sa

from benchmarks.corpora.changed import generate_pages
from benchmarks.instruments.row import Row, report_progress
from benchmarks.instruments.stopwatch import Stopwatch
from benchmarks.instruments.walk import HTML, open_crawl, run_walk
from engine.crawl import Limits
from engine.database import NEAR, pages, urls
from engine.model.page import COPIES, Claim, Fetch, Page
from engine.packing.packing import pack
from engine.store.copies import find_near_duplicates
from engine.store.page_store import Store

DIFFERENT = 10_000  # pages, and copies of every tenth
SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
LOOKS = 2_000  # look-ups measured at each size
AT_ONCE = 10_000  # rows written in one statement
BITS = 63
SEED = 0x4E45
MICRO = 1e6
LOOK_BUDGET = 100.0  # microseconds


class DuplicateScores(NamedTuple):
    """Of what was made an alias, the share that is a copy; of the copies, the share that was."""

    precision: float
    recall: float
    wrong: tuple[tuple[int, int], ...]  # pages that were lost: each, and what it was taken for


def rows(most: int) -> Iterator[Row]:
    """Precision and recall, then microseconds for a look-up by the number of pages, up to `most`."""
    different = min(most, DIFFERENT)
    report_progress(f"copies of a tenth of {different:,} pages")
    judged = judge_duplicates(different, different // 10)
    yield Row("near.precision", judged.precision)
    yield Row("near.recall", judged.recall)
    for size in (*(size for size in SIZES if size < most), most):
        report_progress(f"{size:,} pages")
        with TemporaryDirectory() as folder:
            fill_database(Path(folder), size)
            yield Row(f"near.lookup.{size}", time_lookups(Path(folder), size), budget=LOOK_BUDGET)


def judge_duplicates(different: int, copies: int) -> DuplicateScores:
    """Crawl pages of which so many are copies, and see what the database says of each."""
    bodies = {f"http://h.example/{one.number}": one for one in generate_pages(different, copies)}
    with TemporaryDirectory() as folder, closing(Store(Path(folder))) as store:
        watch = Stopwatch()
        crawl = open_crawl(store, list(bodies), Limits(depth=0), watch)
        run_walk(crawl, lambda claim: make_fetch(claim, bodies[claim.url].body), watch)
        query = sa.select(urls.c.url, urls.c.alias_of).where(urls.c.reason.in_(COPIES))
        with store.engine.connect() as connection:
            found = [(bodies[url], bodies[of]) for url, of in connection.execute(query)]
    wrong = tuple((one.number, other.number) for one, other in found if one.original != other.original)
    right = len(found) - len(wrong)
    return DuplicateScores(right / max(len(found), 1), right / copies, wrong)


def make_fetch(claim: Claim, body: bytes) -> Fetch:
    """The answer to a claim."""
    return Fetch(claim, 200, HTML, body, at=time.time())


def fill_database(data_dir: Path, size: int) -> None:
    """A database with so many pages, each with keys of its own; the indexes come last, which is quick."""
    content = pack(Page("", "A page", language="en"))
    places = ", ".join("?" * (2 + len(NEAR)))
    page = f"""
        INSERT INTO pages (fetched_at, language, media_type, fingerprint, url_id, content, {", ".join(NEAR)})
        VALUES (0, 'en', 'text/html', x'00', {places})
    """
    url = """
        INSERT INTO urls (
            id, url, host_id, state, depth, hops, found_at, reason, fails, etag, last_modified, bytes
        ) VALUES (?, ?, 1, 'stored', 0, 0, 0, '', 0, '', '', 0)
    """
    indexes = [index for index in pages.indexes if index.name != "pages_that_expire"]
    with closing(Store(data_dir)) as store, store.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA synchronous=OFF")
        connection.commit()
        for index in indexes:
            index.drop(connection)
        for start in range(0, size, AT_ONCE):
            numbers = range(start, min(start + AT_ONCE, size))
            connection.exec_driver_sql(url, [(n, f"http://h.example/{n}") for n in numbers])
            connection.exec_driver_sql(page, [(n, content, *make_keys(n)) for n in numbers])
        for index in indexes:
            index.create(connection)
        connection.commit()


def make_keys(number: int) -> list[int]:
    """The keys of a page; those of two pages are never the same."""
    chance = random.Random(number)
    return [chance.getrandbits(BITS) for _ in NEAR]


def time_lookups(data_dir: Path, size: int) -> float:
    """Microseconds of CPU for a look-up; every second one finds a page."""
    chance = random.Random(SEED)
    wanted = [make_keys(chance.randrange(size) + size * (n % 2)) for n in range(LOOKS)]
    with closing(Store(data_dir)) as store:
        began = time.process_time()
        found = sum(len(list(find_near_duplicates(store.lookup, keys, ""))) for keys in wanted)
        took = time.process_time() - began
    assert found == LOOKS // 2
    return took / LOOKS * MICRO
