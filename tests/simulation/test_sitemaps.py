"""Sitemaps in a crawl, on a fake clock: what they add, in which order, and when a page is visited again."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from engine.crawl import Limits
from engine.model.page import State
from tests.crawling import EPOCH, HOST, Clock, Web, crawl_of, run, states

DAY = 86_400.0
MAP = f"{HOST}/sitemap.xml"
NAMED = {HOST: (200, f"Sitemap: {HOST}/one/deep/map.xml\n".encode())}


def urlset(*entries: str) -> str:
    rows = "".join(f"<url><loc>{entry}</url>" for entry in entries)
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{rows}</urlset>'


def entry(path: str, **more: str) -> str:
    rest = "".join(f"<{name}>{value}</{name}>" for name, value in more.items())
    return f"{HOST}{path}</loc>{rest}"


def index(*maps: str) -> str:
    rows = "".join(f"<sitemap><loc>{one}</loc></sitemap>" for one in maps)
    return f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{rows}</sitemapindex>'


def day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()


@pytest.mark.requirement(192, 193, 194)
@pytest.mark.parametrize(
    ("robots", "where", "why"),
    [
        ({}, MAP, "no robots.txt: looked for at the usual place"),
        ({HOST: (200, b"User-agent: *\nDisallow: /x\n")}, MAP, "requirement 194: robots.txt names none"),
        (NAMED, f"{HOST}/one/deep/map.xml", "requirements 193, 194, C27: one that is named may list all"),
        ({HOST: (200, b"Sitemap: /maps/m.xml")}, f"{HOST}/maps/m.xml", "requirement 192, C36: relative"),
    ],
)
def test_an_unlinked_page_is_found(
    tmp_path: Path, robots: dict[str, tuple[int, bytes]], where: str, why: str
) -> None:
    sitemaps = {where: urlset(entry("/lonely"))}
    web, clock = Web({f"{HOST}/": [], f"{HOST}/lonely": []}, robots=robots, sitemaps=sitemaps), Clock()
    run(crawl_of(tmp_path, clock), web, clock)
    assert [url for _, url in web.log][1] == where, "before the pages"
    assert f"{HOST}/lonely" in web.asked(), why


@pytest.mark.requirement(250)
def test_entries_pass_the_same_gates_as_links(tmp_path: Path) -> None:
    """Robots.txt, scope, filters, duplicates."""
    robots = {HOST: (200, b"User-agent: *\nDisallow: /secret")}
    listed = [entry("/secret/a"), entry("/a.zip"), entry("/x"), entry("/x"), entry("/")]
    sitemaps = {MAP: urlset(*listed, "http://other.example/</loc>")}
    web, clock = Web({f"{HOST}/": [f"{HOST}/x"], f"{HOST}/x": []}, robots=robots, sitemaps=sitemaps), Clock()
    crawl = crawl_of(tmp_path, clock)
    run(crawl, web, clock)
    assert web.asked() == [f"{HOST}/", f"{HOST}/x"]
    assert states(tmp_path)[f"{HOST}/secret/a"] == (State.DISALLOWED, "robots.txt")
    assert crawl.counters.counts["sitemap entries skipped: file type"] == 1


def test_a_disallowed_sitemap_is_not_read(tmp_path: Path) -> None:
    robots = {HOST: (200, b"Sitemap: /maps/m.xml\nUser-agent: *\nDisallow: /maps/")}
    web, clock = Web({f"{HOST}/": []}, robots=robots), Clock()
    run(crawl_of(tmp_path, clock), web, clock)
    assert [url for _, url in web.log] == [f"{HOST}/robots.txt", f"{HOST}/"]


def test_the_sitemap_of_another_host_is_left(tmp_path: Path) -> None:
    """C27."""
    robots = {HOST: (200, b"Sitemap: http://cdn.example/m.xml")}
    web, clock = Web({f"{HOST}/": []}, robots=robots), Clock()
    crawl = crawl_of(tmp_path, clock)
    run(crawl, web, clock)
    assert [url for _, url in web.log] == [f"{HOST}/robots.txt", f"{HOST}/"]
    assert crawl.counters.counts["sitemaps skipped: other host"] == 1


@pytest.mark.requirement(240)
def test_priority_orders_what_waits_of_a_host(tmp_path: Path) -> None:
    wanted = {"/low": "0.1", "/high": "0.9", "/usual": "9"}
    sitemaps = {MAP: urlset(*(entry(path, priority=value) for path, value in wanted.items()))}
    web = Web({f"{HOST}{path}": [] for path in ("/", *wanted)}, sitemaps=sitemaps)
    clock = Clock()
    run(crawl_of(tmp_path, clock), web, clock)
    assert web.asked() == [f"{HOST}{path}" for path in ("/", "/high", "/usual", "/low")]


@pytest.mark.requirement(246, 249)
def test_an_index_is_followed_one_step(tmp_path: Path) -> None:
    """Both child maps; an index in an index is none."""
    one, two, three = (f"{HOST}/{n}.xml" for n in (1, 2, 3))
    sitemaps = {MAP: index(one, two), one: urlset(entry("/a")), two: index(three), three: urlset(entry("/c"))}
    web, clock = Web({f"{HOST}{path}": [] for path in ("/", "/a", "/c")}, sitemaps=sitemaps), Clock()
    crawl = crawl_of(tmp_path, clock)
    run(crawl, web, clock)
    assert [url for _, url in web.log][1:4] == [MAP, one, two]
    assert f"{HOST}/a" in web.asked()
    assert not {three, f"{HOST}/c"} & {url for _, url in web.log}
    assert crawl.counters.counts["sitemaps"] == 3


@pytest.mark.requirement(251)
def test_a_page_of_links_serves_as_well(tmp_path: Path) -> None:
    """A site map for people."""
    targets = [f"{HOST}/{name}" for name in ("a", "b/c", "d.html")]
    answers: dict[str, int | list[str]] = {f"{HOST}/": [f"{HOST}/map.html"], f"{HOST}/map.html": targets}
    web, clock = Web({**answers, **{target: [] for target in targets}}), Clock()
    run(crawl_of(tmp_path, clock), web, clock)
    assert set(targets) <= set(web.asked())


def test_a_limit_of_depth_holds_for_entries(tmp_path: Path) -> None:
    sitemaps = {MAP: urlset(entry("/a"))}
    web, clock = Web({f"{HOST}/": [], f"{HOST}/a": []}, sitemaps=sitemaps), Clock()
    run(crawl_of(tmp_path, clock, Limits(depth=0), seeds=(f"{HOST}/",)), web, clock)
    assert web.asked() == [f"{HOST}/"]


def second_visit(folder: Path, more: dict[str, str], after: float, status: int = 200) -> list[str]:
    """Which pages a second crawl asks `after` seconds, of one that its sitemap describes so and `/`."""
    sitemaps = {MAP: urlset(entry("/a", **more))}
    web, clock = Web({f"{HOST}/": [f"{HOST}/a"], f"{HOST}/a": []}, sitemaps=sitemaps), Clock()
    web.headers[MAP] = [("etag", '"1"')]
    run(crawl_of(folder, clock), web, clock)
    clock.now, web.log = EPOCH + after, []
    if status == 304:
        web.sitemaps, web.answers[MAP] = {}, 304
    run(crawl_of(folder, clock), web, clock)
    return web.asked()


@pytest.mark.slow
@pytest.mark.requirement(237, 238, 239)
@pytest.mark.parametrize(
    ("more", "after", "again", "why"),
    [
        ({}, DAY, True, "nothing is said: due"),
        ({"lastmod": "2020-01-01"}, DAY, False, "requirement 238: older than the last visit"),
        ({"lastmod": day(EPOCH + DAY / 2)}, DAY, True, "requirement 238: newer than the last visit"),
        ({"lastmod": "2027-01-15"}, DAY, True, "the day of the visit: it may have changed in the evening"),
        ({"lastmod": "2020-01-01"}, 40 * DAY, True, "nobody is believed for more than thirty days"),
        ({"lastmod": "soon"}, DAY, True, "requirement 237: a bad date says nothing"),
        ({"changefreq": "always"}, 60.0, True, "requirement 239: each run"),
        ({"changefreq": "hourly"}, 0.5 * 3600, False, "requirement 239"),
        ({"changefreq": "hourly"}, 3600.0, True, "requirement 239"),
        ({"changefreq": "daily"}, DAY / 2, False, "requirement 239"),
        ({"changefreq": "daily"}, DAY - 3600, True, "a nightly crawl may come a little sooner"),
        ({"changefreq": "weekly"}, 6 * DAY, False, "requirement 239"),
        ({"changefreq": "weekly"}, 7 * DAY, True, "requirement 239"),
        ({"changefreq": "monthly"}, 29 * DAY, False, "requirement 239"),
        ({"changefreq": "yearly"}, 360 * DAY, False, "requirement 239"),
        ({"changefreq": "never"}, 360 * DAY, False, "requirement 239"),
        ({"changefreq": "never"}, 366 * DAY, True, "a hint, not an order"),
        ({"changefreq": "sometimes"}, DAY, True, "requirement 239: unknown is ignored"),
    ],
)
def test_when_a_page_is_visited_again(
    tmp_path: Path, more: dict[str, str], after: float, again: bool, why: str
) -> None:
    assert second_visit(tmp_path, more, after) == [f"{HOST}/", *([f"{HOST}/a"] * again)], why


@pytest.mark.requirement(252)
@pytest.mark.parametrize(
    ("more", "again"), [({}, True), ({"lastmod": "2020-01-01"}, False), ({"changefreq": "weekly"}, False)]
)
def test_a_sitemap_that_is_unchanged_is_not_read_again(
    tmp_path: Path, more: dict[str, str], again: bool
) -> None:
    """304, and what it said still holds."""
    assert second_visit(tmp_path, more, DAY, status=304) == [f"{HOST}/", *([f"{HOST}/a"] * again)]


@pytest.mark.requirement(248)
def test_an_unchanged_child_is_not_fetched_again(tmp_path: Path) -> None:
    child = f"{HOST}/1.xml"
    row = f"<sitemap><loc>{child}</loc><lastmod>2020-01-01</lastmod></sitemap>"
    sitemaps = {MAP: index().replace("></s", f">{row}</s"), child: urlset(entry("/a"))}
    web, clock = Web({f"{HOST}/": [], f"{HOST}/a": []}, sitemaps=sitemaps), Clock()
    run(crawl_of(tmp_path, clock), web, clock)
    assert child in [url for _, url in web.log]
    clock.now, web.log = EPOCH + DAY, []
    run(crawl_of(tmp_path, clock), web, clock)
    assert MAP in [url for _, url in web.log]
    assert child not in [url for _, url in web.log]
