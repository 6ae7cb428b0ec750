"""What `scrapy serve` hands to the search page: all that crawl.toml says of it."""

import argparse
import socket
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from scrapy.settings import Settings

from engine.admin import OperatorServices
from engine.commands.serve import Command
from engine.config import ServerConfig
from engine.index.indexing.follow import Follower
from engine.metrics import CrawlMetrics
from engine.middleware.identity import Identity
from engine.model.narrowing import FacetCount, SearchFilters
from engine.model.page import Page, Section
from engine.search.search import SearchService
from engine.submission import SubmissionService
from tests.engine.index.source import Memory

URL = "https://a.example/"
TOML = """[ranking]
title = 0
subject = 0
title_coverage = 0
[serve]
burst = 7
allowed_hosts = ["search.lan"]
trusted_proxies = ["10.0.0.0/8", "127.0.0.0/8", "192.0.2.0/24"]
[[label]]
name = "Ours"
sites = ["a.example"]
"""


def test_the_search_page_ranks_as_crawl_toml_says(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    before = int(time.time()) - 1  # a file's time may be a little behind the clock's
    Follower(Memory(Page(URL, "Amber", sections=[Section("", "", "Resin of old")])), tmp_path).catch_up()
    toml = tmp_path / "crawl.toml"
    toml.write_text(TOML, encoding="utf-8")
    seen: list[tuple[float, int, Sequence[FacetCount]]] = []

    def web(
        search: SearchService,
        _: Callable[[], object],
        __: Identity,
        serving: ServerConfig,
        submissions: SubmissionService | None,
        listeners: Sequence[socket.socket],
        services: OperatorServices,
    ) -> None:
        assert len(listeners) == 1
        assert isinstance(services.measure_crawl, CrawlMetrics)
        assert services.config
        rank = search.explain(URL, "amber")
        assert rank
        assert submissions
        assert before <= search.indexed_until() <= time.time()
        facets = search.search("resin", choice=SearchFilters(with_facets=True)).facets
        assert facets
        assert serving.allowed_hosts == ("search.lan", "localhost"), "and what it listens on"
        seen.append((rank.explanation.score, serving.burst, facets.counts["label"]))
        search.close()

    command = Command()
    command.settings = Settings({"CRAWL_TOML": str(toml), "DATA_DIR": str(tmp_path), "SEARCH_APP": web})
    command.act([], argparse.Namespace(host="localhost", port=0, workers=1))
    assert seen == [(0.0, 7, [FacetCount("Ours", 1)])]
    wide = [record.getMessage() for record in caplog.records if "proxies" in record.getMessage()]
    assert wide == [
        "trusted_proxies in [serve]: any of 10.0.0.0/8 may say for whom it asks; name web servers"
    ]
