"""A site with a feed, on a fake clock."""

from email.utils import formatdate
from pathlib import Path

from engine.crawl import Limits
from tests.crawling import HOST, Clock, Web, crawl_of, run

FEED, OTHER = f"{HOST}/feed", "http://other.example"
DAY, HOUR, MINUTE = 86_400.0, 3_600.0, 60.0
ONLY = Limits(feeds_only=True)


def rss(*items: tuple[str, float], about: str = "") -> str:
    """A feed of items, each with the time at which it appeared."""
    inside = "".join(
        f"<item><link>{url}</link><pubDate>{formatdate(at)}</pubDate></item>" for url, at in items
    )
    return f"<rss><channel>{about}{inside}</channel></rss>"


def opml(*feeds: str) -> str:
    lines = "".join(f"<outline xmlUrl='{feed}'/>" for feed in feeds)
    return f"<opml><body>{lines}</body></opml>"


def visit(folder: Path, web: Web, clock: Clock, feeds: tuple[str, ...] = (FEED,)) -> list[str]:
    """Reads the feeds that are due, and what is new in them; returns what was asked for."""
    web.log.clear()
    look(folder, web, clock, feeds)
    return web.asked()


def look(folder: Path, web: Web, clock: Clock, feeds: tuple[str, ...] = (FEED,), *, own: bool = False) -> int:
    """Reads the feeds that are due; returns the number of the round."""
    crawl = crawl_of(folder, clock, ONLY, feeds=feeds, own=own)
    run(crawl, web, clock)
    crawl.store.close()
    return crawl.run.round.number


def crawl_all(folder: Path, web: Web, clock: Clock, **site: object) -> None:
    """Crawls a site to its end; a server has not as many connections as these tests have crawls."""
    crawl = crawl_of(folder, clock, **site)  # type: ignore[arg-type]
    run(crawl, web, clock)
    crawl.store.close()


def made(folder: Path, text: str, clock: Clock) -> Web:
    """A site with a feed, crawled once."""
    web = Web({f"{HOST}/": [f"{HOST}/page"], f"{HOST}/page": [], f"{HOST}/a": [], f"{HOST}/b": []})
    web.sitemaps = {FEED: text}
    crawl_all(folder, web, clock, feeds=(FEED,))
    return web
