"""What feeds may not bring about: they are strangers' words."""

import re
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.config import Login, SiteConfig
from engine.crawl import Crawl, Limits
from engine.database import urls
from engine.frontier import build_sites
from engine.store import Store
from tests.crawling import EPOCH, HOST, Clock, Web, crawl_of, run, states
from tests.simulation.feeds import DAY, FEED, OTHER, crawl_all, opml, rss

BORDERS = [
    (rss((f"{OTHER}/a", EPOCH)), [], "an item of a host that is not in scope"),
    (rss((f"{HOST}/a.zip", EPOCH)), [], "an item that nobody reads"),
    (rss((f"{HOST}/x/y", EPOCH)), [], "an item that crawl.toml excludes"),
    (opml(f"{HOST}/more"), [f"{HOST}/more", f"{HOST}/b"], "a list of feeds"),
    (opml(f"{OTHER}/feed"), [], "a feed of a host that is not in scope"),
    (opml(f"{HOST}/lists"), [f"{HOST}/lists"], "a list of lists"),
]


@pytest.mark.parametrize(("text", "asked", "why"), BORDERS, ids=[why for *_, why in BORDERS])
def test_its_borders(tmp_path: Path, text: str, asked: list[str], why: str) -> None:
    clock = Clock()
    web = Web({f"{HOST}/": []}, missing=[], seconds=0.0)
    more = {f"{HOST}/more": rss((f"{HOST}/b", EPOCH - DAY)), f"{HOST}/lists": opml(f"{HOST}/third")}
    web.sitemaps = {FEED: text, **more}
    crawl_all(tmp_path, web, clock, feeds=(FEED,), exclude=re.compile("/x/"))
    assert sorted(web.asked()) == sorted([FEED, f"{HOST}/", *asked]), why


def test_a_feed_of_another_host_is_in_scope(tmp_path: Path) -> None:
    """Who names it wants what it names."""
    clock = Clock()
    web = Web({f"{HOST}/": []}, missing=[], sitemaps={f"{OTHER}/feed": rss((f"{OTHER}/a", EPOCH))})
    crawl_all(tmp_path, web, clock, feeds=(f"{OTHER}/feed",))
    assert states(tmp_path)[f"{OTHER}/a"] == ("stored", "")


def test_what_a_list_named_leaves_with_it(tmp_path: Path) -> None:
    """Of another host nothing is in scope then; else its feeds are visited in rounds as all that is known."""
    clock = Clock()
    web = Web({f"{HOST}/": []}, missing=[])
    web.sitemaps = {f"{OTHER}/list": opml(f"{OTHER}/feed"), f"{OTHER}/feed": rss((f"{OTHER}/a", EPOCH))}
    crawl_all(tmp_path, web, clock, feeds=(f"{OTHER}/list",))
    assert f"{OTHER}/a" in web.asked()
    clock.now += 2 * DAY
    web.log.clear()
    crawl_all(tmp_path, web, clock)
    assert web.asked() == [f"{HOST}/"]


def test_a_feed_dates_the_pages_of_its_own_domain(tmp_path: Path) -> None:
    """When others' pages appeared is not for it to say."""
    clock = Clock()
    web = Web({f"{HOST}/": []}, missing=[])
    web.sitemaps = {f"{OTHER}/feed": rss((f"{OTHER}/a", EPOCH - DAY), (f"{HOST}/a", EPOCH - DAY))}
    crawl = crawl_of(tmp_path, clock, feeds=(f"{OTHER}/feed",))
    run(crawl, web, clock)
    with crawl.store.engine.connect() as connection:
        dated = {row.url: row.published_at for row in connection.execute(sa.select(urls))}
    crawl.store.close()
    assert (dated[f"{OTHER}/a"], dated[f"{HOST}/a"]) == (EPOCH - DAY, None)


def test_a_list_of_feeds_ends_no_session(tmp_path: Path) -> None:
    """Whoever writes such a list would log us out of a host that he knows; a sitemap could, too."""
    clock = Clock()
    login = Login("https://h.example", "form", url="https://h.example/login")
    home, feed = "https://h.example/", "https://h.example/feed"
    web = Web({home: []}, robots={"https://h.example": (200, b"Sitemap: /logout")}, missing=[])
    web.sitemaps = {
        feed: opml("https://h.example/logout?all=1", "https://h.example/more"),
        "https://h.example/more": rss(),
    }
    sites = build_sites([SiteConfig((home,), feeds=(feed,))], logins=(login,))
    crawl = Crawl(Store(tmp_path), sites, Limits(), clock, lambda: 0.0)
    crawl.open()
    run(crawl, web, clock)
    crawl.store.close()
    assert sorted(web.asked()) == [home, feed, "https://h.example/more"]


def test_a_site_of_feeds_alone(tmp_path: Path) -> None:
    clock = Clock()
    web = Web({f"{HOST}/a": [f"{HOST}/b"], f"{HOST}/b": []}, sitemaps={FEED: rss((f"{HOST}/a", EPOCH - DAY))})
    crawl_all(tmp_path, web, clock, seeds=(), feeds=(FEED,))
    assert web.asked() == [FEED, f"{HOST}/a", f"{HOST}/b"]


def test_a_sitemap_that_becomes_a_seed_stays_one(tmp_path: Path) -> None:
    clock = Clock()
    site_map = f"{HOST}/map"
    web = Web({f"{HOST}/": []}, robots={HOST: (200, b"Sitemap: /map")}, missing=[])
    web.sitemaps = {site_map: f"<urlset><url><loc>{HOST}/a</loc></url></urlset>"}
    crawl_all(tmp_path, web, clock)
    clock.now += 2 * DAY
    web.sitemaps = {site_map: f"<urlset><url><loc>{HOST}/b</loc></url></urlset>"}
    web.log.clear()
    crawl_all(tmp_path, web, clock, seeds=(f"{HOST}/", site_map))
    assert f"{HOST}/b" in web.asked()


def test_robots_txt_holds_for_feeds(tmp_path: Path) -> None:
    clock = Clock()
    web = Web(
        {f"{HOST}/": []}, robots={HOST: (200, b"User-agent: *\nDisallow: /feed")}, sitemaps={FEED: rss()}
    )
    crawl_all(tmp_path, web, clock, feeds=(FEED,))
    assert web.asked() == [f"{HOST}/"]
