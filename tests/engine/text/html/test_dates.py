"""When a page was published and changed, by what it says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.model.page import Page
from engine.text.html.dates import EARLIEST, MAX_SCRIPT, SLACK, parse_date
from engine.text.html.markup import read_html

NOW = 1_800_000_000.0  # January 2027
MARCH = 1_709_337_600.0  # 2 March 2024, UTC

WRITTEN: list[tuple[object, float | None, str]] = [
    ("2024-03-02", MARCH, "a day"),
    ("2024-03-02T08:15:00Z", MARCH + 29_700, "a moment"),
    ("2024-03-02T08:15:00+01:00", MARCH + 26_100, "with its zone"),
    ("2024-03-02T08:15:00.123456+0100", MARCH + 26_100.123456, "without a colon in it"),
    ("2024-03-02 08:15:00 +0100", MARCH + 26_100, "with spaces"),
    ("2024-03-02T08:15", MARCH + 29_700, "no zone is UTC"),
    ("2024-03", MARCH - 86_400, "a month begins with its first day"),
    ("20240302", MARCH, "without hyphens"),
    ("2024/03/02", MARCH, "with slashes"),
    (" 2024-03-02 ", MARCH, "white space"),
    ("Sat, 02 Mar 2024 08:15:00 GMT", MARCH + 29_700, "RFC 7231"),
    ("2 Mar 2024 08:15:00 +0100", MARCH + 26_100, "RFC 5322"),
    ("1989-12-31", None, "before the web"),
    ("2027-06-01", None, "in the future"),
    ("2024-02-30", None, "no such day"),
    ("2024-13-01", None, "no such month"),
    ("0000-00-00", None, "a database's nothing"),
    ("yesterday", None, "no date"),
    ("", None, "nothing"),
    ("2024-03-02" + " " * 99, None, "too long"),
    ("９９９９-01-01", None, "other digits"),
    (None, None, "JSON's nothing"),
    (20240302, None, "a number"),
    ([], None, "a list"),
]


@pytest.mark.parametrize(("written", "seconds", "why"), WRITTEN, ids=[why for *_, why in WRITTEN])
def test_a_date_means_a_moment(written: object, seconds: float | None, why: str) -> None:
    assert parse_date(written, NOW) == seconds, why


DAY = "2024-03-02"
LATER = "2024-03-05"
META = "<meta property=article:published_time content={}>".format
LD = "<script type=application/ld+json>{}</script>".format
SAID = [
    (META(DAY), (DAY, None), "as most news say it"),
    (f"<meta name=DC.Date content={DAY}>", (DAY, None), "Dublin Core, in any case"),
    (f"<meta name=date content={DAY}>", (DAY, None), "plainly"),
    (f"<meta itemprop=datePublished content={DAY}>", (DAY, None), "microdata"),
    (f"<meta property=article:modified_time content={DAY}>", (None, DAY), "changed"),
    (f"<meta http-equiv=last-modified content={DAY}>", (None, DAY), "as a header would"),
    (META("soon") + f"<meta name=date content={DAY}>", (DAY, None), "nonsense does not count"),
    (LD(f'{{"datePublished":"{DAY}","dateModified":"{LATER}"}}'), (DAY, LATER), "JSON-LD"),
    (LD(f'[{{"@type":"Person"}},{{"datePublished":"{DAY}"}}]'), (DAY, None), "a list of items"),
    (LD(f'{{"@graph":[{{}},{{"datePublished":"{DAY}"}}]}}'), (DAY, None), "a graph"),
    (LD(f'{{"comment":{{"datePublished":"{DAY}"}}}}'), (None, None), "of a comment, not of the page"),
    (LD('{"datePublished":{"@value":1}}'), (None, None), "no text"),
    (LD("[" * 100_000), (None, None), "deep JSON-LD"),
    (LD(f'{{"datePublished":"{DAY}","x":"{"x" * MAX_SCRIPT}"}}'), (None, None), "long JSON-LD"),
    (LD("{") + LD(f'{{"datePublished":"{DAY}"}}'), (DAY, None), "broken JSON-LD, and another"),
    (META(LATER) + LD(f'{{"datePublished":"{DAY}"}}'), (LATER, None), "META before JSON-LD"),
    (f"<article><time datetime={DAY}>x</time></article>", (DAY, None), "the time of an article"),
    (f"<time datetime={DAY}>x</time>", (DAY, None), "the only one of a page"),
    (f"<time datetime={DAY}>x</time><time datetime={LATER}>x</time>", (None, None), "one of several"),
    (f"<time datetime={DAY} class=updated>x</time>", (None, DAY), "that calls itself a change"),
    (f"<time datetime={DAY} itemprop=datePublished>x</time><time datetime=1990>", (DAY, None), "by its name"),
    (META(LATER) + f"<meta name=revised content={DAY}>", (LATER, None), "changed before it was there"),
    ("<p>2 March 2024", (None, None), "in words"),
]


@pytest.mark.parametrize(("html", "wanted", "why"), SAID, ids=[why for *_, why in SAID])
def test_a_page_says_its_dates(html: str, wanted: tuple[str | None, str | None], why: str) -> None:
    page = read(html)
    assert (page.published, page.modified) == tuple(one and parse_date(one, NOW) for one in wanted), why


def test_the_header_tells_of_changes_only() -> None:
    page = read("<p>x", ("Last-Modified", "Sat, 02 Mar 2024 00:00:00 GMT"))
    assert (page.published, page.modified) == (None, MARCH)
    assert read("<meta name=revised content=2024-03-05>", ("last-modified", DAY)).modified == parse_date(
        LATER, NOW
    )


@given(st.text() | st.from_regex(r"\d{1,5}[-/]\d\d?[-/]\d\d?([T ]\d\d:\d\d(:\d\d)?)?.{0,6}", fullmatch=True))
def test_any_text_is_a_date_within_bounds_or_none(written: str) -> None:
    found = parse_date(written, NOW)
    assert found is None or EARLIEST <= found <= NOW + SLACK


def read(html: str, *headers: tuple[str, str]) -> Page:
    return read_html(html.encode(), "http://h/", "text/html; charset=utf-8", headers)
