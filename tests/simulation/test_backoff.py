"""A rest that a host asked for holds for the next command, too, however this one ended. On a fake clock."""

from pathlib import Path

import pytest

from engine.crawl import Crawl
from engine.frontier.politeness import FIRST_BACKOFF, SUSPEND_AFTER, SUSPEND_SECONDS
from tests.crawling import EPOCH, HOST, Clock, Web, crawl_of, run, step

OTHER = "http://i.example"
SEEDS = (f"{HOST}/", f"{OTHER}/")


def web_of(status: int, wish: str) -> Web:
    """A host whose second page sends us away, and another one that is well."""
    answers: dict[str, int | list[str]] = {f"{HOST}/": [f"{HOST}/1"], f"{HOST}/1": status, f"{OTHER}/": []}
    return Web(answers, {f"{HOST}/1": [("retry-after", wish)] if wish else []})


def until_sent_away(crawl: Crawl, web: Web, clock: Clock) -> float:
    """Crawl until the host has answered that; when it did."""
    while f"{HOST}/1" not in web.asked():
        assert step(crawl, web, clock)
    crawl.commit()
    return clock.now


@pytest.mark.slow
@pytest.mark.parametrize("killed", [False, True])
@pytest.mark.parametrize(
    ("status", "wish", "seconds", "why"),
    [
        (503, "600", 600.0, "longer than any pause of ours"),
        (429, "600", 600.0, "who asks us to ask less means it as well"),
        (503, "100", 100.0, "short enough to be waited for"),
        (503, "9999999", 86_400.0, "longer than we go by"),
        (503, "", FIRST_BACKOFF, "no wish, but it failed"),
    ],
)
def test_a_rest_outlives_the_command(
    tmp_path: Path, status: int, wish: str, seconds: float, why: str, *, killed: bool
) -> None:
    """Not even robots.txt is asked before it is over; other hosts are."""
    web, clock = web_of(status, wish), Clock()
    crawl = crawl_of(tmp_path, clock, seeds=SEEDS)
    away = until_sent_away(crawl, web, clock)
    if not killed:
        crawl.close("shutdown")
    crawl.store.close()
    web.log.clear()
    web.answers[f"{HOST}/1"] = []
    for _ in range(3):
        run(crawl_of(tmp_path, clock, seeds=SEEDS), web, clock)
        assert not [url for at, url in web.log if url.startswith(HOST) and at < away + seconds], why
    clock.now = max(clock.now, away + seconds)
    run(crawl_of(tmp_path, clock, seeds=SEEDS), web, clock)
    assert f"{HOST}/1" in web.asked()
    assert f"{OTHER}/" in web.asked()


def test_a_long_rest_of_an_earlier_run_keeps_no_command(tmp_path: Path) -> None:
    web, clock = web_of(503, "80000"), Clock()
    until_sent_away(crawl_of(tmp_path, clock, seeds=SEEDS), web, clock)
    crawl = crawl_of(tmp_path, clock, seeds=SEEDS)
    run(crawl, web, clock)
    assert clock.now < EPOCH + 60
    assert crawl.frontier.host_queues[HOST].pause_reason.startswith("it asks to wait 80,000 s")


def test_a_rest_is_over_when_the_host_answers(tmp_path: Path) -> None:
    """Of an own host several are under way at once; what it answers last counts."""
    web, clock = web_of(503, "600"), Clock()
    crawl = crawl_of(tmp_path, clock, seeds=SEEDS)
    away = until_sent_away(crawl, web, clock)
    web.answers[f"{HOST}/1"] = [f"{HOST}/2"]
    web.answers[f"{HOST}/2"] = []
    clock.now = away + 600
    for _ in range(2):
        web.log.clear()
        run(crawl_of(tmp_path, clock, seeds=SEEDS), web, clock)
        assert f"{HOST}/2" in web.asked()
        assert clock.now < away + 660
        clock.now += 1


def test_a_host_that_is_down_is_tried_once_by_the_next_command(tmp_path: Path) -> None:
    """It asked for nothing, and may be well again."""
    web, clock = Web({f"{HOST}/": 0}), Clock()
    crawl = crawl_of(tmp_path, clock)
    for _ in range(SUSPEND_AFTER):
        run(crawl, web, clock)
        crawl = crawl_of(tmp_path, clock)
    assert clock.now < EPOCH + SUSPEND_SECONDS
    web.answers[f"{HOST}/"] = []
    web.log.clear()
    run(crawl_of(tmp_path, clock), web, clock)
    assert web.asked() == [f"{HOST}/"]
