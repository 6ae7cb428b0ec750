"""What was submitted by force, on a fake clock."""

from pathlib import Path

import pytest

from engine.store.page_store import Store
from engine.store.wanted import force_visit
from tests.crawling import HOST, Clock, Web, chain, crawl_of, run, states


def forced(folder: Path, url: str, clock: Clock) -> None:
    """What `scrapy submit --force` leaves."""
    store = Store(folder)
    with store.engine.begin() as connection:
        force_visit(connection, url, clock.now)
    store.close()


@pytest.mark.requirement(39)
@pytest.mark.parametrize(
    ("url", "rule"),
    [(f"{HOST}/a.zip", "file type"), (f"{HOST}/logout", "side-effect"), ("http://o.example/", "scope")],
)
def test_a_skipped_url_is_fetched_once_by_force(tmp_path: Path, url: str, rule: str) -> None:
    """The next crawl visits it, and once; the one after that refuses it again."""
    web, clock = Web({**chain("/", "/b"), url: [f"{HOST}/b"]}), Clock()
    run(crawl_of(tmp_path, clock), web, clock)
    assert url not in web.asked()
    for _ in range(2):
        web.log.clear()
        forced(tmp_path, url, clock)
        run(crawl_of(tmp_path, clock), web, clock)
        assert web.asked().count(url) == 1, rule
        assert states(tmp_path)[url] == ("stored", "")
    web.log.clear()
    run(crawl_of(tmp_path, clock), web, clock)
    assert url not in web.asked()


@pytest.mark.requirement(39, 261)
def test_a_dynamic_url_is_fetched_by_force_and_no_other(tmp_path: Path) -> None:
    """With dynamic = "all" what is queued already is left as well."""
    url, other = f"{HOST}/list?a", f"{HOST}/list?b"
    web, clock = Web({**chain("/", "/b"), url: [other], other: []}), Clock()
    forced(tmp_path, url, clock)
    run(crawl_of(tmp_path, clock, dynamic="all"), web, clock)
    assert set(web.asked()) == {f"{HOST}/", f"{HOST}/b", url}
    assert other not in states(tmp_path)


@pytest.mark.requirement(2, 39)
def test_robots_txt_is_not_overridden(tmp_path: Path) -> None:
    url = "http://o.example/secret"
    web = Web({**chain("/"), url: []}, robots={"http://o.example": (200, b"User-agent: *\nDisallow: /s")})
    clock = Clock()
    run(crawl_of(tmp_path, clock), web, clock)
    forced(tmp_path, url, clock)
    run(crawl_of(tmp_path, clock), web, clock)
    assert url not in web.asked()
    assert states(tmp_path)[url] == ("disallowed", "robots.txt")
