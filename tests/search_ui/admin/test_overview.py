"""What the operator sees first."""

from collections import Counter

import pytest

from engine.history.host_counts import HostDelta, add_counts, open_history
from engine.history.samples import Sample
from engine.report.wording import escape_text
from search_ui.admin.overview import draw_charts
from tests.search_ui.admin.conftest import Operator
from tests.search_ui.admin.full_folder import HOSTILE
from tests.search_ui.pages.test_search_pages import texts

NOW = 6_000_000.0
MINUTE = 100_000


def test_an_empty_folder(inside: Operator) -> None:
    shown = inside.get("/admin").text
    assert "No alarm is open." in shown
    assert "No crawl runs." in shown
    assert "Nothing was requested yet" in shown
    assert shown.count("nothing known") == 4


def test_what_has_happened(full: Operator) -> None:
    shown = " ".join(full.get("/admin").text.split())
    assert "A crawl runs: 1,204 pages, 880 URLs queued, 3 errors, 4.0 pages a second" in shown
    assert [text.partition(":")[0] for text in texts(shown, ".verdict h2")] == [
        "http",
        "The disk is nearly full",
    ]
    waiting = texts(shown, ".waits")
    assert waiting == ["in quarantine1", "submissions waiting60"]
    assert "<script>alert" not in shown
    assert texts(shown, ".compared tbody tr")[4] == "requests10380"


def test_hosts_that_are_lost_and_slower_than_in_the_crawl_before(full: Operator) -> None:
    with open_history(full.folder) as history:
        for number, answers, seconds in ((8, 5, 4.0), (9, 0, 40.0)):
            last = NOW + number
            slow = HostDelta(20, 20, seconds=seconds, first_at=NOW, last_at=last)
            lost = HostDelta(5, answers, first_at=NOW, last_at=last, statuses=Counter({HOSTILE: 5}))
            rows = {"http://slow.example": slow, "http://lost.example": lost}
            add_counts(history, number, rows)
    shown = full.get("/admin").text
    assert texts(shown, "main li") == [
        f"http://lost.example ({escape_text(HOSTILE)} ×5)",
        "http://slow.example (2.00 s a page, 0.20 s before)",
    ]


@pytest.mark.parametrize(
    ("query", "shown", "why"),
    [
        ("", "The last day", "as usual"),
        ("?hours=1", "The last hour", "a link"),
        ("?hours=168", "The last week", "another"),
        ("?hours=999999999999999", "The last day", "no such time"),
        ("?hours=x&hours=1&done=7&done=x", "The last day", "no number"),
    ],
)
def test_the_time_of_the_plots(full: Operator, query: str, shown: str, why: str) -> None:
    assert shown in texts(full.get(f"/admin{query}").text, "h2"), why


def test_errors_are_those_of_each_minute() -> None:
    """Their count begins anew with each crawl."""
    rows = [(0, 5), (1, 8), (3, 12), (4, 1), (5, 2)]
    samples = [Sample(MINUTE - 10 + at, 0, errors, 0, 0.0, None) for at, errors in rows]
    _, errors, _, ages = draw_charts(samples, 1, NOW)
    assert (errors.most, errors.last, ages.last) == (3.0, 1.0, None)
