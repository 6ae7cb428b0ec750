"""Feeds from end to end: what they name is found at once, with its date, and nothing else is asked again."""

import json
import sqlite3
from contextlib import closing
from email.utils import formatdate
from pathlib import Path

import pytest

from tests.running import scrapy
from tests.web.scripted import Answer, Site, html, prose, scripted_web

PUBLISHED, DAY = 1_700_000_000.0, "2023-11-14"


def rss(*urls: str, at: float = PUBLISHED) -> Answer:
    items = "".join(f"<item><link>{url}</link><pubDate>{formatdate(at)}</pubDate></item>" for url in urls)
    text = f"<rss version='2.0'><channel><title>News</title>{items}</channel></rss>"
    return Answer(200, text, {"Content-Type": "application/rss+xml"})


def write_toml(data_dir: Path, site: Site, *feeds: str) -> None:
    named = ", ".join(f'"{feed}"' for feed in feeds)
    text = f'[[site]]\nown = true\nseeds = ["{site.url("/")}"]\nfeeds = [{named}]\n'
    (data_dir / "crawl.toml").write_text(text, encoding="utf-8")


def let_time_pass(data_dir: Path, seconds: float) -> None:
    """Moves all visits into the past."""
    with closing(sqlite3.connect(data_dir / "crawl.db")) as database, database:
        database.execute(f"UPDATE urls SET visited_at = visited_at - {seconds}, due_at = due_at - {seconds}")


def look_at_feeds(data_dir: Path, site: Site) -> list[str]:
    """Returns the paths that are asked for."""
    site.log.clear()
    scrapy(data_dir, "crawl", "web", "-a", "feeds=1")
    return [request.path for request in site.log]


def find(data_dir: Path, query: str) -> list[tuple[str, str]]:
    """Returns where a query is answered, and of which days the pages are."""
    hits = json.loads(scrapy(data_dir, "search", query, "--json").stdout)["hits"]
    return [(hit["url"], hit["date"]) for hit in hits]


@pytest.mark.slow
def test_a_new_item_is_found_after_a_look_at_its_feed(tmp_path: Path) -> None:
    """No page is asked again for it; its date is that of the feed, as the page says none."""
    with scripted_web({"/": html("Home", prose("home"))}) as site:
        site.routes |= {
            "/old": html("Old", prose("old") + "<p>avocet"),
            "/feed": rss(site.url("/old")),
        }
        write_toml(tmp_path, site, site.url("/feed"))
        scrapy(tmp_path, "crawl", "web")
        assert find(tmp_path, "avocet") == [(site.url("/old"), DAY)]
        site.routes |= {
            "/new": html("New", prose("new") + "<p>bittern"),
            "/feed": rss(site.url("/new"), site.url("/old")),
        }
        assert look_at_feeds(tmp_path, site) == [], "it has not had its rest"
        let_time_pass(tmp_path, 3_600)
        assert look_at_feeds(tmp_path, site) == ["/feed", "/new"]
        assert find(tmp_path, "bittern") == [(site.url("/new"), DAY)]
