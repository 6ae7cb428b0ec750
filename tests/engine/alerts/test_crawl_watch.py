"""A crawl watches itself beside its work: what that takes of its process."""

from pathlib import Path
from typing import Any

import pytest

from engine.alerts import crawl_watch
from engine.alerts.crawl_watch import PLAN_SECONDS, CrawlWatch
from engine.config import load_config
from engine.database import SCAN_KIB, open_database
from tests.crawling import Clock, crawl_of


def test_a_plan_keeps_no_cache_of_all_urls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It reads each row once; 32 MB of them stayed in the crawl's process."""
    asked = list[dict[str, Any]]()

    def opening(data_dir: Path, **options: Any) -> Any:
        asked.append(options)
        return open_database(data_dir, **options)

    monkeypatch.setattr(crawl_watch, "open_database", opening)
    clock = Clock()
    crawl = crawl_of(tmp_path, clock)
    config = load_config({"DATA_DIR": tmp_path, "CRAWL_TOML": tmp_path / "crawl.toml"})
    watch = CrawlWatch(config, crawl.frontier, lambda: crawl.discovery.sites, clock)
    watch.look([])
    assert asked == [], "not yet"
    clock.now += PLAN_SECONDS
    watch.look([])
    assert asked == [{"cache_kib": SCAN_KIB}]
    crawl.store.close()
