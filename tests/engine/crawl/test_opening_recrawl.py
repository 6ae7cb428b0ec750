"""Second and third crawls on a fake clock: only what changed changes, and what rests is left to rest."""

from pathlib import Path

import pytest

from engine.crawl import Crawl, Limits
from engine.model.page import State
from engine.robots import Directives
from tests.crawling import EPOCH, HOST, Clock, Web, crawl_of, reading, run, states

DAY = 86_400.0
PAGES = 60
WEEKLY = f"""<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>{HOST}/1</loc><changefreq>weekly</changefreq></url></urlset>"""


def site(number: int = PAGES) -> Web:
    """A start page that links to all others; each has an entity tag."""
    urls = [f"{HOST}/{n}" for n in range(1, number)]
    answers: dict[str, int | list[str]] = {f"{HOST}/": urls, **{url: [] for url in urls}}
    return Web(answers, {url: [("etag", '"1"')] for url in answers})


def again(folder: Path, web: Web, clock: Clock, after: float, limits: Limits = Limits()) -> Crawl:
    clock.now += after
    web.log.clear()
    crawl = crawl_of(folder, clock, limits, own=True)
    run(crawl, web, clock)
    return crawl


@pytest.mark.requirement(73, 74)
def test_a_second_crawl_of_an_unchanged_site(tmp_path: Path) -> None:
    """Only 304s, no bodies, and the index has nothing to do."""
    web, clock = site(), Clock()
    last = again(tmp_path, web, clock, 0).store.last_change()
    web.answers = dict.fromkeys(web.answers, 304)
    crawl = again(tmp_path, web, clock, DAY)
    assert sorted(web.asked()) == sorted(web.answers)
    assert (crawl.counters.counts["unchanged"], crawl.counters.counts["stored"]) == (PAGES, 0)
    assert crawl.store.last_change() == last
    assert crawl.store.census().pages == PAGES


def test_a_server_without_tags_gives_the_index_nothing_to_do_either(tmp_path: Path) -> None:
    """The same page again, in full, is no change."""
    web, clock = site(), Clock()
    last = again(tmp_path, web, clock, 0).store.last_change()
    assert again(tmp_path, web, clock, DAY).store.last_change() == last


def test_only_what_changed_changes(tmp_path: Path) -> None:
    """Ten pages changed, three are 410, two noindex, two 404."""
    web, clock = site(), Clock()
    first = again(tmp_path, web, clock, 0).store.last_change()
    changed, gone, shut, missing = (
        [f"{HOST}/{n}" for n in numbers] for numbers in (range(1, 11), (11, 12, 13), (14, 15), (16, 17))
    )
    full = {**dict.fromkeys(changed, 200), **dict.fromkeys(shut, 200)}
    web.answers = {url: [] if url in full else 304 for url in web.answers}
    web.answers |= {**dict.fromkeys(gone, 410), **dict.fromkeys(missing, 404)}
    new = {url: reading(f"{url}?new", []).content for url in changed}
    web.said = {url: {"content": content, "fingerprint": url.encode()} for url, content in new.items()}
    web.said |= {url: {"directives": Directives(index=False)} for url in shut}
    crawl = again(tmp_path, web, clock, DAY)
    second = crawl.store.changes(first, 999)
    assert {change.url for change in second} == {*changed, *gone, *shut}
    assert {change.url for change in second if change.page is None} == {*gone, *shut}
    last = crawl.store.last_change()
    third = again(tmp_path, web, clock, DAY).store.changes(last, 999)
    assert {(change.url, change.page) for change in third} == {(url, None) for url in missing}


HOURS = [hours / 24 for hours in (1, 2, 4, 8, 16, 32)]


@pytest.mark.slow
@pytest.mark.requirement(281)
@pytest.mark.parametrize(
    ("answer", "rests", "why"),
    [
        (304, [1, 2, 4, 8, 16, 30, 30], "nothing new: twice as long each time, thirty days at most"),
        (
            404,
            [1, *HOURS],
            "requirement 281: a stale URL is asked ever more rarely, the second time in an hour",
        ),
        ([], [1, 2, 4], "the same text in full is nothing new"),
    ],
)
def test_what_does_not_change_rests_longer(
    tmp_path: Path, answer: int | list[str], rests: list[float], why: str
) -> None:
    web, clock, url = site(2), Clock(), f"{HOST}/1"
    again(tmp_path, web, clock, 0)
    web.answers[url] = answer
    for rest in rests:
        again(tmp_path, web, clock, 0.8 * rest * DAY, Limits(due_only=True))
        assert url not in web.asked(), why
        again(tmp_path, web, clock, 0.1 * rest * DAY, Limits(due_only=True))
        assert url in web.asked(), why


