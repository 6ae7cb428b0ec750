"""Half an hour of a crawl on a fake clock, every request recorded (C33)."""

import random
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

from engine.frontier.politeness import MAX_PAUSE
from engine.model.page import Claim, Fetch, Reading
from tests.crawling import EPOCH, HOST, Clock, Web, chain, crawl_of, step

HALF_AN_HOUR = 1_800.0


class Exchange(NamedTuple):
    """One request, as a host sees it; `rest` in seconds, `away`: no answer, or one that sends us off."""

    start: float
    end: float
    host: str
    rest: float
    away: bool


class Moody(Web):
    """Answers well, slowly, not at all, or with a wish to be left alone, as chance has it."""

    def __init__(self, hosts: list[str], seed: int) -> None:
        numbers = [(host, n) for host in hosts for n in range(2_000)]
        super().__init__({f"{host}/{n}": [f"{host}/{n + m}" for m in range(1, 6)] for host, n in numbers})
        self.chance = random.Random(seed)
        self.ends: list[Exchange] = []

    def fetch(self, claim: Claim, clock: Clock) -> tuple[Fetch, Reading | None]:
        self.seconds = self.chance.choice([0.05, 0.05, 0.3, 4.0])
        mood = "well" if claim.url.endswith(".txt") else self.chance.choice(["well"] * 6 + ["down", "503"])
        rest, usual = 0.0, self.answers.get(claim.url)
        away = usual is not None and mood != "well"
        if away:
            rest = float(self.chance.choice([0, 40, 100])) if mood == "503" else 0.0
            self.answers[claim.url] = 0 if mood == "down" else 503
            self.headers[claim.url] = [("retry-after", f"{rest:.0f}")] if rest else []
        started = clock.now
        fetch = super().fetch(claim, clock)
        self.headers.pop(claim.url, None)
        if usual is not None:
            self.answers[claim.url] = usual
        self.ends.append(Exchange(started, clock.now, claim.host, rest, away))
        return fetch


@pytest.mark.slow
@pytest.mark.requirement(264, 289, 312)
@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.long) for n in (1, 2, 3))])
@pytest.mark.parametrize(("profile", "pause"), [("polite", 5.0), ("brisk", 1.0), ("strict", 15.0)])
def test_no_host_is_asked_sooner_than_it_may(tmp_path: Path, profile: str, pause: float, seed: int) -> None:
    """From start to start, Retry-After kept, each failure doubles."""
    hosts = [f"http://h{n}.example" for n in range(3)]
    web, clock = Moody(hosts, seed), Clock()
    seeds = tuple(f"{host}/{n}" for host in hosts for n in range(0, 1_000, 100))
    crawl = crawl_of(tmp_path, clock, seeds=seeds, profile=profile)
    while clock.now < EPOCH + HALF_AN_HOUR and step(crawl, web, clock):
        pass
    for host in hosts:
        visits, fails = [visit for visit in web.ends if visit.host == host], 0
        assert len(visits) > 5
        for visit, following in pairwise(visits):
            fails = fails + 1 if visit.away else max(fails - 1, 0)
            usual = max(pause, 2 * (visit.end - visit.start))
            assert following.start >= visit.start + max(usual, min(usual * 2**fails, MAX_PAUSE))
            assert following.start >= visit.end + visit.rest


@pytest.mark.requirement(312)
def test_failures_double_the_pause_and_answers_halve_it(tmp_path: Path) -> None:
    """Back-off up to a cap, and recovery step by step."""
    paths = [f"/{n}" for n in range(20)]
    web, clock = Web(chain("/", *paths)), Clock()
    web.answers[f"{HOST}/"] = [HOST + path for path in paths]
    crawl = crawl_of(tmp_path, clock)
    while len(web.asked()) < 3:
        step(crawl, web, clock)
    usual = dict(web.answers)
    web.answers = dict.fromkeys(web.answers, 0)
    while len(web.asked()) < 7:
        step(crawl, web, clock)
    web.answers = usual
    while len(web.asked()) < 14:
        step(crawl, web, clock)
    starts = [time for time, url in web.log if url in web.asked()]
    gaps = [round(b - a) for a, b in pairwise(starts)]
    assert gaps == [5, 5, 5, 10, 20, 40, 80, 40, 20, 10, 5, 5, 5]
    assert max(gaps) <= MAX_PAUSE
