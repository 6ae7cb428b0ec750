"""What a crawl counts, and its rate."""

from collections import Counter

import pytest

from engine.model.page import COPY, UNASKED, Claim, Fetch, Purpose, State, Visit
from engine.monitor import Counters
from engine.monitor.progress import WINDOW_SECONDS
from engine.robots.sitemap import Entry, Sitemap

URL = "http://h.example/"


def fetch(status: int = 200, purpose: Purpose = Purpose.PAGE, error: str = "") -> Fetch:
    return Fetch(Claim(1, URL, URL[:-1], kind=purpose), status, body=b"12345", error=error)


MAP = fetch(purpose=Purpose.SITEMAP)
TWO = Sitemap((Entry(URL), Entry(f"{URL}a")), warnings=("line 3: odd",))
VISITS: list[tuple[Visit, dict[str, int], str]] = [
    (Visit(fetch(), State.STORED), {"stored": 1}, "a page"),
    (Visit(fetch(304), State.STORED, unchanged=True), {"unchanged": 1}, "the page that we have"),
    (Visit(fetch(), State.NOINDEX), {"noindex": 1}, "a page that is not for an index"),
    (Visit(fetch(503), State.FAILED, "http 503", again=True), {"retries": 1}, "no error yet"),
    (Visit(fetch(503), State.FAILED, "http 503"), {"errors": 1, "errors: http 503": 1}, "the last try"),
    (Visit(fetch(404), State.GONE, "http 404"), {"errors": 1, "errors: http 404": 1}, "an error as well"),
    (Visit(fetch(301), State.ALIAS, "http 301", target=f"{URL}a"), {"redirects": 1}, "another URL"),
    (Visit(fetch(), State.ALIAS, COPY, target=f"{URL}a"), {"duplicates": 1}, "another URL's text"),
    (
        Visit(fetch(), State.SKIPPED, f"{UNASKED}: cdn.example, cdn.example.org"),
        {f"skipped: {UNASKED}": 1},
        "the hosts are a page's: they may be without number",
    ),
    (Visit(fetch(), State.SKIPPED, "too deep"), {"skipped: too deep": 1}, "a rule's"),
    (
        Visit(MAP, State.STORED, sitemap=TWO),
        {"sitemaps": 1, "sitemap entries": 2, "sitemap warnings": 1},
        "a sitemap is no page",
    ),
    (
        Visit(fetch(purpose=Purpose.SITEMAP, error="cut"), State.STORED, sitemap=Sitemap()),
        {"sitemaps": 1, "sitemaps: cut": 1, "sitemap entries": 0, "sitemap warnings": 0},
        "what there is of one that was cut",
    ),
    (
        Visit(fetch(304, Purpose.SITEMAP), State.STORED, unchanged=True),
        {"sitemaps": 1},
        "the sitemap that we have",
    ),
    (Visit(fetch(404, Purpose.SITEMAP), State.GONE, "http 404"), {}, "one that was only looked for"),
]


@pytest.mark.parametrize(("visit", "counted", "why"), VISITS, ids=[why for *_, why in VISITS])
def test_what_a_visit_counts_as(visit: Visit, counted: dict[str, int], why: str) -> None:
    """Each under one name of the summary, or none, besides what went over the network."""
    counters = Counters(Counter())
    counters.add_visit(visit)
    assert counters.counts == Counter({"fetched": 1, "bytes": 5, **counted}), why


def test_what_no_answer_came_to_was_not_fetched() -> None:
    counters = Counters(Counter())
    counters.add_visit(Visit(Fetch(MAP.claim, 0, error="refused"), State.FAILED, "refused", again=True))
    assert counters.counts == Counter({"retries": 1})


@pytest.mark.requirement(61)
@pytest.mark.parametrize(
    ("arrivals", "until", "rate", "why"),
    [
        ([], 0, 0.0, "nothing is known at the first look"),
        ([10] * 5, 5, 10.0, "those of before a restart do not count"),
        ([10] * 5, 10, 5.0, "a crawl that has just begun"),
        ([10] * 5, 5 + WINDOW_SECONDS, 0.0, "what came more than half a minute ago counts no more"),
        ([10] * 60 + [4] * 30, 90, 4.0, "the pace of now, not that of the whole crawl"),
    ],
)
def test_the_rate_is_that_of_the_last_half_minute(
    arrivals: list[int], until: float, rate: float, why: str
) -> None:
    """Of a crawl that is looked at each second; so many pages come in each."""
    counters = Counters(Counter(stored=1_000, unchanged=500))
    found = counters.rate(100.0)
    for second in range(int(until)):
        counters.counts["stored"] += arrivals[second] if second < len(arrivals) else 0
        found = counters.rate(101.0 + second)
    assert found == pytest.approx(rate), why
