"""Second and third crawls on a fake clock: only what changed changes, and what rests is left to rest."""

from pathlib import Path

import pytest

from engine.crawl import Crawl, Limits
from engine.page import State
from engine.robots import Directives
from tests.crawling import HOST, Clock, Web, crawl_of, reading, run, states

DAY = 86_400.0
PAGES = 60


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


def test_a_second_crawl_of_an_unchanged_site(tmp_path: Path) -> None:
    """Requirements 73, 74: only 304s, no bodies, and the index has nothing to do."""
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
    """Architecture.md, 2: ten pages changed, three are 410, two noindex, two 404."""
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


@pytest.mark.parametrize(
    ("answer", "rests", "why"),
    [
        (304, [1, 2, 4, 8, 16, 30, 30], "nothing new: twice as long each time, thirty days at most"),
        (404, [1, 2, 4, 8, 16, 30, 30], "requirement 281: a stale URL is asked ever more rarely"),
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
        again(tmp_path, web, clock, 0.8 * rest * DAY, Limits(rested=True))
        assert url not in web.asked(), why
        again(tmp_path, web, clock, 0.1 * rest * DAY, Limits(rested=True))
        assert url in web.asked(), why


def test_what_changes_rests_less(tmp_path: Path) -> None:
    """Down to an hour."""
    web, clock, url = site(2), Clock(), f"{HOST}/1"
    again(tmp_path, web, clock, 0)
    for visit, rest in enumerate([24.0, 12.0, 6.0, 3.0, 1.5, 1.0, 1.0]):
        web.said = {url: {"fingerprint": str(visit).encode(), "content": reading(str(visit), []).content}}
        again(tmp_path, web, clock, 0.8 * rest * 3600, Limits(rested=True))
        assert url not in web.asked()
        again(tmp_path, web, clock, 0.1 * rest * 3600, Limits(rested=True))
        assert url in web.asked()
    assert states(tmp_path)[url][0] == State.STORED
