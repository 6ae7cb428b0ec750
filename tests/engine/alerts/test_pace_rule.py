"""A crawl that takes more than twice as long as planned is an alarm (requirement 272)."""

from pathlib import Path

import pytest

from engine.alerts.alert import Finding
from engine.alerts.pace_rule import judge_pace
from tests.crawling import HOST, Clock, Web, crawl_of, step

PAGES = 600


def judged(data: Path, seconds: float, visits: int) -> list[Finding]:
    """What is found after so many visits to a host whose answers take so long."""
    links = [f"{HOST}/{n}" for n in range(PAGES)]
    web, clock = Web({f"{HOST}/": links, **{link: [] for link in links}}, seconds=seconds), Clock()
    crawl = crawl_of(data, clock)
    while crawl.counters.pages < visits:
        assert step(crawl, web, clock)
    crawl.commit()
    with crawl.store.engine.connect() as connection:
        found = [*judge_pace(connection, crawl.discovery.sites, 10_000, clock.now)]
    crawl.store.close()
    return found


@pytest.mark.slow
@pytest.mark.requirement(272)
@pytest.mark.parametrize(
    ("seconds", "is_slow", "why"), [(0.1, False, "as planned"), (60.0, True, "each page takes two minutes")]
)
def test_a_crawl_that_is_far_slower_than_planned(
    tmp_path: Path, seconds: float, is_slow: bool, why: str
) -> None:
    (found,) = judged(tmp_path, seconds, 300)
    assert found.is_wrong == is_slow, why
    if is_slow:
        assert "what is queued takes 10 h" in found.message


def test_a_few_visits_tell_nothing(tmp_path: Path) -> None:
    assert judged(tmp_path, 60.0, 20) == []
