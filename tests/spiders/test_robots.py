"""The spider that fetches one robots.txt."""

import asyncio
from pathlib import Path

import pytest
from scrapy.crawler import Crawler
from scrapy.settings import Settings

from engine.middleware.rate_limiter import HOST_BURST
from spiders.robots import RobotsSpider

HOST = "http://h.example"


@pytest.mark.requirement(280)
def test_a_host_that_redirects_us_to_itself_is_not_asked_without_end_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who names a host to look at its rules is not its owner."""
    settings = Settings({"DATA_DIR": str(tmp_path), "CRAWL_TOML": str(tmp_path / "crawl.toml")})
    spider = RobotsSpider.from_crawler(Crawler(RobotsSpider, settings), host=HOST)
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    async def ask() -> None:
        for _ in range(HOST_BURST + 1):
            async with spider.rate_limiter.slot(HOST):
                pass

    monkeypatch.setattr(spider.rate_limiter, "_sleep", sleep)
    asyncio.run(ask())
    assert len(waits) == 1
