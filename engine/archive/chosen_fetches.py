"""Goes through archives for the second time: reads the captures that were chosen, file by file."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, islice
from pathlib import Path

from engine.archive.capture_index import CaptureIndex, Chosen
from engine.archive.fetches import build_fetch, for_url
from engine.errors import DAMAGED_BODY, PageError
from engine.model import Fetch
from engine.text.documents import UNTYPED, parse_media_type, sniff_magic
from engine.warc import OpenCapture, read_captures

ASKED_AT_ONCE = 500  # chosen captures that the database is asked about
KNOWN = "visited then or later"

FindOlder = Callable[[Sequence[tuple[str, float]]], set[str]]
"""Finds those of some URLs, each with the time of its capture, that were visited as late or later."""


def read_chosen(
    files: Sequence[Path],
    index: CaptureIndex,
    find_older: FindOlder,
    skipped: Counter[str],
    report: Callable[[int, int], None],
) -> Iterator[Fetch]:
    """Reads the fetches that the captures are; counts why others are none: known already, or not to be read.

    Where a body is damaged the files are gone through once more, for the newest other capture of its URL.
    `report` is told at which byte of which file it is.
    """
    is_left = True
    while is_left:
        for number, path in enumerate(files):
            for opened, chosen in _find_bodies(
                path, _without_known(index.chosen(number), find_older, skipped)
            ):
                yield from _read(opened, chosen, index, skipped)
                report(number, opened.offset)
        is_left = index.choose_others() > 0
    skipped[DAMAGED_BODY] += index.count_damaged()


def _find_bodies(path: Path, wanted: Iterator[Chosen]) -> Iterator[tuple[OpenCapture, list[Chosen]]]:
    """Finds the records of a file that have the bodies of captures, which come in their order."""
    by_record = groupby(wanted, lambda one: one.number)
    record, chosen = next(by_record, (-1, iter(())))
    for opened in read_captures(path, Counter()):
        if opened.capture.number == record:
            yield opened, list(chosen)
            record, chosen = next(by_record, (-1, iter(())))
        if record < 0:
            break


def _without_known(found: Iterator[Chosen], find_older: FindOlder, skipped: Counter[str]) -> Iterator[Chosen]:
    while some := list(islice(found, ASKED_AT_ONCE)):
        older = find_older([(one.url, one.at) for one in some])
        skipped[KNOWN] += len(older)
        yield from (one for one in some if one.url not in older)


def _read(
    opened: OpenCapture, chosen: Sequence[Chosen], index: CaptureIndex, skipped: Counter[str]
) -> Iterator[Fetch]:
    """Makes fetches of one body: that of its own URL, and of others whose revisits refer to it."""
    try:
        fetch = build_fetch(opened, chosen[0].url)
    except PageError as error:
        if error.kind == DAMAGED_BODY:
            index.add_damaged(chosen)
        else:
            skipped[error.kind] += len(chosen)
        return
    if _says_nothing(fetch):
        skipped["types that are not read"] += len(chosen)
        return
    for one in chosen:
        yield for_url(fetch, one.url, one.at, one.robots_tags)


def _says_nothing(fetch: Fetch) -> bool:
    """Tells whether neither header nor first bytes name a type that may be read."""
    untyped = parse_media_type(fetch.header("content-type")) in UNTYPED
    return untyped and not fetch.unpacked and not sniff_magic(fetch.body)
