"""A real crawl obeys a pause, and takes up what waits once it is over."""

from pathlib import Path

import pytest

from tests.running import crawl, scrapy
from tests.web.scripted import html, scripted_web


@pytest.mark.slow
def test_a_crawl_asks_nothing_of_a_paused_host(tmp_path: Path) -> None:
    with scripted_web({"/": html("A", "<a href='/b'>b</a>"), "/b": html("B", "b")}) as web:
        scrapy(tmp_path, "pause", "127.0.0.1")
        assert "1 URL is still queued" in crawl(tmp_path, web.url())
        assert web.paths == []
        scrapy(tmp_path, "pause", "--release", "127.0.0.1")
        crawl(tmp_path, web.url())
        assert {"/", "/b"} <= set(web.paths)
