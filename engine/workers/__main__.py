"""`python -m engine.workers SECONDS TYPE...`: reads the pages that come through standard input, a socket.

Each page has so many seconds of processor time and the process so much memory: what needs more ends it,
and the crawl counts the page and starts another. It also ends when the socket closes, or the crawl does.
Before it reads the first page it is confined (engine.workers.sandbox), and says how.
"""

import gc
import os
import signal
import socket
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import Any

from engine.config import Duplicates, ReadingLimits
from engine.errors import PageError
from engine.text.documents import render_page
from engine.workers.body import ReadingOptions, read_body
from engine.workers.content_coding import decompress
from engine.workers.frames import (
    BROKEN,
    TOO_MUCH,
    decode_aliases,
    decode_frame,
    decode_screening,
    encode_frame,
    encode_reading,
)
from engine.workers.page_screen import PageScreen
from engine.workers.preload import preload
from engine.workers.reading_context import ReadingContext
from engine.workers.sandbox import MAX_MEMORY, SITEMAP_SECONDS, STALLED, confine, die_with_parent
from engine.workers.sitemap_frames import encode_sitemap

NICENESS = 5  # somebody who waits for a page of hits goes first where both want the same processor core
CHUNK = 1 << 20
GARBAGE = 50_000  # new objects before the collector looks: those of a page go with it, and are thousands
MAX_SETTLED = 16_384  # links whose spelling is kept; some 6 MB


def main() -> None:
    """Answers requests until the crawl ends. Time and memory limits end the process, not the page."""
    die_with_parent()
    os.nice(NICENESS)
    seconds, *types = sys.argv[1:]
    allowed = ReadingLimits(frozenset(types), float(seconds))
    preload()
    gc.freeze()  # what was imported stays: the collector need not look at it again
    gc.set_threshold(GARBAGE)
    with socket.socket(fileno=0) as crawl, suppress(ConnectionError):  # the crawl was killed
        crawl.sendall(encode_frame({"confined": confine(MAX_MEMORY)}, b""))
        _answer_all(crawl, allowed)


def _answer_all(crawl: socket.socket, allowed: ReadingLimits) -> None:
    received = bytearray()
    options = ReadingOptions(allowed=allowed)
    while data := crawl.recv(CHUNK):
        received += data
        while question := decode_frame(received):
            if "aliases" in question[0]:
                # Most links of a page stand on the last one, too.
                options = ReadingOptions(
                    lru_cache(MAX_SETTLED)(decode_aliases(question[0]["aliases"]).resolve),
                    PageScreen(decode_screening(question[0]["unwanted"])),
                    Duplicates(**question[0]["duplicates"]),
                    allowed,
                )
                continue
            with _limited(SITEMAP_SECONDS if "sitemap" in question[0] else allowed.seconds):
                answer = _answer(*question, options)
            crawl.sendall(answer)


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Limits the CPU time of a block; beyond it the kernel ends the process."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, STALLED * seconds)
    yield
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)


def _answer(fields: dict[str, object], body: bytes, options: ReadingOptions) -> bytes:
    try:
        if size := fields["unpacked"]:
            body, _ = decompress(body, int(str(size)), cut=True)
        if "sitemap" in fields:
            return encode_sitemap(body, str(fields["sitemap"]), str(fields["scope"]))
        if "picture" in fields:
            return encode_frame({}, render_page(body, int(str(fields["picture"]))))
        headers = [(name, value) for name, value in fields["headers"]]  # type: ignore[attr-defined]
        url, kind = str(fields["url"]), str(fields["type"])
        return encode_reading(read_body(body, url, kind, headers, options, _load_context(fields)))
    except PageError as error:
        return encode_frame({"error": error.kind}, b"")
    except MemoryError:
        return encode_frame(TOO_MUCH, b"")
    except Exception as error:  # a fault of ours, which the crawl tells: a reader has no standard error
        return encode_frame({**BROKEN, "fault": _told(error)}, b"")


def _load_context(fields: Any) -> ReadingContext:
    recognized, rendered, published = fields["context"]
    return ReadingContext({int(number): text for number, text in recognized}, rendered, published)


def _told(error: Exception) -> str:
    """Describes an error and its place, without any text of the page."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    return (
        f"{type(error).__name__} in {where.name}, line {where.lineno} of {os.path.basename(where.filename)}"
    )


if __name__ == "__main__":
    main()
