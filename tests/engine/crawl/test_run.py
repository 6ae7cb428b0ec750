"""How a run is registered beside other processes."""

from pathlib import Path

import pytest

from engine.config import SiteConfig
from engine.crawl import Crawl
from engine.errors import EngineError
from engine.frontier import build_sites
from engine.store import Store, load_last_run
from tests.crawling import EVERYTHING, Clock


class AllLocked:
    """Another process has locked the whole folder for itself: `scrapy vacuum`."""

    def try_lock(self, run: int) -> bool:
        return False

    def is_locked(self, run: int) -> bool:
        return True


def test_no_crawl_begins_in_a_folder_that_is_locked(tmp_path: Path) -> None:
    """Without its lock others would take it for dead, and ask its hosts at the same time."""
    sites = build_sites([SiteConfig(seeds=("http://h.example/",))])
    store = Store(tmp_path)
    crawl = Crawl(store, sites, EVERYTHING, Clock(), lambda: 0.0, locks=AllLocked())
    with pytest.raises(EngineError, match="'scrapy vacuum' is using this data folder"):
        crawl.open()
    with store.engine.connect() as connection:
        assert load_last_run(connection, "crawl") is None
    store.close()
