"""A web of traps on loopback beside honest hosts: the crawl ends, and the honest are read in full."""

import json
import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import NamedTuple

import pytest

from tests.crawling import states
from tests.running import scrapy
from tests.web.scripted import Answer, Route, anchors, html, prose, scripted_web

pytestmark = [
    pytest.mark.slow,
    pytest.mark.long,
]  # alone: a bound is what is under way until an answer is read

HOST_PAGES = 300  # known URLs of a host, in this crawl
DEPTH = 60  # links from a seed
QUERIES = 200  # C34
TIMEOUT = 2  # seconds
HOSTS = 5  # honest ones
MIRRORED = 6  # pages that every mirror shows again


def page(path: str, *links: str, same: bool = False) -> Answer:
    """A page with these links; its text is its own, or that of all."""
    if same:
        return html("Trap", prose("same") + "".join(f'<a href="{link}">on</a>' for link in links))
    return html("Trap", prose(path) + anchors(links))


def sorry(path: str, *links: str) -> Answer:
    """An error page that calls itself none."""
    onward = "".join(f'<a href="{link}">on</a>' for link in links)
    return html("Sorry", f"<p>There is no page {path} on this server. Try another one.</p>{onward}")


def wrong() -> list[str]:
    return [f"/wrong/{chance()}" for _ in range(3)]


def number(path: str) -> int:
    digits = "".join(character for character in path if character.isdigit())
    return int(digits or 0)


def chance() -> str:
    return f"{random.getrandbits(40):x}"


def mirror(path: str) -> Answer:
    """Page n in mirror k, at /k/n: it leads to the next page here, and to itself in the next mirror."""
    if "lycosa-" in path:  # an honest answer: what looks alike here are pages
        return Answer(404)
    which, shown = (int(part) for part in path.strip("/").split("/")) if path != "/" else (0, 0)
    links = (f"/{which}/{(shown + 1) % MIRRORED}", f"/{which + 1}/{shown}")
    return html(f"Page {shown}", prose(f"mirrored {shown}") + f"<nav>{anchors(links)}</nav>")


def redirects(path: str) -> Answer:
    if path == "/":
        return page("redirects", "/chain/0", "/loop/a")
    following = (
        f"/chain/{number(path) + 1}" if "chain" in path else "/loop/b" if path == "/loop/a" else "/loop/a"
    )
    return Answer(302, headers={"Location": following})


@dataclass(frozen=True, slots=True)
class Trap:
    """A host that never ends, and how many requests it may cost; robots.txt and sitemap are two of them."""

    why: str
    answer: Callable[[str], Answer]
    most: int


TRAPS = [
    Trap("requirement 40: a symbolic link to its own folder", lambda path: page(path, "sub/", same=True), 5),
    Trap(
        "requirement 51: the same folder in itself, each page with a text of its own",
        lambda path: page(path, f"{path.rstrip('/')}/sub/"),
        7,
    ),
    Trap(
        "requirement 52: two folders in each other",
        lambda path: page(path, path + ("b/" if path.endswith("a/") else "a/")),
        12,
    ),
    Trap("requirement 42: a calendar", lambda path: page(path, f"/?m={number(path) + 1}"), QUERIES + 3),
    Trap("a calendar in the path", lambda path: page(path, f"/{number(path) + 1}/"), DEPTH + 3),
    Trap(
        "C34: a list sorted in any way",
        lambda path: page(path, *(f"/list?sort={chance()}&page={chance()}" for _ in range(20))),
        QUERIES + 3,
    ),
    Trap(
        "requirement 37: a session in each link",
        lambda path: page(path.partition("?")[0], *(f"/{n}?sid={chance()}" for n in range(3)), same=True),
        3 * QUERIES + 3,
    ),
    Trap(
        "requirement 41: endless pages",
        lambda path: page(path, *(f"/r/{chance()}" for _ in range(9))),
        HOST_PAGES + 3,
    ),
    Trap(
        "requirement 81: every wrong address answers with the same page",
        lambda path: (
            page(path, "/a/x", same=path != "/") if path == "/" else page(path, f"/{chance()}", same=True)
        ),
        5,  # also where another host says the same, and may be the copy: of two like pages one leads on
    ),
    Trap(
        "requirement 81: every wrong address answers with a page that repeats it",
        lambda path: page(path, *wrong()) if path == "/" else sorry(path, *wrong()),
        3 + 3 + 1 + 9 + 27,  # three lead to the question; what is under way until its answer leads on
    ),
    Trap(
        "requirement 46: addresses that grow",
        lambda path: page(path, path.rstrip("/") + "/" + chance() * 20),
        DEPTH + 3,
    ),
    Trap("requirement 79: redirects without end", redirects, 20),
    Trap("requirement 21: mirrors of one site, without end", mirror, 2 * MIRRORED + 4),
    Trap("a page that never comes to an end", lambda path: Answer(200, b"<p>slow" * 99, drip=1.0), 6),
]


