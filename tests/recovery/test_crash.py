"""Crawls that are stopped, killed or run out of disk leave nothing behind, and go on where they were."""

import os
import signal
import sqlite3
import subprocess
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from engine.search.search import SearchService
from tests.conftest import ROOT
from tests.running import END_SECONDS, begun_anew, command, command_lines, crawl, scrapy, until
from tests.web.scripted import Answer, Site, anchors, html, prose, scripted_web

PAGES = 150


def web_of(number: int) -> dict[str, Answer]:
    """Pages with texts of their own, each linking to three others."""
    return {
        f"/{n or ''}": html(
            f"Page {n}",
            f"<p>common {prose(str(n))}</p>" + anchors(f"/{(n * 3 + k) % number or ''}" for k in range(1, 4)),
        )
        for n in range(number)
    }


def stored(data: Path) -> set[tuple[str, str]]:
    with sqlite3.connect(data / "crawl.db") as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        rows = database.execute("SELECT url, state FROM urls WHERE kind = 'page'").fetchall()
        pages = database.execute("SELECT count(*) FROM pages").fetchone()
    database.close()
    assert pages[0] == sum(state == "stored" for _, state in rows)
    return {(url.partition("/")[2].partition("/")[2].partition("/")[2], state) for url, state in rows}


def kill_after(data: Path, site: Site, requests: int) -> None:
    """Start a crawl and kill it once it has sent so many requests more."""
    limit = len(site.log) + requests
    with begun_anew(data, "crawl", "web", "-a", f"seeds={site.url('/')}", "-a", "own=1") as process:
        until(lambda: len(site.log) >= limit or process.poll() is not None, "the crawl")
        os.kill(process.pid, signal.SIGKILL)


@pytest.mark.slow
def test_ctrl_c_stops_cleanly_and_the_same_command_goes_on(tmp_path: Path) -> None:
    """A terminal sends it to the whole group: the follower of the index goes on to its end all the same."""
    with scripted_web(web_of(PAGES)) as site:
        with begun_anew(tmp_path, "crawl", "web", "-a", f"seeds={site.url('/')}", "-a", "own=1") as process:
            until(lambda: len(site.log) > 20, "the crawl")
            os.killpg(process.pid, signal.SIGINT)
            assert process.stdout
            said = process.stdout.read()
            assert process.wait(END_SECONDS) == 0, said
        assert "are still queued: run the same command to continue" in said
        assert "Traceback" not in said
        with closing(SearchService(tmp_path)) as search:
            assert search.count_documents() == sum(state == "stored" for _, state in stored(tmp_path))
        crawl(tmp_path, site.url("/"))
        assert max(Counter(site.paths).values()) == 1
    assert len(stored(tmp_path)) == PAGES


@pytest.mark.slow
def test_a_dead_crawl_leaves_no_process_behind(tmp_path: Path) -> None:
    """The follower indexes what was committed, and goes."""
    with scripted_web(web_of(PAGES)) as site:
        kill_after(tmp_path, site, 60)
        time.sleep(0.1)
        lock = tmp_path / "index" / "write.lock"
        until(lambda: not _followers(tmp_path), "the follower's end")
    assert lock.exists()
    with sqlite3.connect(tmp_path / "crawl.db") as database:
        pages = database.execute("SELECT count(*) FROM pages").fetchone()[0]
    database.close()
    search = SearchService(tmp_path)
    assert search.count_documents() == pages
    search.close()


@pytest.mark.slow
def test_a_follower_that_is_killed_is_started_again(tmp_path: Path) -> None:
    """As by a kernel that is out of memory: every page is indexed all the same, and the crawl says so."""
    with scripted_web(web_of(PAGES)) as site:
        with begun_anew(tmp_path, "crawl", "web", "-a", f"seeds={site.url('/')}", "-a", "own=1") as process:
            until(lambda: _followers(tmp_path), "the follower")
            (first,) = _followers(tmp_path)
            os.kill(first, signal.SIGKILL)
            assert process.stdout
            said = process.stdout.read()
            assert process.wait(END_SECONDS) == 0, said
        assert said.count("was killed: it is started again") == 1
    with closing(SearchService(tmp_path)) as search:
        assert search.count_documents() == len(stored(tmp_path)) == PAGES


@pytest.mark.slow
def test_a_follower_that_cannot_write_is_told_of_at_the_end(tmp_path: Path) -> None:
    """The pages are stored; who reads the end of a night's log has to learn that they cannot be found."""
    (tmp_path / "index").write_text("no folder", "ascii")
    with scripted_web(web_of(3)) as site:
        words = ("-a", f"seeds={site.url('/')}", "-a", "own=1")
        done = scrapy(tmp_path, "crawl", "web", *words, code=2)
    assert "are stored, but not all of them are indexed; fix the error above" in done.stderr
    assert len(stored(tmp_path)) == 3


# A system that has no room for a second process when the crawl begins.
NO_ROOM_AT_FIRST = """
import subprocess, sys
from scrapy.cmdline import execute

class Popen(subprocess.Popen):
    refused = 0
    def __init__(self, command, *more, **options):
        if "engine.index.indexing" in command and not Popen.refused:
            Popen.refused = 1
            raise BlockingIOError(11, "Resource temporarily unavailable")
        super().__init__(command, *more, **options)

subprocess.Popen = Popen
execute(["scrapy", *sys.argv[1:]])
"""


@pytest.mark.slow
def test_a_follower_for_which_there_is_no_room_at_first_is_started_later(tmp_path: Path) -> None:
    with scripted_web(web_of(PAGES)) as site:
        words = command(tmp_path, "crawl", "web", "-a", f"seeds={site.url('/')}", "-a", "own=1")
        words = [words[0], "-c", NO_ROOM_AT_FIRST, *words[words.index("crawl") :]]
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=END_SECONDS)
        assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    with closing(SearchService(tmp_path)) as search:
        assert search.count_documents() == len(stored(tmp_path)) == PAGES


def _followers(data: Path) -> list[int]:
    return [
        process
        for process, line in command_lines().items()
        if b"engine.index" in line and str(data).encode() in line
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("limit", "says"),
    [
        pytest.param(500_000, "cannot write the crawl database", id="in the middle"),
        pytest.param(150_000, "cannot", id="early", marks=pytest.mark.long),
    ],
)
def test_a_full_disk_is_one_line_and_the_same_command_goes_on(tmp_path: Path, limit: int, says: str) -> None:
    """A limit on the size of files stands for the disk's end."""
    with scripted_web(web_of(PAGES)) as site:
        words = command(tmp_path, "crawl", "web", "-a", f"seeds={site.url('/')}", "-a", "own=1")
        limited = ["bash", "-c", f'ulimit -f {limit // 1024}; exec "$@"', "bash", *words]
        done = subprocess.run(limited, cwd=ROOT, capture_output=True, text=True, timeout=END_SECONDS)
        assert done.returncode == 2, done.stderr
        assert "Traceback" not in done.stderr
        assert says in done.stderr
        crawl(tmp_path, site.url("/"))
    assert len(stored(tmp_path)) == PAGES
