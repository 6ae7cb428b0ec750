"""`scrapy recrawl`: what it says of how many, and of a host with a port."""

import time
from pathlib import Path

import pytest

from engine.commands.recrawl import Command
from engine.model import State
from tests.crawling import HOST, Clock, Web, crawl_of, run, states
from tests.running import here


@pytest.mark.parametrize(
    ("target", "code", "says", "why"),
    [
        (f"{HOST}/", 0, "1 URL is queued for the next crawl", "one"),
        (
            "h.example",
            0,
            "3 URLs are queued for the next crawl",
            "several, with its sitemap",
        ),
        (HOST, 0, "3 URLs are queued for the next crawl", "the host with its scheme"),
        ("h.example:8080", 2, "write http://h.example:8080 or https://h.example:8080", "a port has a scheme"),
        ("h.example:x", 2, "write a URL", "no port"),
    ],
)
def test_what_is_queued(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], target: str, code: int, says: str, why: str
) -> None:
    crawl = crawl_of(tmp_path, clock := Clock(time.time() - 60))
    run(crawl, Web({f"{HOST}/": [f"{HOST}/a"], f"{HOST}/a": []}), clock)
    crawl.store.close()
    assert here(Command(), tmp_path, target) == code, why
    said = capsys.readouterr()
    assert says in said.out + said.err, why
    queued = [state for state, _ in states(tmp_path).values()].count(State.QUEUED)
    assert (queued > 0) is (code == 0)