NIGHTS = range(1, 11)


@pytest.mark.slow
@pytest.mark.requirement(78, 79, 281)
@pytest.mark.parametrize(
    ("answer", "asked", "why"),
    [
        (404, [1, 2, 3, 5, 9], "requirement 281: twice, three times, then ever more rarely"),
        (410, [1, 2, 3, 5, 9], "requirement 281: as a 404"),
        (500, [*NIGHTS], "a server that fails is mended one day; its page stays in the index meanwhile"),
        (403, [*NIGHTS], "it may be there"),
        (301, [1], "requirement 79: moved for good, so its target is asked in its place"),
        (308, [1], "requirement 79: moved for good"),
        (302, [*NIGHTS], "requirement 79: moved for now"),
        (303, [*NIGHTS], "requirement 79: moved for now"),
        (307, [*NIGHTS], "requirement 79: moved for now"),
        (399, [*NIGHTS], "requirement 78: an unknown code counts as its class, and promises nothing"),
        ([], [*NIGHTS], "a page is asked for whenever it is due"),
    ],
)
def test_how_often_a_nightly_crawl_asks(
    tmp_path: Path, answer: int | list[str], asked: list[int], why: str
) -> None:
    """What has become of a page on the first of ten nights, and on which of them its host hears from us."""
    web, clock, url = site(2), Clock(), f"{HOST}/1"
    again(tmp_path, web, clock, 0)
    web.answers[url] = answer
    web.headers[url] = [("location", "/")]
    heard = []
    for night in NIGHTS:
        again(tmp_path, web, clock, DAY)
        heard += [night] * (url in web.asked())
    assert heard == asked, why


@pytest.mark.slow
@pytest.mark.requirement(79, 281)
@pytest.mark.parametrize(("answer", "days"), [(404, 27), (410, 27), (301, 31), (308, 31)])
def test_what_has_left_for_good_is_asked_once_a_month(tmp_path: Path, answer: int, days: int) -> None:
    """For ever, as it may come back; and when it does, it is asked as any other."""
    web, clock, url = site(2), Clock(), f"{HOST}/1"
    web.answers[url] = answer
    web.headers[url] = [("location", "/")]
    again(tmp_path, web, clock, 0)
    for _ in range(9):
        again(tmp_path, web, clock, 30 * DAY)
    again(tmp_path, web, clock, days * DAY)
    assert url in web.asked()
    again(tmp_path, web, clock, (days - 2) * DAY)
    assert url not in web.asked()
    web.answers[url] = []
    again(tmp_path, web, clock, 3 * DAY)
    again(tmp_path, web, clock, DAY)
    assert url in web.asked()
    assert states(tmp_path)[url][0] == State.STORED


@pytest.mark.requirement(224)
def test_a_page_that_was_missing_once_keeps_its_time(tmp_path: Path) -> None:
    """A 304 after a 404 confirms the page; its sitemap's word on changes holds again."""
    web, clock, url = site(2), Clock(), f"{HOST}/1"
    web.sitemaps = {f"{HOST}/sitemap.xml": WEEKLY}
    again(tmp_path, web, clock, 0)
    asked = []
    for day, answer in ((7, 404), (8, 304), (9, 304), (15, 304)):
        web.answers[url] = answer
        again(tmp_path, web, clock, day * DAY + EPOCH - clock.now)
        asked += [day] * (url in web.asked())
    assert asked == [7, 8, 15]


def test_what_changes_rests_less(tmp_path: Path) -> None:
    """Down to an hour."""
    web, clock, url = site(2), Clock(), f"{HOST}/1"
    again(tmp_path, web, clock, 0)
    for visit, rest in enumerate([24.0, 12.0, 6.0, 3.0, 1.5, 1.0, 1.0]):
        web.said = {url: {"fingerprint": str(visit).encode(), "content": reading(str(visit), []).content}}
        again(tmp_path, web, clock, 0.8 * rest * 3600, Limits(due_only=True))
        assert url not in web.asked()
        again(tmp_path, web, clock, 0.1 * rest * 3600, Limits(due_only=True))
        assert url in web.asked()
    assert states(tmp_path)[url][0] == State.STORED
