"""Feeds from end to end: what they name is found at once, with its date, and nothing else is asked again."""

import json
import re
import sqlite3
from contextlib import closing
from email.utils import formatdate
from pathlib import Path

import pytest

from engine.config import Config, SiteConfig
from spiders.seeds import build_root_set
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
        site.routes["/old"] = html("Old", prose("old") + "<p>avocet")
        site.routes["/feed"] = rss(site.url("/old"))
        write_toml(tmp_path, site, site.url("/feed"))
        scrapy(tmp_path, "crawl", "web")
        assert find(tmp_path, "avocet") == [(site.url("/old"), DAY)]
        site.routes["/new"] = html("New", prose("new") + "<p>bittern")
        site.routes["/feed"] = rss(site.url("/new"), site.url("/old"))
        assert look_at_feeds(tmp_path, site) == [], "it has not had its rest"
        let_time_pass(tmp_path, 3_600)
        assert look_at_feeds(tmp_path, site) == ["/feed", "/new"]
        assert find(tmp_path, "bittern") == [(site.url("/new"), DAY)]


@pytest.mark.slow
def test_a_look_that_goes_on_tells_what_it_asked_itself(tmp_path: Path) -> None:
    """Not what the look that was stopped had asked."""
    with scripted_web({"/": html("Home", prose("home"))}) as site:
        site.routes["/feed"] = rss(site.url("/"))
        write_toml(tmp_path, site, site.url("/feed"))
        assert re.search(r"feeds +1\n", scrapy(tmp_path, "crawl", "web", "-a", "feeds=1").stdout)
        with closing(sqlite3.connect(tmp_path / "crawl.db")) as database, database:
            database.execute("UPDATE runs SET reason = 'shutdown'")
        assert scrapy(tmp_path, "crawl", "web", "-a", "feeds=1").stdout == "no feed was due\n"


@pytest.mark.slow
def test_a_file_of_feeds(tmp_path: Path) -> None:
    """As a feed reader writes it: with folders, and feeds of several hosts, all of which are in scope."""
    news = {"/news/1": html("One", prose("one") + "<p>curlew"), "/feed": Answer()}
    with scripted_web(news, "127.31.2.2") as blog, scripted_web({"/": html("Home", prose("home"))}) as site:
        blog.routes["/feed"] = rss(blog.url("/news/1"), site.url("/gone"), "http://127.31.2.9/")
        folders = (
            f"<outline text='B'><outline type='rss' text='Blog' xmlUrl='{blog.url('/feed')}'/></outline>"
        )
        opml = tmp_path / "subscriptions.opml"
        text = (
            f"<?xml version='1.0' encoding='windows-1252'?><!-- \xe9 --><opml><body>{folders}</body></opml>"
        )
        opml.write_bytes(text.encode("cp1252"))
        write_toml(tmp_path, site, str(opml))
        done = scrapy(tmp_path, "crawl", "web")
        assert find(tmp_path, "curlew") == [(blog.url("/news/1"), DAY)]
    assert re.search(r"feeds +1\n", done.stdout)
    assert re.search(r"feed items skipped: scope +1 ", done.stdout)
    assert f"on {blog.url('/feed')}" in scrapy(tmp_path, "explain", blog.url("/news/1")).stdout
    assert f"by {opml}" in scrapy(tmp_path, "explain", blog.url("/feed")).stdout


def test_a_file_as_windows_writes_it(tmp_path: Path) -> None:
    """With a byte order mark."""
    opml = tmp_path / "feeds.opml"
    opml.write_text("<opml><body><outline xmlUrl='http://a.example/f'/></body></opml>", encoding="utf-8-sig")
    [site] = build_root_set(Config(tmp_path, sites=(SiteConfig((), feeds=(str(opml),)),)), {})
    assert site.feeds == ("http://a.example/f",)


MISTAKES = [
    ('feeds = ["no-such-file.opml"]', "no-such-file.opml"),
    ('feeds = ["ftp://a.example/feed"]', "ftp://a.example/feed"),
    ('feeds = "http://a.example/feed"', "feeds"),
    ('feeds = ["empty.opml"]', "there is no feed in"),
]


@pytest.mark.slow
def test_no_feed_to_look_at(tmp_path: Path) -> None:
    toml = '[[site]]\nown = true\nseeds = ["http://127.31.2.2/"]\n'
    (tmp_path / "crawl.toml").write_text(toml, encoding="utf-8")
    done = scrapy(tmp_path, "crawl", "web", "-a", "feeds=1", code=2)
    assert "no [[site]] of crawl.toml has feeds" in done.stderr.splitlines()[-1]


@pytest.mark.slow
@pytest.mark.parametrize(("line", "says"), MISTAKES)
def test_mistakes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, says: str) -> None:
    (tmp_path / "empty.opml").write_text("<opml><body/></opml>", encoding="utf-8")
    line = line.replace("empty.opml", str(tmp_path / "empty.opml"))
    (tmp_path / "crawl.toml").write_text(f"[[site]]\nown = true\n{line}\n", encoding="utf-8")
    done = scrapy(tmp_path, "crawl", "web", code=2)
    assert says in done.stderr.splitlines()[-1]
