"""A crawl that is killed again and again, on a fake clock: what it asks twice, and how often."""

import random
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from engine.crawl import Crawl
from engine.crawl.opening import keep_journal
from engine.crawl.pending import BATCH_SECONDS
from engine.crawl.response_policy import apply_directives, classify_response
from engine.database import write_transaction
from engine.frontier.politeness import PACES, SLOW_START_REQUESTS, SLOW_START_SECONDS
from engine.model.page import Claim, Fetch, Purpose, Reading, State
from engine.store.journal import JournaledResponse
from tests.crawling import HOST, Clock, Web, crawl_of

AT_ONCE = PACES["own"].max_requests
KILLS = 30
PAGES = 200  # with five links each: the kills leave some, behind which others need not be asked again
STEPS = 60  # of one life at most: requests and answers
TREE = {f"{HOST}/{n or ''}": [f"{HOST}/{5 * n + k}" for k in range(1, 6)] for n in range(PAGES)}
KNOWN = {f"{HOST}/", *(url for links in TREE.values() for url in links)}


@dataclass
class Life:
    """One process's part of a crawl of an own host; `asked`: what went to the network."""

    crawl: Crawl
    clock: Clock
    web: Web = field(default_factory=lambda: Web({**TREE}, seconds=0.01))
    under_way: list[tuple[Fetch, Reading | None]] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def ask(self) -> bool:
        """One request, unless none may be sent now."""
        if not (claim := self.crawl.claim()):
            return False
        if claim.kind is Purpose.ROBOTS:
            self.crawl.record_robots(self.web.fetch(claim, self.clock)[0])
        else:
            self.under_way.append(self._fetch(claim))
        return True

    def _fetch(self, claim: Claim) -> tuple[Fetch, Reading | None]:
        if not self.crawl.run.journal.note_request(claim.url_id, claim.url):
            self.asked.append(claim.url)
        return self.web.fetch(claim, self.clock)

    def answer(self, number: int) -> None:
        """The answer to one of the requests that are under way."""
        fetch, read = self.under_way.pop(number)
        said = JournaledResponse(fetch.claim.url, fetch.status, (), fetch.body, (), fetch.at)
        self.crawl.run.journal.note_response(fetch.claim.url_id, said)
        self.crawl.record_response(fetch)
        visit = classify_response(fetch)
        if read and visit.state is State.STORED:
            visit = apply_directives(replace(visit, reading=read), indexable=True)
        self.crawl.finish(visit)

    def go_on(self, chance: random.Random, steps: int) -> None:
        """So many steps, each a request or an answer to any of those that are under way."""
        for _ in range(steps):
            if chance.random() < 0.7 and self.ask():
                continue
            if self.under_way:
                self.answer(chance.randrange(len(self.under_way)))
            else:
                self.clock.now += BATCH_SECONDS


def born(folder: Path, clock: Clock) -> Life:
    """A crawl begun, or begun anew, by the command."""
    crawl = crawl_of(folder, clock, own=True)
    with write_transaction(crawl.store.engine) as connection:
        keep_journal(connection, crawl.run, crawl.frontier, folder, clock())
    return Life(crawl, clock)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.long) for n in (1, 2))])
def test_thirty_kills_ask_little_again_and_nothing_a_third_time(tmp_path: Path, seed: int) -> None:
    """Only what was under way; who was killed has less under way, and asks again behind all others."""
    chance, clock = random.Random(seed), Clock()
    killed_at: dict[str, int] = {}  # the last kill before which a URL was asked
    again, times = Counter[int](), Counter[str]()
    for kill in range(KILLS):
        life = born(tmp_path, clock)
        life.go_on(chance, chance.randint(1, STEPS) if kill else STEPS)
        again.update(killed_at[url] for url in life.asked if url in killed_at)
        times.update(life.asked)
        killed_at |= dict.fromkeys(life.asked, kill)
        life.crawl.store.close()
    life = born(tmp_path, clock)
    while not life.crawl.is_finished():
        life.go_on(chance, STEPS)
    again.update(killed_at[url] for url in life.asked if url in killed_at)
    times.update(life.asked)
    assert set(times) == {*KNOWN, f"{HOST}/sitemap.xml"}
    assert again[0] <= AT_ONCE
    assert max(again[kill] for kill in range(1, KILLS)) <= SLOW_START_REQUESTS
    assert max(times.values()) == 2


def test_a_crawl_that_was_not_killed_asks_at_full_speed(tmp_path: Path) -> None:
    """And one that was does so again after a minute."""
    clock = Clock()
    for ended in ("", "shutdown"):
        life = born(tmp_path, clock)
        assert _at_once(life) == AT_ONCE, ended
        while life.under_way:
            life.answer(0)
        if ended:
            break
        life.crawl.close("shutdown")
        life.crawl.run.journal.close()
        life.crawl.store.close()
    life.crawl.store.close()
    life = born(tmp_path, clock)
    assert _at_once(life) == SLOW_START_REQUESTS
    clock.now += SLOW_START_SECONDS
    life.answer(0)
    assert _at_once(life) == AT_ONCE


def _at_once(life: Life) -> int:
    """How many requests may be under way, once there is enough to ask."""
    while life.crawl.frontier.waiting < 3 * AT_ONCE:
        while life.ask():
            pass
        life.answer(0)
        life.clock.now += BATCH_SECONDS
    while life.ask():
        pass
    return len(life.under_way)
