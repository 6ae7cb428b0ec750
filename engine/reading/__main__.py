"""`python -m engine.reading`: reads the pages that come through standard input, a socket, until it closes."""

import gc
import resource
import signal
import socket
from collections.abc import Callable
from functools import lru_cache

from engine.config import Duplicates
from engine.errors import PageError
from engine.reading.body import reading
from engine.reading.frames import aliases_of, answer_of, frame, unframe, unwanted_of
from engine.reading.maps import answer_of_sitemap
from engine.reading.sieve import Sieve
from engine.url import NO_ALIASES

MAX_SECONDS = 10.0  # for one page; the slowest bomb that engine.text lets through takes one
MAX_MEMORY = 4 * 1024**3  # bytes of address space
CHUNK = 1 << 20
MAX_SETTLED = 16_384  # links whose spelling is kept; some 6 MB


def main() -> None:
    """Answer until the crawl is gone. The alarm and the memory limit end the process, not the page."""
    gc.freeze()  # what was imported stays: the collector need not look at it again
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    received = bytearray()
    settled: Callable[[str], str] = NO_ALIASES.settled
    sieve = Sieve()
    duplicates = Duplicates()
    with socket.socket(fileno=0) as crawl:
        while data := crawl.recv(CHUNK):
            received += data
            while question := unframe(received):
                if "aliases" in question[0]:
                    # Most links of a page stand on the last one, too.
                    settled = lru_cache(MAX_SETTLED)(aliases_of(question[0]["aliases"]).settled)
                    sieve = Sieve(unwanted_of(question[0]["unwanted"]))
                    duplicates = Duplicates(**question[0]["duplicates"])
                    continue
                signal.setitimer(signal.ITIMER_REAL, MAX_SECONDS)
                crawl.sendall(_answer(*question, settled, sieve, duplicates))
                signal.setitimer(signal.ITIMER_REAL, 0)


def _answer(
    fields: dict[str, object],
    body: bytes,
    settled: Callable[[str], str],
    sieve: Sieve,
    duplicates: Duplicates,
) -> bytes:
    if "sitemap" in fields:
        return answer_of_sitemap(body, str(fields["sitemap"]))
    headers = [(name, value) for name, value in fields["headers"]]  # type: ignore[attr-defined]
    try:
        url, kind = str(fields["url"]), str(fields["type"])
        return answer_of(reading(body, url, kind, headers, settled, sieve, duplicates))
    except PageError as error:
        return frame({"error": error.kind}, b"")


if __name__ == "__main__":
    main()
