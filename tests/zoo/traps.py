"""Spaces without an end, copies without number, and hosts that never have time."""

import random
from collections.abc import Callable, Iterable

from tests.web.scripted import Answer, html, prose
from tests.zoo.behaviour import (
    ALIAS,
    LOST,
    QUEUED,
    STORED,
    Behaviour,
    Exchange,
    Serve,
    answers,
    page,
)
from tests.zoo.honest import PATHS, honest_page

HOST_PAGES = 40  # known URLs of one host, in this crawl
QUERIES = 12  # of one path
DEPTH = 15  # links from a seed
MOST = HOST_PAGES + 15  # requests: what the bounds let through, robots.txt, sitemap, probes and tries


def leading(links: Callable[[Exchange], list[str]], same: str = "") -> Serve:
    """Pages that lead on; `same`: all with one text."""

    def shown(it: Exchange) -> Answer:
        if same:
            return html("Same", prose(same) + onward(links(it)))
        return page(it, *links(it))

    return answers(shown)


def onward(links: Iterable[str]) -> str:
    """Links that all stand on one word."""
    return "".join(f'<a href="{link}">on</a> ' for link in links)


def number(it: Exchange) -> int:
    return int("".join(character for character in it.path if character.isdigit()) or 0)


def chance() -> str:
    return f"{random.getrandbits(40):x}"


def mirrored(it: Exchange) -> Answer:
    """The honest host `original`, word by word."""
    return honest_page("original", it.path) if it.path in PATHS else Answer(404)


def trap(name: str, why: str, serve: Serve, stored: int = HOST_PAGES, *, quick: bool = False) -> Behaviour:
    return Behaviour(name, why, serve, (STORED, ALIAS, "gone"), stored, MOST, "page", quick)


def busy(name: str, why: str, *, status: int, quick: bool = False, **more: str) -> Behaviour:
    headers = {key.replace("_", "-"): value for key, value in more.items()}
    return Behaviour(
        name, why, answers(lambda _: Answer(status, headers=headers)), (*LOST, QUEUED), quick=quick
    )


BEHAVIOURS = (
    trap("calendar", "a next month, always", leading(lambda it: [f"/?month={number(it) + 1}"]), QUERIES + 3),
    trap(
        "calendar in the path",
        "a next month, always",
        leading(lambda it: [f"/{number(it) + 1}/"]),
        DEPTH + 3,
        quick=True,
    ),
    trap("folders in themselves", "a/a/a", leading(lambda it: ["sub/"]), 8, quick=True),
    trap(
        "folders by chance",
        "a tree without leaves",
        leading(lambda it: [f"{it.path.rstrip('/')}/{chance()}/" for _ in range(5)]),
    ),
    trap(
        "sessions",
        "each link has its own",
        leading(lambda it: [f"/{n}?sid={chance()}" for n in range(5)], "session"),
        6,
        quick=True,
    ),
    trap(
        "sessions in the path",
        "each link has its own",
        leading(lambda it: [f"/;jsessionid={chance()}/{n}" for n in range(5)], "path session"),
        6,
    ),
    trap(
        "pagination",
        "a next page, always",
        leading(lambda it: [f"/list?page={number(it) + n}" for n in (1, 2)]),
        QUERIES + 3,
    ),
    trap(
        "orders",
        "a list sorted in any way",
        leading(lambda it: [f"/list?sort={chance()}&dir={chance()}" for _ in range(9)]),
        QUERIES + 3,
    ),
    trap(
        "wildcard paths",
        "whatever is asked is there",
        leading(lambda it: [f"/{chance()}.html" for _ in range(9)]),
        quick=True,
    ),
    trap(
        "duplicate farm",
        "one text at all addresses",
        leading(lambda it: [f"/{chance()}" for _ in range(9)], "farm"),
        2,
        quick=True,
    ),
    trap(
        "near duplicate farm",
        "one text but for a number",
        answers(
            lambda it: html(
                "Farm", prose("near farm") + f"<p>{chance()}</p>" + onward(f"/{chance()}" for _ in range(9))
            )
        ),
    ),
    trap(
        "soft 404",
        "an error page that calls itself none",
        answers(
            lambda it: html(
                "Sorry", f"<p>There is no page {it.path} here.</p>" + onward(f"/{chance()}" for _ in range(3))
            )
        ),
        12,
    ),
    trap("mirror", "another host's pages, word by word", answers(mirrored), 12),
    trap(
        "spellings",
        "one page in many spellings of its path",
        leading(lambda it: ["//", "/./", "/%2e/", "/a/../", "/?", "/#x", "/%41", "/A", "/A/."], "spelled"),
        4,
    ),
    busy("503 for ever", "never has time", status=503, Retry_After="99999999"),
    busy("429 for ever", "is asked too much by one request", status=429, quick=True),
    busy("500 for ever", "is broken", status=500, quick=True),
    busy("Retry-After below zero", "asks to be asked before", status=503, Retry_After="-1000000"),
    busy("Retry-After of a megabyte", "is a number", status=503, Retry_After="9" * 60_000),
    busy("Retry-After in year 0", "is no date", status=503, Retry_After="Mon, 00 Jan 0000 99:99:99 GMT"),
)
