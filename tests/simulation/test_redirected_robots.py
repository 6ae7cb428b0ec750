"""A robots.txt that is at another host, in a crawl."""

from pathlib import Path

import pytest

from engine.model.page import Fetch
from tests.crawling import HOST, Clock, crawl_of


@pytest.mark.requirement(111)
def test_the_file_of_another_host_counts_for_the_first(tmp_path: Path) -> None:
    """RFC 9309, 2.3.1.2: across authorities, and for nobody else."""
    crawl = crawl_of(tmp_path, Clock())
    asked = crawl.claim()
    assert asked
    hop = crawl.record_robots(Fetch(asked, 301, [("location", "http://o.example/robots.txt")]))
    assert hop
    assert (hop.url, hop.host) == ("http://o.example/robots.txt", HOST)
    assert crawl.record_robots(Fetch(hop, 200, [], b"User-agent: *\nDisallow: /x\n")) is None
    rules = crawl.frontier.host_queues.robots(HOST)
    crawl.store.close()
    assert rules
    assert [rules.allowed("Lycosa", f"{HOST}{path}") for path in ("/x", "/y")] == [False, True]
    assert crawl.frontier.host_queues.robots("http://o.example") is None
