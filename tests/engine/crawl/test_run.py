"""How a run is registered beside other processes."""

from contextlib import closing
from pathlib import Path

import pytest

from engine.config import SiteConfig
from engine.crawl import Crawl
from engine.errors import EngineError
from engine.folder import RunLocks
from engine.frontier import build_sites
from engine.store import Store, load_last_run
from tests.crawling import EVERYTHING, Clock
from tests.engine.folder.locking import other_process, vacuum


def test_no_crawl_begins_in_a_folder_that_is_locked(tmp_path: Path) -> None:
    """Without its lock others would take it for dead, and ask its hosts at the same time."""
    sites = build_sites([SiteConfig(seeds=("http://h.example/",))])
    store = Store(tmp_path)
    with other_process(tmp_path, vacuum), closing(RunLocks(tmp_path)) as locks:
        crawl = Crawl(store, sites, EVERYTHING, Clock(), lambda: 0.0, locks=locks)
        with pytest.raises(EngineError, match="'scrapy vacuum' is using"):
            crawl.open()
    with store.engine.connect() as connection:
        assert load_last_run(connection, "crawl") is None
    store.close()
