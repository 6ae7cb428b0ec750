"""`scrapy explain URL` of sitemaps and feeds, which other rules are for than for pages."""

import time
from pathlib import Path

import pytest

from tests.crawling import HOST, Clock, Web, crawl_of, run
from tests.engine.commands.test_explain import SITEMAP, record


def test_when_an_own_feed_is_asked_for_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    feed = f"{HOST}/feed"
    web = Web({f"{HOST}/": []}, sitemaps={feed: "<rss><channel/></rss>"}, seconds=0.0)
    crawl = crawl_of(tmp_path, clock := Clock(time.time()), own=True, feeds=(feed,))
    run(crawl, web, clock)
    crawl.store.close()
    toml = f"[[site]]\nseeds = ['{HOST}/']\nown = true\nfeeds = ['{feed}']"
    (tmp_path / "crawl.toml").write_text(toml, encoding="utf-8")
    says = "feeds of your own are asked for every five minutes"
    assert record(tmp_path, capsys, feed)["next_visit"].endswith(says)


@pytest.mark.parametrize(
    ("site", "path", "rule", "why"),
    [
        ("exclude = 'sitemap'", "/sitemap.xml", "", "a sitemap is asked for wherever its host says"),
        ("feeds = ['http://h.example/a.zip']", "/a.zip", "", "so is a feed that a site names"),
        ("", "/a.zip", "no site names this feed", "and one that none names any more is not"),
        ("exclude = '/a$'", "/a", "exclude", "a page is under the rules of pages"),
    ],
)
def test_the_rules_of_pages_are_for_pages(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], site: str, path: str, rule: str, why: str
) -> None:
    feed = f"{HOST}/a.zip"
    maps = {feed: "<rss><channel/></rss>", f"{HOST}/sitemap.xml": SITEMAP}
    web = Web({f"{HOST}/": [f"{HOST}/a"], f"{HOST}/a": []}, sitemaps=maps, seconds=0.0)
    crawl = crawl_of(tmp_path, clock := Clock(time.time()), own=True, feeds=(feed,))
    run(crawl, web, clock)
    crawl.store.close()
    (tmp_path / "crawl.toml").write_text(f"[[site]]\nseeds = ['{HOST}/']\nown = true\n{site}")
    assert record(tmp_path, capsys, HOST + path)["rule"] == rule, why
