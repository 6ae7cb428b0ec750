"""A backup of a folder that a crawl writes and twenty clients search: restored, it answers the same."""

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from engine.config import Config
from engine.index.indexing import make_follower, rebuild_index
from engine.search import SearchService
from engine.store import Store
from tests.engine.index.content import content
from tests.running import ask, crawl, running, scrapy, serving, until
from tests.walk.test_serving import clients
from tests.web.scripted import Route, html, prose, scripted_web

WORDS = ("whimbrel", "whimbrel -curlew", '"whimbrel nests"', "nests whimbrel")


def site_of(number: int, word: str, delay: float = 0.0) -> dict[str, Route]:
    """Pages with a word of their own, each linked from one: a chain would be too deep for a crawl."""
    return {
        f"/{n or ''}": replace(
            html(
                f"{word} {n}",
                f"<p>{word} nests {prose(f'{word} {n}')}</p>"
                + "".join(f"<a href='/{2 * n + k}'>x</a>" for k in (1, 2)),
            ),
            delay=delay,
        )
        for n in range(number)
    }


@contextmanager
def asking(address: str, typed: Sequence[str]) -> Iterator[None]:
    """A client of its own for each query, besides the twenty."""
    stop = threading.Event()

    def query(words: str) -> None:
        while not stop.is_set():
            ask(address, words)

    threads = [threading.Thread(target=query, args=(words,)) for words in typed]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def hits(data: Path, site: str) -> list[set[str]]:
    """What each query finds on a site that is crawled already."""
    with closing(SearchService(data)) as search:
        found = [search.search(f"{words} site:{site}", size=100) for words in WORDS]
    return [{hit.url for hit in results.hits} | {str(results.total)} for results in found]


@pytest.mark.slow
@pytest.mark.requirement(290)
@pytest.mark.parametrize(
    ("pages", "backups"),
    [(40, 3), pytest.param(2_000, 12, marks=[pytest.mark.long, pytest.mark.timeout(1_800)])],
)
def test_a_backup_under_a_crawl_and_twenty_clients(tmp_path: Path, pages: int, backups: int) -> None:
    """Each is of one moment: what was indexed is found, and the index follows from there."""
    data = tmp_path / "data"
    with (
        scripted_web(site_of(min(pages, 90), "whimbrel")) as done,
        scripted_web(site_of(pages * 20, "curlew", 0.2)) as busy,
    ):
        crawl(data, done.url("/"))
        (data / "synonyms.tsv").write_text("whimbrel\tnumenius\n", "utf-8")
        host = done.url("/").removeprefix("http://").rstrip("/")
        known, sizes = hits(data, host), list[int]()
        words = ("crawl", "web", "-a", f"seeds={busy.url('/')}", "-a", "own=1")
        with serving(data) as address, running(data, *words) as under_way:
            until(lambda: ask(address, "curlew")["total"] > 10, "pages of the second site")
            with clients(address, "whimbrel") as totals, asking(address, ["curlew"]):
                for number in range(backups):
                    scrapy(data, "backup", str(tmp_path / f"{number}.tar"))
                    time.sleep(0.3)
                assert under_way.poll() is None, "the crawl ended before the last backup"
            assert min(totals) > 0, "a client got no answer"
    for number in range(backups):
        restored = tmp_path / str(number)
        scrapy(restored, "restore", str(tmp_path / f"{number}.tar"))
        assert hits(restored, host) == known
        assert (restored / "synonyms.tsv").read_text("utf-8") == "whimbrel\tnumenius\n"
        assert "nothing is damaged" in scrapy(restored, "check").stdout
        with closing(Store(restored)) as store:
            make_follower(store, Config(restored)).catch_up()
            peace = tmp_path / f"peace{number}"
            rebuild_index(store, peace)
        assert content(restored) == content(peace)
        sizes.append(len(content(restored)))
    assert sizes == sorted(sizes)
