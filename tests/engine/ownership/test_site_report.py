"""What is known of a host, as far as its lists show other than the pages' own tests."""

from contextlib import closing
from pathlib import Path

import pytest

from engine.ownership import site_report
from engine.ownership.site_report import load_errors, load_left_out, load_missing_urls, load_overview
from engine.store import Store
from tests.crawling import HOST, Clock, Web, crawl_of, run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    clock = Clock()
    links = [f"{HOST}/{number}" for number in range(9)]
    crawl = crawl_of(tmp_path, clock, exclude=None, seeds=(f"{HOST}/",))
    run(crawl, Web({f"{HOST}/": links, links[0]: [], links[1]: 500, links[2]: 410}), clock)
    crawl.store.close()
    return tmp_path


def test_a_host_that_nobody_knows(folder: Path) -> None:
    with closing(Store(folder)) as store, store.engine.connect() as connection:
        for host in ("http://never.example", "", HOST.upper()):
            overview = load_overview(connection, host, 0.0)
            assert (overview.robots, overview.pages, overview.newest_at, overview.states) == (
                None,
                0,
                None,
                {},
            )
            assert load_errors(connection, host) == load_left_out(connection, host) == ([], [], 0)
            assert load_missing_urls(connection, host) == []


def test_no_more_is_looked_at_than_the_limit(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(Store(folder)) as store, store.engine.connect() as connection:
        whole = load_errors(connection, HOST)
        assert (whole.total, len(load_missing_urls(connection, HOST))) == (8, 7)
        monkeypatch.setattr(site_report, "MAX_URLS", 4)
        monkeypatch.setattr(site_report, "MAX_LISTED", 1)
        overview, cut = load_overview(connection, HOST, 0.0), load_errors(connection, HOST)
    assert (sum(overview.states.values()), overview.is_cut, overview.pages) == (4, True, 2)
    assert (cut.total, len(cut.rows), len(cut.counts)) == (2, 1, 1)
    assert cut.rows[0] == whole.rows[0]
