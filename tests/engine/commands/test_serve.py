"""What `scrapy serve` hands to the search page: all that crawl.toml says of it."""

import argparse
import socket
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from scrapy.settings import Settings

from engine.admin import OperatorServices
from engine.audience import EVERYBODY, View, read_audience_rules
from engine.commands import serve
from engine.commands.serve import Command
from engine.config import ServerConfig, load_config
from engine.index.indexing.follow import Follower
from engine.index.reader import IndexCache
from engine.metrics import CrawlMetrics
from engine.middleware.identity import Identity
from engine.model.narrowing import FacetCount, SearchFilters
from engine.model.page import Page, Section
from engine.search.search import SearchService
from engine.submission import SubmissionService
from engine.suggest import PastQueries
from tests.audiences import AUDIENCES
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
HIDING = f"""{AUDIENCES}
[[label]]
name = "All"
sites = ["example.org"]
[[label]]
name = "Internal"
sites = ["in.example.org"]
audience = "staff"
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


def test_what_those_ask_who_see_more_is_offered_to_nobody(tmp_path: Path) -> None:
    """A query says what is on a page; nor is one with a hidden label listed."""
    toml = tmp_path / "crawl.toml"
    toml.write_text(HIDING, encoding="utf-8")
    config = load_config({"CRAWL_TOML": toml, "DATA_DIR": tmp_path})
    past, rules = [PastQueries(tmp_path / "past", lambda: 0.0)], read_audience_rules(config)
    for view, counted, labels in (
        (EVERYBODY, past, ["All"]),
        (View(frozenset({"staff"})), (), ["All", "Internal"]),
        (View(frozenset({"other"})), (), ["All"]),
    ):
        service = serve._open_service(config, past, rules, IndexCache(), view)
        assert (service._past, [*service._labels().queries]) == (counted, labels)
