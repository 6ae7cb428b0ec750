"""A data folder that was crawled once, and where programs ask for recrawls of it."""

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from engine.database import CrawlDatabase
from engine.submission import RecrawlService
from tests.crawling import Clock, Web
from tests.engine.commands.test_submit import TOML, visited
from tests.engine.submission.recrawls import WEB, config_of


@pytest.fixture
def clock() -> Clock:
    return Clock(time.time() - 1_000)


@pytest.fixture
def folder(tmp_path: Path, clock: Clock) -> Path:
    """A data folder of one site, crawled once."""
    (tmp_path / "crawl.toml").write_text(TOML, encoding="utf-8")
    visited(tmp_path, Web(dict(WEB)), clock)
    clock.now += 60
    return tmp_path


@pytest.fixture
def service(folder: Path, clock: Clock) -> Iterator[RecrawlService]:
    with closing(CrawlDatabase(folder, 0.2)) as database:
        yield RecrawlService(config_of(folder), database, clock)
