"""Suspected traps are listed with an example; the operator judges, the next crawl obeys."""

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from engine.frontier.suspects import FEWEST_STRANGE, MAX_NOTED, suspected_target
from engine.removal import describe_times
from engine.report.summary import crawl_summary
from engine.store.suspects import MAX_PLACES, TOGETHER, Suspect, load_suspects
from engine.url import MAX_URL_LENGTH, MAX_USUAL_LENGTH
from tests.crawling import HOST, Clock, Web, crawl_of, run, states
from tests.running import scrapy

QUERIES = 200  # C34


def crawled(folder: Path, *links: str) -> tuple[list[str], list[Suspect]]:
    """A crawl of a home page with these links: the URLs that were asked, and the suspects it leaves."""
    there: dict[str, int | list[str]] = {f"{HOST}{path}": [] for path in links}
    web, clock = Web({**there, f"{HOST}/": [f"{HOST}{path}" for path in links]}), Clock()
    crawl = crawl_of(folder, clock)
    run(crawl, web, clock)
    with crawl.store.engine.connect() as connection:
        suspects = load_suspects(connection)
    crawl.store.close()
    return web.asked(), suspects


def listed(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(scrapy(folder, "suspects", "--json").stdout)["suspects"]
    return found


def sized(length: int, name: str) -> str:
    """A path that makes a URL of this length."""
    return f"/{name}/".ljust(length - len(HOST), "x")


@pytest.mark.parametrize(
    ("rule", "url", "target", "why"),
    [
        ("queries", "http://h/cal?m=9", "http://h/cal?", "the calendar, not its path"),
        ("repeat", "http://h/a/b/b/b/b/c", "http://h/a/b/b/", "what stands once is no trap"),
        ("repeat", "http://h/s/i/s/i/s/i/s/i/", "http://h/s/i/s/i/", "a longer period"),
        ("repeat", "http://h/a/a/a/a", "http://h/a/a/", "at the end of the path"),
        ("length", "http://h/xxx", "http://h", "the host"),
        ("sensitive", "http://h/.env", "http://h/.env", "the file"),
        ("duplicates", "http://h/c?x=1", "http://h", "the host"),
    ],
)
def test_what_accepting_would_block(rule: str, url: str, target: str, why: str) -> None:
    assert suspected_target(rule, url).text == target, why


@pytest.mark.requirement(47, 282)
def test_ten_urls_that_are_too_long_make_one_suspect(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """One alert a site and rule; C29: those above 1,024 are flagged, and crawled."""
    least = TOGETHER["length"]
    for name, number, suspected in (("few", least - 1, 0), ("many", least, 2)):
        caplog.clear()
        too_long = [sized(MAX_URL_LENGTH + 1, str(n)) for n in range(number)]
        long = [sized(MAX_USUAL_LENGTH + 1, str(n)) for n in range(number)]
        with caplog.at_level(logging.WARNING, "lycosa"):
            asked, suspects = crawled(tmp_path / name, *too_long, *long, sized(MAX_USUAL_LENGTH, "usual"))
        assert len(asked) == 1 + number + 1, name
        assert {one.seen.rule: one.seen.times for one in suspects} == (
            {"length": number, "long": number} if suspected else {}
        )
        assert sum("too long" in line for line in caplog.messages) == suspected


@pytest.mark.requirement(54, 268)
@pytest.mark.parametrize(
    ("strange", "honest", "alarm", "why"),
    [
        (FEWEST_STRANGE, 110, True, "31 % of 161"),
        (FEWEST_STRANGE, 120, False, "29 %"),
        (FEWEST_STRANGE - 1, 9, False, "too few to say"),
    ],
)
def test_a_host_of_strange_urls_is_reported(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, strange: int, honest: int, alarm: bool, why: str
) -> None:
    """Many URLs that look like a trap."""
    odd = [f"/{n}{'/sub' * 4}/" for n in range(strange)]
    with caplog.at_level(logging.WARNING, "lycosa"):
        _, suspects = crawled(tmp_path, *odd, *(f"/p{n}" for n in range(honest)))
    assert ("strange" in {one.seen.rule for one in suspects}) == alarm, why
    assert sum("suspected to be a trap" in line for line in caplog.messages) == alarm


def test_a_host_cannot_fill_the_list(tmp_path: Path) -> None:
    _, suspects = crawled(tmp_path, *(f"/{n}{'/sub' * 4}/" for n in range(2 * MAX_NOTED)))
    assert [one.seen.rule for one in suspects].count("repeat") == MAX_PLACES


@pytest.mark.requirement(38)
def test_each_skip_is_logged_with_its_rule(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Rule, URL and, in it, the host."""
    odd = f"/a{'/sub' * 4}/"
    with caplog.at_level(logging.DEBUG, "lycosa"):
        crawled(tmp_path, odd)
    assert f"skipped by the rule repeat: {HOST}{odd}" in caplog.messages


@pytest.mark.parametrize(
    ("rule", "times", "says"),
    [
        ("repeat", 1, "1 time: links whose path repeats itself"),
        ("errors", 2_000, "2,000 times: more than 30 % of the last responses were errors"),
    ],
)
def test_how_often_it_was_seen(rule: str, times: int, says: str) -> None:
    assert describe_times(rule, times) == says


@pytest.mark.slow
@pytest.mark.requirement(53, 259, 267)
def test_an_accepted_suspect_is_not_visited_by_the_next_run(tmp_path: Path) -> None:
    """The feedback of each run into the next."""
    calendar = [f"/cal?m={n:03}" for n in range(QUERIES + 20)]
    crawled(tmp_path, *calendar, "/cal", "/page")
    (suspect,) = listed(tmp_path)
    assert (suspect["rule"], suspect["times"], suspect["target"]) == ("queries", 20, f"{HOST}/cal?")
    assert suspect["example"].startswith(f"{HOST}/cal?m=")
    number = str(suspect["number"])
    done = scrapy(tmp_path, "suspects", "--accept", number, "--reason", "a calendar").stdout
    assert "removal 1" in done
    assert f"{QUERIES:,} pages left the index" in done
    assert listed(tmp_path) == []
    again, suspects = crawled(tmp_path, *calendar, "/cal", "/page")
    assert sorted(again) == [f"{HOST}/", f"{HOST}/cal", f"{HOST}/page"]
    assert suspects == []
    scrapy(tmp_path, "remove", "--undo", "1")
    again, _ = crawled(tmp_path, *calendar, "/cal", "/page")
    assert all("/cal?m=" in url for url in again[:QUERIES]), "what was removed waits, and is asked first"


def test_more_than_is_proposed_is_blocked(tmp_path: Path) -> None:
    crawled(tmp_path, *(f"/cal/1?m={m}" for m in range(QUERIES + 2)), "/cal/page", "/page")
    (suspect,) = listed(tmp_path)
    words = ("--accept", str(suspect["number"]), "--reason", "calendars")
    said = scrapy(tmp_path, "suspects", *words, "--target", f"{HOST}/cal", code=0).stdout
    assert f"URL  {HOST}/cal" in said
    assert listed(tmp_path) == [], "it is judged"
    assert "removal 1" in scrapy(tmp_path, "remove", "--list").stdout
    scrapy(tmp_path, "suspects", *words, "--target", f"{HOST}/cal/*", code=2)


@pytest.mark.slow
def test_a_dismissed_suspect_is_crawled_as_before(tmp_path: Path) -> None:
    calendar = [f"/cal?m={n:03}" for n in range(QUERIES + 20)]
    crawled(tmp_path, *calendar)
    (suspect,) = listed(tmp_path)
    scrapy(tmp_path, "suspects", "--dismiss", str(suspect["number"]))
    again, suspects = crawled(tmp_path, *calendar)
    assert len(again) == 1 + QUERIES
    assert suspects == []
    assert scrapy(tmp_path, "suspects").stdout == "no suspects\n"


def test_a_run_counts_afresh(tmp_path: Path) -> None:
    """Each run finds the same links anew."""
    odd = f"/a{'/sub' * 4}/"
    for _ in range(2):
        _, (suspect,) = crawled(tmp_path, odd)
    assert suspect.seen.times == 1


@pytest.mark.requirement(50)
@pytest.mark.parametrize(
    ("words", "said", "why"),
    [
        (("--accept", "7", "--reason", "x"), "there is no suspect 7", "no such number"),
        (("--dismiss", "7"), "there is no suspect 7", "no such number"),
        (("--accept", "1"), "give a reason", "a removal has its reason (requirement 50)"),
        (("--accept", "1", "--dismiss", "1"), "not both", "one judgement"),
        (("x",), "unexpected 'x'", "no arguments"),
    ],
)
def test_what_cannot_be_judged(tmp_path: Path, words: tuple[str, ...], said: str, why: str) -> None:
    crawled(tmp_path, f"/a{'/sub' * 4}/")
    assert said in scrapy(tmp_path, "suspects", *words, code=2).stderr, why
    assert len(listed(tmp_path)) == 1
    assert "removed" not in {reason for _, reason in states(tmp_path).values()}


@pytest.mark.requirement(39)
def test_the_list_says_what_accepting_does(tmp_path: Path) -> None:
    """What was left can be looked at."""
    crawled(tmp_path, f"/a{'/sub' * 4}/")
    said = scrapy(tmp_path, "suspects").stdout
    assert f"such as {HOST}/a/sub/sub/sub/sub/" in said
    assert f"--accept 1 blocks the prefix {HOST}/a/sub/sub/" in said


@pytest.mark.requirement(53, 87)
def test_the_end_of_a_crawl_tells_of_suspects_and_of_the_causes_of_errors(tmp_path: Path) -> None:
    """Stale URLs apart from those that a host does not give to robots."""
    answers: dict[str, int | list[str]] = {"/a": 404, "/b": 410, "/c": 403, "/d": 401, "/e": 429, "/f": 500}
    web = Web({f"{HOST}{path}": status for path, status in answers.items()})
    web.answers[f"{HOST}/"] = [*web.answers, f"{HOST}/a{'/sub' * 4}/"]
    clock = Clock()
    crawl = crawl_of(tmp_path, clock)
    run(crawl, web, clock)
    said = " ".join(crawl_summary(crawl.store, tmp_path, crawl.run.id).split())
    assert "errors, total: stale URLs 2 errors, total: access refused 3" in said
    assert "1 suspect awaiting judgement: scrapy suspects" in said
