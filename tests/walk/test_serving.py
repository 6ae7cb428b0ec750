"""The search page while the index under it changes."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from engine import generations
from tests.running import WAIT_SECONDS, ask, crawl, running, scrapy, serving, until
from tests.web.scripted import html, prose, scripted_web
from tests.web.serve import friendly_web

CLIENTS = 20


@contextmanager
def clients(address: str, words: str) -> Iterator[list[int]]:
    """20 clients that query without pause; how many hits each answer had. A failed request is a -1."""
    totals: list[int] = []
    stop = threading.Event()

    def query() -> None:
        while not stop.is_set():
            try:
                totals.append(len(ask(address, words)["hits"]))
            except OSError:
                totals.append(-1)

    threads = [threading.Thread(target=query) for _ in range(CLIENTS)]
    for thread in threads:
        thread.start()
    try:
        yield totals
    finally:
        stop.set()
        for thread in threads:
            thread.join()


@pytest.mark.slow
@pytest.mark.requirement(290)
def test_a_rebuild_under_twenty_clients(tmp_path: Path) -> None:
    """No failed request, no empty answer, and the new generation is seen after it."""
    with friendly_web() as web:
        crawl(tmp_path, *web.seeds)
    before = generations.current_generation(tmp_path)
    assert before
    with serving(tmp_path) as address:
        with clients(address, "spider") as totals:
            scrapy(tmp_path, "rebuild")
            scrapy(tmp_path, "rebuild")
            until(lambda: not before.path.exists(), "the first generation's end")
            counted = len(totals)
            time.sleep(1.5)
        assert ask(address, "spider")["hits"]
    assert len(totals) > counted
    assert min(totals) > 0


@pytest.mark.slow
def test_pages_are_found_while_the_crawl_runs(tmp_path: Path) -> None:
    routes = {
        f"/{n or ''}": html(f"Page {n}", f"<p>whimbrel {prose(str(n))}</p><a href='/{n + 1}'>next</a>")
        for n in range(60)
    }
    with scripted_web(routes) as site, serving(tmp_path) as address:
        words = ("crawl", "web", "-a", f"seeds={site.url('/')}", "-a", "own=1", "-a", "profile=brisk")
        with running(tmp_path, *words):
            until(lambda: _total(address) >= 2, "the first pages")
            assert len(site.log) < 60
            assert "crawl" in _page(address).lower()


def _total(address: str) -> int:
    try:
        return int(ask(address, "whimbrel")["total"])
    except OSError:  # 503 until there is an index
        return 0


def _page(address: str) -> str:
    with urlopen(f"{address}/", timeout=WAIT_SECONDS) as answer:
        page: str = answer.read().decode()
        return page
