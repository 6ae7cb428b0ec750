"""Two sites on one machine, crawled through the real command: they share its floor."""

from itertools import pairwise
from pathlib import Path

import pytest

from tests.running import scrapy
from tests.web.scripted import anchors, html, pages, prose, scripted_web

FLOOR = 0.2  # seconds at the profile brisk: a fifth of its pause
NETWORK = 0.01  # seconds by which two requests may come closer on their way


@pytest.mark.slow
@pytest.mark.requirement(264)
def test_two_sites_at_one_address(tmp_path: Path) -> None:
    """What is counted is the machine, too, not only its names and ports."""
    first = pages({"/": ["/a", "/b"], "/a": [], "/b": []})
    second = {"/": html("Home", prose("home") + anchors(["/c", "/d"])), **pages({"/c": [], "/d": []})}
    with scripted_web(first) as one, scripted_web(second) as two:
        toml = 'contact = "me@example.org"\nallow_private = ["127.0.0.1"]\n[[site]]\nprofile = "brisk"\n'
        (tmp_path / "crawl.toml").write_text(f'{toml}seeds = ["{one.url()}", "{two.url()}"]\n')
        scrapy(tmp_path, "crawl", "web")
        requests = sorted((request.start, request.path) for site in (one, two) for request in list(site.log))
    starts = [start for start, path in requests if path != "/robots.txt"]
    assert len(starts) == 2 * 4  # three pages and the look for a sitemap
    assert min(b - a for a, b in pairwise(starts)) >= FLOOR - NETWORK
