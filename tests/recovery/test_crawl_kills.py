"""kill -9 again and again, at any moment of a crawl: in the end all is as if nothing had happened."""

import os
import random
import signal
import sqlite3
import subprocess
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from engine.crawl.pending import BATCH_VISITS
from engine.frontier.politeness import PACES, SLOW_START_REQUESTS
from engine.search.search import SearchService
from tests.running import begun_anew, crawl, until
from tests.web.scripted import Answer, Route, Site, anchors, html, prose, scripted_web

MOST_TIMES = 4  # that one page is asked in all: what was under way goes behind the others
AT_ONCE = PACES["own"].max_requests
EVERY = 12  # so many pages to one of each special kind
START_SECONDS = 1.0  # a crawl's start takes less: some kills come before the first request
LATE_SECONDS = 0.05  # after the request that a kill waits for, at most
SPARE = 4  # shares of what is left that no kill takes, so that the last one finds a crawl to kill
EARLY = 0.2  # the share of kills that come while a crawl starts
ROW = "u.url, u.kind, u.state, u.reason, u.alias_of, p.fingerprint, p.language, p.media_type"


class Slow:
    """How long the site takes for an answer, in seconds."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def route(self, answer: Answer) -> Route:
        """The answer, after that."""
        return lambda path: replace(answer, delay=self.seconds)


def site_of(number: int, slow: Slow) -> dict[str, Route]:
    """Pages that link to three others, and some to a redirect, a 404, a page not to be indexed, a copy.

    A copy has the links of its page, too: which of them comes first a kill decides, as what was under way
    goes behind the others.
    """
    answers: dict[str, Answer] = {}
    for n in range(number):
        answers[f"/{n or ''}"] = answers[f"/copy/{n}"] = _page(n, _links(n, number))
        answers[f"/moved/{n}"] = Answer(302, headers={"Location": f"/{(n + 1) % number or ''}"})
        answers[f"/hidden/{n}"] = html(
            "Hidden", prose(f"hidden {n}"), '<meta name="robots" content="noindex">'
        )
    return {path: slow.route(answer) for path, answer in answers.items()}


def _links(n: int, number: int) -> list[str]:
    links = [f"/{(n * 3 + k) % number or ''}" for k in range(1, 4)]
    if n % EVERY == 0:
        links += [f"/moved/{n}", f"/gone/{n}", f"/hidden/{n}"]
    if n > number * 3 // 4:
        links += [f"/copy/{n % EVERY + 1}"]
    return links


def _page(number: int, links: Sequence[str]) -> Answer:
    return html(f"Page {number}", f"<p>common {prose(str(number))}</p><nav>{anchors(links)}</nav>")


def rows(data: Path) -> set[tuple[object, ...]]:
    """All that the crawl database says of each URL, but times and what the order of answers decides."""
    with sqlite3.connect(data / "crawl.db") as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        query = f"SELECT {ROW} FROM urls AS u LEFT JOIN pages AS p ON p.url_id = u.id"
        found = set(database.execute(query).fetchall())
    database.close()
    return found


def settled(data: Path) -> set[str]:
    """URLs of which the database knows what became of them."""
    if not (data / "crawl.db").exists():
        return set()
    try:
        return {str(url) for url, _, state, *_ in rows(data) if state != "queued"}
    except sqlite3.OperationalError:  # killed before its tables were made
        return set()


def documents(data: Path) -> dict[str, tuple[str, int]]:
    """Title and inlinks of every document that can be found."""
    search, found = SearchService(data), dict[str, tuple[str, int]]()
    try:
        for page in range(1, search.count_documents() // 100 + 2):
            hits = search.search("common", page=page, size=100).hits
            found |= {hit.url: (hit.title, hit.inlinks) for hit in hits}
        assert len(found) == search.count_documents()
    finally:
        search.close()
    return found


def kill(process: subprocess.Popen[str], *, whole: bool) -> None:
    """The crawl at once; `whole`: the processes that it started, too."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split() if whole else []
    os.kill(process.pid, signal.SIGKILL)
    for child in children:
        os.kill(int(child), signal.SIGKILL)
    process.wait()


def live_and_die(data: Path, site: Site, chance: random.Random, requests: int) -> None:
    """A crawl that is killed while it starts, or some time after so many requests."""
    limit = len(site.log) + chance.randint(1, max(requests, 1))
    with begun_anew(data, "crawl", "web", "-a", f"seeds={site.url('/')}", "-a", "own=1") as process:
        if chance.random() < EARLY:
            time.sleep(chance.uniform(0, START_SECONDS))
        else:
            until(lambda: len(site.log) >= limit or process.poll() is not None, "the crawl")
            time.sleep(chance.uniform(0, LATE_SECONDS))
        assert process.poll() is None, "it ended before it could be killed"
        kill(process, whole=chance.random() < 0.5)


@pytest.mark.slow
@pytest.mark.requirement(25, 275)
@pytest.mark.parametrize(
    ("pages", "kills", "seconds"),
    [(40, 2, 0.1), pytest.param(300, 50, 0.3, marks=[pytest.mark.long, pytest.mark.timeout(1_800)])],
)
def test_kills_lose_nothing(tmp_path: Path, pages: int, kills: int, seconds: float) -> None:
    """What was stored is never asked again, and all ends as without a kill."""
    seed = random.SystemRandom().getrandbits(32)
    print(f"seed of the kills: {seed}")  # noqa: T201  # pytest shows it when the test fails
    chance, slow, peace, war = random.Random(seed), Slow(), tmp_path / "peace", tmp_path / "war"
    with scripted_web(site_of(pages, slow)) as site:
        crawl(peace, site.url("/"))
        asked = set(site.paths)
        site.log.clear()
        slow.seconds = seconds
        lives = list[set[str]]()
        for left in range(kills, 0, -1):
            before, done = len(site.log), settled(war)
            live_and_die(war, site, chance, 2 * (len(asked) - len(done)) // (left + SPARE))
            lives.append(assert_not_again(site, before, done, settled(war)))
        slow.seconds = 0.0
        before, done = len(site.log), settled(war)
        crawl(war, site.url("/"))
        lives.append(assert_not_again(site, before, done, settled(war)))
        assert not list(war.glob("journal*"))
        times = Counter(path for path in site.paths if path != "/robots.txt")
        print(f"asked again by a kill: {(times.total() - len(times)) / kills:.1f}")  # noqa: T201
        assert_little_again(lives)
        assert max(times.values()) <= MOST_TIMES
        assert set(site.paths) == asked
    assert rows(war) == rows(peace)
    assert documents(war) == documents(peace)


def assert_little_again(lives: Sequence[set[str]]) -> None:
    """Of what each life has asked no more is asked again than may be under way at once."""
    busy = [life for life in lives if life]  # some are killed before their first request
    for number, life in enumerate(busy):
        again = life & set().union(*busy[number + 1 :])
        assert len(again) <= (SLOW_START_REQUESTS if number else AT_ONCE), f"life {number}"


def assert_not_again(site: Site, before: int, done: set[str], now_done: set[str]) -> set[str]:
    """One life of a crawl: it asks nothing that was settled, and leaves little unsettled that it asked."""
    asked = [site.url(path) for path in site.paths[before:] if path != "/robots.txt"]
    assert len(asked) == len(set(asked))
    assert not done & set(asked)
    # Under way, or answered and not yet committed.
    assert len(set(asked) - now_done) <= AT_ONCE + BATCH_VISITS
    return set(asked)
