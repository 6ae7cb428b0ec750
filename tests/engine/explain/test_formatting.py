"""What `scrapy explain` says of a record, in words."""

from dataclasses import replace
from typing import Any

import pytest

from engine.explain import Explanation, IndexStatus, explanation_lines, explanation_object
from engine.model.page import Purpose, State
from engine.model.scanned_pages import ScannedPages
from engine.report import format_time
from engine.store.known import KnownUrl, UncountedLinks
from engine.store.removals import NEVER, REMOVED
from engine.store.twins import TWIN
from engine.store.wanted import FORCED
from tests.crawling import HOST

SEEN = KnownUrl(
    url=f"{HOST}/",
    state=State.STORED,
    reason="",
    kind=Purpose.PAGE,
    depth=0,
    found_at=0.0,
    found_on="",
    discovered=0,
    visited_at=None,
    status=None,
    fails=0,
    alias_of="",
    fetched_at=None,
    is_due=False,
    due_at=None,
    priority=0.5,
    modified_at=None,
    every=None,
    flag=None,
    missing_since=None,
)


@pytest.mark.requirement(309)
@pytest.mark.parametrize(
    ("fields", "rule", "says"),
    [
        ({"state": State.QUEUED}, "", "as soon as its host may be visited: it is queued"),
        ({"state": State.QUEUED}, "scope", "none while the rule scope excludes it"),
        (
            {"state": State.QUEUED, "reason": FORCED},
            "scope",
            "as soon as its host may be visited: it is queued",
        ),
        (
            {"state": State.SKIPPED, "reason": REMOVED, "due_at": NEVER},
            REMOVED,
            "none while the rule removed excludes it",
        ),
        ({"state": State.ALIAS, "reason": TWIN}, "", "none: its twin host is visited instead"),
        ({"is_due": True}, "", "in the next crawl that starts with an empty queue"),
        ({"due_at": 2e9}, "", "not before 2033-05-18T03:33:20+00:00, when its owner expects a change"),
        (
            {"due_at": 2e9, "state": State.GONE},
            "",
            "not before 2033-05-18T03:33:20+00:00: a missing page is checked less and less often",
        ),
        (
            {"due_at": 2e9, "state": State.ALIAS, "status": 308},
            "",
            "not before 2033-05-18T03:33:20+00:00: it redirects permanently",
        ),
        (
            {"due_at": 1e9, "modified_at": 1.7e9, "visited_at": 1.8e9},
            "",
            "not before 2027-02-14T08:00:00+00:00: its sitemap names no change since the last visit",
        ),
    ],
)
def test_the_next_visit_in_words(fields: dict[str, Any], rule: str, says: str) -> None:
    """In the queue, or why not yet."""
    known = replace(SEEN, **fields)
    assert Explanation(known.url, 1.8e9, known, (), IndexStatus(), True, "", rule).next_visit == says


@pytest.mark.requirement(79, 309)
@pytest.mark.parametrize(
    ("status", "says"),
    [
        (301, "permanent redirect"),
        (308, "permanent redirect"),
        (302, "temporary redirect"),
        (399, "temporary redirect"),
        (200, "redirect"),
    ],
)
def test_whether_a_redirect_is_meant_for_good(status: int, says: str) -> None:
    """With 200 it stood in the page."""
    known = replace(SEEN, state=State.ALIAS, reason="redirect", status=status)
    meaning = Explanation(known.url, 1.8e9, known, (), IndexStatus(), True, "", "").meaning
    assert meaning == f"another URL represents it: {says}"


@pytest.mark.requirement(309)
@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"found_on": f"{HOST}/list"}, f"on {HOST}/list"),
        ({}, "as a seed, submitted or imported"),
        ({"kind": Purpose.SITEMAP}, "by robots.txt"),
    ],
)
def test_where_it_was_found(fields: dict[str, Any], says: str) -> None:
    one = Explanation(SEEN.url, 1.8e9, replace(SEEN, **fields), (), IndexStatus(), True, "", "")
    assert f"found         {format_time(0)}, depth 0, {says}" in explanation_lines(one)


@pytest.mark.parametrize("at", [-1e13, -1.0, 0.0, 1e13])
def test_no_date_of_a_stranger_breaks_it(at: float) -> None:
    assert format_time(at) in ("1970-01-01T00:00:00+00:00", "9999-12-31T23:59:59+00:00")


@pytest.mark.requirement(301, 309)
def test_links_that_do_not_count_are_told() -> None:
    one = Explanation(SEEN.url, 1.8e9, SEEN, (), IndexStatus(), True, "", "", uncounted=UncountedLinks(2, 1))
    assert "not counted   links from itself: 2, pages that link with nofollow: 1" in explanation_lines(one)
    assert explanation_object(one)["uncounted"] == {"own": 2, "nofollow": 1}


@pytest.mark.requirement(309)
@pytest.mark.parametrize(
    ("scanned", "says"),
    [
        (ScannedPages(3, 12), "text          3 of 12 pages are scanned: no text"),
        (ScannedPages(1, 1), "text          1 of 1 pages is scanned: no text"),
        (
            ScannedPages(3, 12, 2),
            "text          3 of 12 pages are scanned: 2 read by OCR, the others without text",
        ),
        (ScannedPages(1, 2, 1), "text          1 of 2 pages is scanned: read by OCR"),
        (ScannedPages(1_000, 1_000), "text          1,000 of 1,000 pages are scanned: no text"),
    ],
)
def test_pages_without_text_are_told(scanned: ScannedPages, says: str) -> None:
    """Nobody finds them by their words, and their owner may not know."""
    one = Explanation(SEEN.url, 1.8e9, replace(SEEN, scanned=scanned), (), IndexStatus(), True, "", "")
    assert says in explanation_lines(one)
    assert explanation_object(one)["known"]["scanned"] == scanned._asdict()
    none = replace(one, known=SEEN)
    assert not [line for line in explanation_lines(none) if "scanned" in line]
    assert explanation_object(none)["known"]["scanned"] is None


@pytest.mark.requirement(286, 309)
@pytest.mark.parametrize(
    ("fields", "final_after", "why"),
    [
        ({}, "2027-01-15T09:00:00+00:00", "http 404 or a soft 404, once: it is still found"),
        ({"state": State.QUEUED}, "2027-01-15T09:00:00+00:00", "it waits for its second look"),
        ({"fetched_at": None}, None, "its page has left, or there never was one"),
        ({"missing_since": None, "state": State.STORED}, None, "a page that is there"),
    ],
)
def test_a_page_that_waits_for_a_second_look(
    fields: dict[str, Any], final_after: str | None, why: str
) -> None:
    """Whoever deleted a page wants to know why it is found, and how long."""
    gone = replace(SEEN, state=State.GONE, missing_since=1.8e9, fetched_at=1.7e9)
    one = Explanation(SEEN.url, 1.8e9, replace(gone, **fields), (), IndexStatus(), True, "", "")
    assert explanation_object(one)["known"]["final_after"] == final_after, why
    lines = list(explanation_lines(one))
    says = [
        "missing       since 2027-01-15T08:00:00+00:00; its page can still be found,",
        "              until a visit after 2027-01-15T09:00:00+00:00 finds the same again",
    ]
    assert [line for line in says if line in lines] == says * bool(final_after), why
