"""The keys that a page has for filters."""

from datetime import UTC, datetime

import pytest

from engine.index.schema.filters import day_of, sites_of
from engine.model.page import Page

DAY = 86_400.0
NOON = datetime(2024, 5, 1, 12, tzinfo=UTC).timestamp()

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
