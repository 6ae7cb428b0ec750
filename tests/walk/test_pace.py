"""The pace as the servers of others see it: real seconds, real connections, every request recorded."""

import json
import math
import time
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

import pytest

from tests.running import running, until
from tests.web.scripted import Answer, Request, Site, anchors, html, prose, scripted_web

PAUSE = 1.0  # seconds; `brisk`
# Seconds; the crawler's clock is that of the wall, which may be slewed by 500 ppm (adjtimex(2)), the
# server's is not. Nothing else is tolerated: the way of a request may only make it later.
TOLERANCE = 0.005
AWAY = (0, 429, 503)  # 0: no answer


@dataclass(slots=True)
class Host:
    """A host with endless pages; `moods` are its answers to the first pages asked after the start page."""

    why: str
    moods: list[Answer] = field(default_factory=list)
    delay: float = 0.01
    connections: int = 1  # that it takes to talk to it: a dropped one is opened again
    answered: list[Answer] = field(default_factory=list)  # in the order of all requests

    def answer(self, path: str) -> Answer:
        """The next answer; robots.txt, sitemap and start page come first."""
        turn, number = len(self.answered) - 3, int(path[1:] or 0) if path[1:].isdigit() or path == "/" else -1
        if number < 0:
            said = Answer(404)
        elif 0 <= turn < len(self.moods):
            said = self.moods[turn]
        else:
            said = html(path, prose(self.why + path) + anchors(f"/{number + n}" for n in range(1, 9)))
        self.answered.append(said)
        return replace(said, delay=self.delay)


def hosts() -> list[Host]:
    """One of each temper."""
    return [
        Host("quick: the pause from start to start"),
        Host("slow: twice what it took, requirement 312", delay=0.8),
        Host("is busy, and asks for a rest", [Answer(503, headers={"Retry-After": "4"})]),
        Host("is asked too much, and says until when", [Answer(429, headers={"Retry-After": "3"})] * 2),
        Host("fails once, then recovers", [Answer(503)]),
        Host("fails thrice, then recovers", [Answer(503)] * 3),
        Host("hangs up", [Answer(drop=True)], connections=2),
    ]


def floors(host: Host, log: list[Request]) -> list[float]:
    """The earliest that each following request may come, by the words of issue and architecture."""
    fails, found = 0, list[float]()
    for request, answer in zip(log, host.answered, strict=False):
        away = answer.drop or answer.status in AWAY
        fails = fails + 1 if away else max(fails - 1, 0)
        pause = max(PAUSE, 2 * host.delay) * 2**fails
        rest = float(dict(answer.headers).get("Retry-After", 0))
        found.append(max(request.start + pause, request.start + host.delay + rest))
    return found


@pytest.mark.slow
@pytest.mark.requirement(264, 289, 312)
@pytest.mark.parametrize("seconds", [8, pytest.param(60, marks=[pytest.mark.long, pytest.mark.timeout(120)])])
def test_no_host_is_asked_before_its_time(tmp_path: Path, seconds: int) -> None:
    """Start to start, one connection, Retry-After, back-off and recovery."""
    asked = hosts()
    with ExitStack() as stack:
        sites = [
            stack.enter_context(scripted_web(host.answer, f"127.0.0.{n}")) for n, host in enumerate(asked, 2)
        ]
        configure(tmp_path, sites)
        with running(tmp_path, "crawl", "web"):
            until(lambda: all(site.log for site in sites), "the first request")
            time.sleep(seconds)
        logs = [[request for request in site.log if request.end < math.inf] for site in sites]
    for host, log in zip(asked, logs, strict=True):
        gaps = [round(after.start - before.start, 3) for before, after in pairwise(log)]
        print(f"{host.why}: {gaps}")  # noqa: T201  # pytest shows it when the test fails
        assert len(log) >= 3, host.why
        for floor, (before, after) in zip(floors(host, log), pairwise(log), strict=False):
            assert after.start >= floor - TOLERANCE, (host.why, after.path)
            assert after.start >= before.end, (host.why, "one at a time")
        assert len({request.connection for request in log}) <= host.connections, host.why


def configure(folder: Path, sites: list[Site]) -> None:
    """Other people's hosts that agreed to a second, and whose addresses may be contacted."""
    seeds = json.dumps([site.url("/") for site in sites])
    private = json.dumps([site.address for site in sites])
    (folder / "crawl.toml").write_text(
        f'contact = "me@example.org"\nallow_private = {private}\n'
        f'[[site]]\nseeds = {seeds}\nprofile = "brisk"\n'
    )
