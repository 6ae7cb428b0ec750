"""`scrapy vacuum`: what it says, and its exit codes."""

import re
import time
from pathlib import Path

import pytest

from engine.commands.administration.vacuum import Command
from engine.store import Store
from tests.crawling import HOST, Clock, Web, crawl_of, run
from tests.running import here

LINE = re.compile(r"crawl\.db +([\d,]+) bytes before +([\d,]+) now")


@pytest.mark.sqlite
def test_what_it_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A crawl's pages, then all of them gone."""
    crawl = crawl_of(tmp_path, clock := Clock(time.time() - 60))
    run(
        crawl,
        Web({f"{HOST}/": [f"{HOST}/{n}" for n in range(90)], **{f"{HOST}/{n}": [] for n in range(90)}}),
        clock,
    )
    crawl.store.clear(time.time())
    crawl.store.close()
    assert here(Command(), tmp_path) == 0
    line = LINE.search(capsys.readouterr().out)
    assert line
    before, after = (int(number.replace(",", "")) for number in line.groups())
    assert after < before
    assert (tmp_path / "crawl.db").stat().st_size == after
    store = Store(tmp_path)
    assert store.census().pages == 0
    store.close()


def test_a_damaged_database_ends_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "crawl.db").write_bytes(b"nonsense" * 1_000)
    assert here(Command(), tmp_path) == 2
    assert "crawl.db stays as it was: file is not a database; 'scrapy check' says" in capsys.readouterr().err
