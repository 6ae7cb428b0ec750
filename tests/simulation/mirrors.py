"""Webs with several names, and crawls of them."""

from collections.abc import Iterable
from pathlib import Path

from engine.crawl import Crawl
from engine.model.page import State
from tests.crawling import Clock, Web, crawl_of, reading, run, states

PLAIN, SAFE = "http://h.example", "https://h.example"
WWW, SAFE_WWW = "http://www.h.example", "https://www.h.example"
PATHS = ("/", "/1", "/2?q", "/3", "/4", "/5", "/6")


def mirror(web: Web, *hosts: str, paths: Iterable[str] = PATHS, text: str = "") -> None:
    """Pages that all link to each other; without a `text` what they say hangs on the path alone."""
    paths = list(paths)
    links = [host + path for path in paths for host in hosts]
    for url in links:
        web.answers[url] = links
        said = text or url[url.index("/", 8) :]
        web.said[url] = {"fingerprint": said.encode(), "content": reading(f"http://x{said}", links).content}


def moved(web: Web, host: str, to: str, code: int = 301, paths: Iterable[str] = PATHS) -> None:
    for path in paths:
        web.answers[host + path] = code
        web.headers[host + path] = [("location", to + path)]


def crawl(folder: Path, web: Web, clock: Clock | None, *seeds: str) -> Crawl:
    """A whole crawl of the domain."""
    clock = clock or Clock()
    made = crawl_of(folder, clock, scope="domain", seeds=seeds, own=True)
    run(made, web, clock)
    return made


def stored(folder: Path) -> set[str]:
    return {url for url, (state, _) in states(folder).items() if state == State.STORED and "xml" not in url}


def in_index(made: Crawl) -> set[str]:
    return {change.url for change in made.store.changes(0, 9_999) if change.page}
