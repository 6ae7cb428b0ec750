"""Values as a person reads them."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.model.page import Results
from search_ui.rendering.formatting import (
    MAX_CRUMB,
    MAX_CRUMBS,
    as_web_link,
    build_search_url,
    count_pages,
    format_day,
    format_duration,
    format_milliseconds,
    format_points,
    list_page_numbers,
    omit_site,
    split_breadcrumbs,
    split_marks,
)
from search_ui.search_request import MAX_PAGE


@pytest.mark.parametrize(
    ("url", "parts", "why"),
    [
        ("https://a.example/", ["a.example"], "a host alone"),
        ("http://a.example:8080/b/c.html", ["a.example:8080", "b", "c.html"], "host and path"),
        ("https://a.example/b//c/", ["a.example", "b", "c"], "empty parts go"),
        ("https://a.example/r%C3%A9sum%C3%A9%20b", ["a.example", "résumé b"], "letters are decoded"),
        ("https://a.example/?id=3&x=%C3%A9", ["a.example", "?id=3&x=é"], "a query without a path"),
        ("https://a.example/b?id=3", ["a.example", "b?id=3"], "a query stands with the last part"),
        ("https://a.example/%FF%C3%A9", ["a.example", "%FF%C3%A9"], "not UTF-8 stays as it is"),
        ("https://a.example/b%2Fc%3Fd", ["a.example", "b%2Fc%3Fd"], "no new slash appears"),
        ("https://a.example/%E2%80%BAb", ["a.example", "%E2%80%BAb"], "no new separator appears"),
        ("https://a.example/%E2%80%AEgpj.exe", ["a.example", "%E2%80%AEgpj.exe"], "no override (UAX 9)"),
        ("https://a.example/\u202egpj.exe", ["a.example", "%E2%80%AEgpj.exe"], "nor one that came raw"),
        ("https://a.example/a%00b%0Ac", ["a.example", "a%00b%0Ac"], "no controls"),
        ("https://a.example/%D9%85%DB%8C%E2%80%8C%D8%B1", ["a.example", "می\u200cر"], "Persian spelling"),
        ("https://bank.example@evil.example/", ["evil.example"], "a user name is no host"),
        ("https://a.example/b/c/d/e/f", ["a.example", "b", "…", "e", "f"], "the middle goes"),
        ("javascript:alert(1)//\n", ["javascript:alert(1)//%0A"], "another scheme in one piece"),
        ("http://[oops/", ["http://[oops/"], "not a URL at all"),
        ("https://a.example/\ud800", ["a.example", "%3F"], "half a character"),
        ("", [""], "nothing"),
    ],
)
def test_crumbs(url: str, parts: Sequence[str], why: str) -> None:
    assert list(split_breadcrumbs(url)) == parts, why


@given(st.text(max_size=100) | st.text(max_size=200).map(lambda junk: "https://a.example/" + junk))
@settings(max_examples=200)
def test_any_address_is_short_and_printable(url: str) -> None:
    shown = split_breadcrumbs(url)
    assert 1 <= len(shown) <= MAX_CRUMBS
    assert all(char.isprintable() or char == "\u200c" for part in shown for char in part)
    assert all(len(part) <= MAX_CRUMB for part in shown[1:])


@pytest.mark.parametrize(
    ("url", "linked", "why"),
    [
        ("https://a.example/b", True, "the web"),
        ("HTTP://A.EXAMPLE/", True, "a scheme in capitals"),
        ("javascript:alert(1)", False, "runs in our page"),
        ("JaVa\tScRiPt:alert(1)", False, "browsers drop the tab"),
        (" javascript:alert(1)", False, "browsers drop the space"),
        ("data:text/html,<script>", False, "holds a page of its own"),
        ("file:///etc/passwd", False, "the reader's disk"),
        ("//a.example/", False, "no scheme"),
        ("/relative", False, "no host"),
        ("https:/a.example", False, "no host"),
        ("http://", False, "no host"),
        ("http://[oops/", False, "no URL"),
        ("", False, "nothing"),
    ],
)
def test_only_the_web_is_linked(url: str, linked: bool, why: str) -> None:
    assert as_web_link(url) == (url if linked else ""), why


@pytest.mark.parametrize(
    ("title", "site", "shown", "why"),
    [
        ("Queues — Python 3.11", "Python 3.11", "Queues", "after a dash"),
        ("Queues (Java SE 17)", "Java SE 17", "Queues", "in brackets"),
        ("Queues: Python", "Python", "Queues", "after a colon"),
        ("Queues | Docs |", "Docs", "Queues", "a sign behind it, too"),
        ("Queues - Docs - Python", "Docs - Python", "Queues", "a name with a sign in it"),
        ("Learning Python", "Python", "Learning Python", "a word of the title, which no sign parts"),
        ("Python", "Python", "Python", "the front page is called nothing else"),
        ("— Python", "Python", "— Python", "a sign alone is no title"),
        ("Queues — Python 3.11", "", "Queues — Python 3.11", "a site without a name"),
        ("Queues (FIFO)", "Python", "Queues (FIFO)", "another ending"),
        ("", "Python", "", "no title"),
    ],
)
def test_a_title_without_its_site(title: str, site: str, shown: str, why: str) -> None:
    assert omit_site(title, site) == shown, why


@given(st.text(), st.text())
def test_a_title_keeps_its_beginning(title: str, site: str) -> None:
    shown = omit_site(title, site)
    assert title.startswith(shown)
    assert bool(shown) == bool(title)


@pytest.mark.parametrize(
    ("marks", "cut", "why"),
    [
        ([], [("a spider", False)], "nothing marked"),
        ([(2, 8)], [("a ", False), ("spider", True)], "to the end"),
        ([(0, 1)], [("a", True), (" spider", False)], "from the start"),
        ([(2, 4), (4, 8)], [("a ", False), ("sp", True), ("ider", True)], "side by side"),
        ([(4, 8), (0, 1)], [("a", True), (" sp", False), ("ider", True)], "out of order"),
        ([(2, 6), (4, 8)], [("a ", False), ("spid", True), ("er", True)], "one over the other"),
        ([(6, 99)], [("a spid", False), ("er", True)], "past the end"),
        ([(-3, 1), (5, 2), (3, 3)], [("a", True), (" spider", False)], "no spans at all"),
    ],
)
def test_pieces(marks: Sequence[tuple[int, int]], cut: Sequence[tuple[str, bool]], why: str) -> None:
    assert list(split_marks("a spider", marks)) == cut, why


@given(st.text(max_size=30), st.lists(st.tuples(st.integers(-5, 40), st.integers(-5, 40)), max_size=8))
@settings(max_examples=200)
def test_the_pieces_are_the_snippet(snippet: str, marks: list[tuple[int, int]]) -> None:
    cut = list(split_marks(snippet, marks))
    assert "".join(text for text, _ in cut) == snippet
    assert all(text for text, _ in cut)


def results(total: int, page: int, size: int = 10) -> Results:
    return Results("a", total, page, size, 1.0)


@pytest.mark.parametrize(
    ("total", "page", "numbers", "why"),
    [
        (0, 1, [], "nothing to turn to"),
        (10, 1, [1], "one full page"),
        (11, 1, [1, 2], "one hit over"),
        (95, 3, list(range(1, 11))[:9], "from the start"),
        (200, 10, list(range(6, 15)), "around the one shown"),
        (200, 20, list(range(12, 21)), "up to the end"),
        (10**9, MAX_PAGE, list(range(MAX_PAGE - 8, MAX_PAGE + 1)), "not past MAX_PAGE"),
        (15, 9, [1, 2], "a page that is not there"),
    ],
)
def test_page_numbers(total: int, page: int, numbers: Sequence[int], why: str) -> None:
    assert list(list_page_numbers(results(total, page))) == numbers, why


@pytest.mark.requirement(306)
def test_empty_places_count_as_places() -> None:
    """Six hits on the first page, ten on the second, and one behind them."""
    assert count_pages(replace(results(17, 1), empty=4)) == 3


@pytest.mark.requirement(306)
@given(st.integers(0, 5_000), st.integers(1, MAX_PAGE))
@settings(max_examples=200)
def test_numbers_lead_on_without_gaps(total: int, page: int) -> None:
    """A page that is there is among the numbers, and so are its neighbours."""
    last = count_pages(results(total, page))
    if page <= last:
        numbers = list_page_numbers(results(total, page))
        assert {page, max(1, page - 1), min(last, page + 1)} <= set(numbers)
        assert numbers.step == 1


@pytest.mark.requirement(297)
@pytest.mark.parametrize(
    ("typed", "page", "address", "why"),
    [
        ("a", 1, "/search?q=a", "the first page needs no number"),
        ("a b&c=d#e", 2, "/search?q=a+b%26c%3Dd%23e&page=2", "nothing leaves its field"),
        ("паук", 1, "/search?q=%D0%BF%D0%B0%D1%83%D0%BA", "UTF-8 (requirement 297)"),
    ],
)
def test_addresses(typed: str, page: int, address: str, why: str) -> None:
    assert build_search_url(typed, page) == address, why


@pytest.mark.parametrize(
    ("shown", "expected", "why"),
    [
        (format_day("2026-05-02T23:59:59+00:00"), "May 2, 2026", "the date alone"),
        (format_day("2026-05-02T10:20:30Z"), "May 2, 2026", "Z is UTC"),
        (format_day("yesterday"), "", "no moment"),
        (format_day(""), "", "nobody knows"),
        (format_milliseconds(0.2), "under 1 ms", "nobody counts lower"),
        (format_milliseconds(12.34), "12 ms", "whole milliseconds"),
        (format_milliseconds(1234.5), "1,234 ms", "a slow one"),
        (format_points(1234.567), "1,234.57", "points of a score"),
        (format_points(-0.001), "0.00", "too little to be shown, and no minus"),
        (format_points(-1.5), "-1.50", "what is lost"),
        (format_duration(9.4), "9 sec", "seconds"),
        (format_duration(119), "119 sec", "not two minutes yet"),
        (format_duration(120), "2 min", "minutes"),
        (format_duration(7_300), "2 hr", "hours"),
        (format_duration(500_000), "6 days", "days"),
    ],
)
def test_numbers_as_words(shown: str, expected: str, why: str) -> None:
    assert shown == expected, why
