"""What stands behind an operator, and the keys of the index that it means."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.index.schema.filters import CHOICES, OPERATORS, day_of, parse_addresses, sites_of
from engine.model.page import Page

DAY = 86_400.0
NOON = datetime(2024, 5, 1, 12, tzinfo=UTC).timestamp()

READ = [
    ("site", "example.org", ["site example.org"], "a name and all hosts below it"),
    ("site", "*.Example.ORG", ["site example.org"], "as others write it"),
    ("site", ".example.org/", ["site example.org"], "an empty path is none"),
    ("site", "example.org:8080", ["site example.org:8080"], "a port"),
    ("site", "https://example.org", ["host https://example.org"], "with a scheme one host"),
    ("site", "żółw.pl", ["site xn--w-uga1v8h.pl"], "letters that DNS has not"),
    ("site", "[::1]", ["site [::1]"], "an address"),
    ("site", "a.org/x", ["url http://a.org/x..", "url https://a.org/x.."], "URLs that begin so"),
    ("site", "http://a.org/x?y", ["url http://a.org/x?y.."], "with a query"),
    ("site", "", [], "nothing"),
    ("site", "/docs", [], "no host"),
    ("site", "ftp://a.org", [], "not the web"),
    ("site", "me@a.org", [], "a mail address"),
    ("site", "a b.org", [], "no name of a host"),
    ("filetype", ".PDF", ["type pdf"], "as files are named"),
    ("filetype", "htm", ["type html"], "the short one"),
    ("filetype", "exe", [], "never indexed"),
    ("filetype", "text/x-markdown", [], "what servers say is not what people type"),
    ("lang", "PL", ["language pl"], "in capitals"),
    ("lang", "en-GB", ["language en"], "a region is not known"),
    ("lang", "english", [], "a name is no code"),
    ("after", "2024", ["day 2024-01-01..9999-12-31"], "from its first day on"),
    ("after", "2024-5", ["day 2024-05-01..9999-12-31"], "a month"),
    ("after", "2024-05-02", ["day 2024-05-02..9999-12-31"], "a day"),
    ("before", "2024-03", ["day ..2024-02-29"], "up to the day before it"),
    ("before", "2024-02-30", [], "no day"),
    ("before", "0001", [], "nothing is before"),
    ("before", "٢٠٢٤", [], "other digits"),
    ("before", "soon", [], "no date"),
]


@pytest.mark.requirement(296)
@pytest.mark.parametrize(("operator", "value", "keys", "why"), READ)
def test_a_value_means_keys(operator: str, value: str, keys: list[str], why: str) -> None:
    read = OPERATORS[operator].read(value)
    shown = [
        f"{field} {first}"
        if first == last
        else f"{field} {first}..{last.rstrip(chr(0x10FFFF)).removeprefix(first)}"
        for field, first, last in read
    ]
    assert shown == keys, why


@settings(max_examples=100)
@given(st.sampled_from([*OPERATORS]), st.text(max_size=20) | st.from_regex(r"[a-z0-9:./%\[-]{0,12}"))
def test_no_value_can_raise(operator: str, value: str) -> None:
    OPERATORS[operator].read(value)
    parse_addresses(value)
    CHOICES["host"](value)


HOSTS = [
    (
        "Docs.Example.org:81",
        ["http://docs.example.org:81", "https://docs.example.org:81"],
        "with both schemes",
    ),
    ("http://a.org", [], "a scheme is asked for by site:"),
    ("a.org/x", [], "addresses that begin so are no host"),
]


@pytest.mark.parametrize(("value", "hosts", "why"), HOSTS)
def test_a_host_that_is_chosen_is_one(value: str, hosts: list[str], why: str) -> None:
    assert [(key.first, key.last) for key in CHOICES["host"](value)] == [(host, host) for host in hosts], why


SITES = [
    ("https://docs.example.org", ["org", "example.org", "docs.example.org"], "every domain that it is in"),
    ("http://a.org:81", ["org", "a.org", "a.org:81"], "a port is a site of its own"),
    ("http://127.0.0.1:81", ["127.0.0.1", "127.0.0.1:81"], "no domains in an address"),
    ("http://[::1]", ["[::1]"], "nor in one of version 6"),
    ("http://localhost", ["localhost"], "one label"),
]


@pytest.mark.parametrize(("host", "expected", "why"), SITES)
def test_the_sites_of_a_host(host: str, expected: list[str], why: str) -> None:
    assert list(sites_of(host)) == expected, why


def test_a_host_of_many_labels_is_in_a_bounded_number_of_sites() -> None:
    assert len(sites_of(f"http://{'a.' * 100}org")) < 20


DAYS = [
    (None, None, "2024-05-01", "when it was fetched"),
    (NOON - 9 * DAY, None, "2024-04-22", "as it says"),
    (NOON - 9 * DAY, NOON - 2 * DAY, "2024-04-29", "the last change counts"),
    (NOON - 9 * DAY, NOON + 900 * DAY, "2024-04-22", "no page was changed after it was fetched"),
    (-1e20, None, "2024-05-01", "before the calendar"),
]


@pytest.mark.requirement(294)
@pytest.mark.parametrize(("published", "modified", "day", "why"), DAYS)
def test_the_date_of_a_page(published: float | None, modified: float | None, day: str, why: str) -> None:
    """What a snapshot of the web is from."""
    assert day_of(Page("http://a/", published=published, modified=modified), NOON) == day, why