class Crawled(NamedTuple):
    asked: dict[str, list[str]]  # paths by trap
    pages: int  # that each honest host has
    honest: list[set[str]]
    summary: str
    sorry: int  # error pages in the database
    rules: set[str]  # of the suspects


@pytest.fixture(scope="module", params=[60, 200])
def crawled(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Crawled]:
    folder = tmp_path_factory.mktemp("traps")
    pages: int = request.param
    plan = {
        f"/{n}" if n else "/": [f"/{m}" for m in (2 * n + 1, 2 * n + 2) if m < pages] for n in range(pages)
    }
    with ExitStack() as stack:
        traps = {trap.why: stack.enter_context(scripted_web(guarded(trap))) for trap in TRAPS}
        honest = [stack.enter_context(scripted_web(manual(n, plan))) for n in range(HOSTS)]
        seeds = ",".join(site.url("/") for site in (*traps.values(), *honest))
        words = ["-a", f"seeds={seeds}", "-a", "own=1", "-s", f"DOWNLOAD_TIMEOUT={TIMEOUT}"]
        words += ["-a", f"host_pages={HOST_PAGES}", "-a", f"max_depth={DEPTH}"]
        summary = scrapy(folder, "crawl", "web", *words).stdout
        assert not [url for url, (state, _) in states(folder).items() if state == "queued"]
        suspects = json.loads(scrapy(folder, "suspects", "--json").stdout)["suspects"]
        kept = [url for url, (state, _) in states(folder).items() if state == "stored" and "/wrong/" in url]
        asked = {why: list(site.paths) for why, site in traps.items()}
        yield Crawled(
            asked,
            pages,
            [set(site.paths) & set(plan) for site in honest],
            summary,
            len(kept),
            {one["rule"] for one in suspects},
        )


def manual(number: int, plan: dict[str, list[str]]) -> dict[str, Route]:
    """An honest host; no two of them say the same."""
    return {path: html(path, prose(f"{number}{path}") + anchors(links)) for path, links in plan.items()}


def guarded(trap: Trap) -> Callable[[str], Answer]:
    """The trap, without a robots.txt and a sitemap."""
    return lambda path: Answer(404) if path in ("/robots.txt", "/sitemap.xml") else trap.answer(path)


@pytest.mark.requirement(21, 37, 38, 40, 41, 42, 45, 46, 51, 52, 79, 81)
@pytest.mark.parametrize("trap", TRAPS, ids=lambda trap: trap.why)
def test_a_trap_costs_no_more_than_it_may(crawled: Crawled, trap: Trap) -> None:
    """Each guard has its own bound."""
    assert 3 <= len(crawled.asked[trap.why]) <= trap.most, crawled.asked[trap.why][-3:]


@pytest.mark.requirement(15)
def test_the_honest_are_read_in_full(crawled: Crawled) -> None:
    assert [len(found) for found in crawled.honest] == [crawled.pages] * HOSTS


@pytest.mark.requirement(81)
def test_error_pages_are_not_kept(crawled: Crawled) -> None:
    """Those that the host shows in place of 404 are counted, and none is found."""
    assert "errors: soft 404" in crawled.summary
    assert crawled.sorry == 0


@pytest.mark.requirement(53, 54, 267)
def test_the_traps_are_suspects(crawled: Crawled) -> None:
    """The crawl's end says where the operator finds them."""
    assert "awaiting judgement: scrapy suspects" in crawled.summary
    assert {"queries", "repeat", "host pages", "depth", "soft 404"} <= crawled.rules


@pytest.mark.requirement(38)
@pytest.mark.parametrize("rule", ["host pages", "queries", "depth", "repeat"])
def test_what_was_left_is_told_under_the_name_of_its_rule(crawled: Crawled, rule: str) -> None:
    assert f"links skipped: {rule}" in crawled.summary
