"""Alarms of real crawls, by a real webhook: each comes once, and once more when it is over."""

from pathlib import Path

import pytest

from tests.receivers import webhook
from tests.running import scrapy
from tests.web.scripted import anchors, html, prose, scripted_web

ADDRESS = "127.31.1.1"


@pytest.mark.requirement(62, 256)
def test_a_host_that_dies_and_comes_back(tmp_path: Path) -> None:
    """Two crawls cannot ask it, and tell of it once."""
    site = {"/": html("Home", prose("home") + anchors(["/1"])), "/1": html("One", prose("one"))}
    with webhook() as hook:
        with scripted_web(site, ADDRESS) as web:
            home = web.url("/")
        toml = f'contact = "a@b.example"\n[[site]]\nseeds = ["{home}"]\nown = true\n'
        toml += f'[alerts]\nwebhook = "{hook.url}"\n'
        (tmp_path / "crawl.toml").write_text(toml, encoding="utf-8")
        scrapy(tmp_path, "crawl", "web", code=3)
        scrapy(tmp_path, "crawl", "web")  # it is too soon to ask again
        assert "is down: its robots.txt gave no answer" in scrapy(tmp_path, "alerts").stdout
        with scripted_web(site, ADDRESS, int(home.rpartition(":")[2].strip("/"))):
            scrapy(tmp_path, "robots", "--refresh", home.strip("/"))
            scrapy(tmp_path, "crawl", "web")
        assert scrapy(tmp_path, "alerts").stdout == "no alarm is open\n"
    told = [(alert["status"], alert["kind"], alert["subject"]) for alert in hook.posted]
    assert told == [("open", "host-down", home.strip("/")), ("over", "host-down", home.strip("/"))]
    assert hook.posted[0]["id"] == hook.posted[1]["id"]
