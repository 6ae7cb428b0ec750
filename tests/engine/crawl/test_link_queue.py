"""Long sitemaps are taken in piece by piece: each URL once, and whoever waits has his turn between two."""

import asyncio
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.crawl import link_queue
from engine.crawl.link_queue import MAX_ENTRIES, split_sitemap
from engine.model.page import Claim, Fetch, Purpose, State, Visit
from engine.robots import Entry, Sitemap
from pipelines.store import StorePipeline
from tests.crawling import EPOCH, HOST, Clock, Web, crawl_of, run, states
from tests.simulation.test_sitemaps import MAP, day, entry, urlset

DAY = 86_400.0


def visit_of(entries: int, children: int) -> Visit:
    named = tuple(Entry(f"{HOST}/{number}") for number in range(max(entries, children)))
    sitemap = Sitemap(named[:entries], named[:children], ("line 1: odd",))
    return Visit(Fetch(Claim(1, MAP, HOST, kind=Purpose.SITEMAP), 200), State.STORED, sitemap=sitemap)


@settings(max_examples=30)
@given(entries=st.integers(0, 3 * MAX_ENTRIES + 1), children=st.integers(0, 2 * MAX_ENTRIES + 1))
def test_pieces_make_the_whole(entries: int, children: int) -> None:
    visit = visit_of(entries, children)
    found = [one.sitemap for one in split_sitemap(visit) if one.sitemap]
    assert visit.sitemap
    assert tuple(one for piece in found for one in piece.entries) == visit.sitemap.entries
    assert tuple(one for piece in found for one in piece.sitemaps) == visit.sitemap.sitemaps
    assert [piece.warnings for piece in found if piece.warnings] == [visit.sitemap.warnings]
    assert all(len(piece.entries) <= MAX_ENTRIES for piece in found)
    assert all(len(piece.sitemaps) <= MAX_ENTRIES for piece in found)


def test_a_visit_without_a_sitemap_is_one_piece() -> None:
    visit = Visit(Fetch(Claim(1, f"{HOST}/", HOST), 200), State.STORED)
    assert list(split_sitemap(visit)) == [visit]


@pytest.mark.requirement(238)
@pytest.mark.parametrize("most", [2, 2_000])
def test_what_has_changed_is_asked_again_whatever_piece_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """The first of five entries and the last are newer than our visit, the others older."""
    monkeypatch.setattr(link_queue, "MAX_ENTRIES", most)
    paths, clock = [f"/{name}" for name in "abcde"], Clock()
    pages: dict[str, list[str]] = {f"{HOST}{path}": [] for path in paths}
    web = Web({f"{HOST}/": [f"{HOST}{path}" for path in paths], **pages})
    run(crawl_of(tmp_path, clock), web, clock)
    clock.now += 3 * DAY
    said = [day(EPOCH + (DAY if path in ("/a", "/e") else -DAY)) for path in paths]
    listed = [entry(path, lastmod=when) for path, when in zip(paths, said, strict=True)]
    web = replace(web, sitemaps={MAP: urlset(*listed)}, log=[])
    run(crawl_of(tmp_path, clock), web, clock)
    assert {f"{HOST}/a", f"{HOST}/e"} <= set(web.asked())
    assert not {f"{HOST}/b", f"{HOST}/c", f"{HOST}/d"} & set(web.asked())


def test_others_have_their_turn_between_two_pieces() -> None:
    """All answers of a crawl come by one event loop."""
    turns = list[str]()

    async def other() -> None:
        for _ in range(3):
            turns.append("other")
            await asyncio.sleep(0)

    async def both() -> None:
        crawl = SimpleNamespace(
            run=SimpleNamespace(responses=None),
            queue_entries=lambda _: turns.append("piece"),
            finish=lambda _: turns.append("last"),
        )
        station = StorePipeline(SimpleNamespace(spider=SimpleNamespace(crawl=crawl)))  # type: ignore[arg-type]
        await asyncio.gather(station.process_item(visit_of(3 * MAX_ENTRIES, 0)), other())

    asyncio.run(both())
    assert turns == ["piece", "other", "piece", "other", "last", "other"]


@pytest.mark.requirement(25)
def test_a_kill_between_two_pieces_has_the_sitemap_asked_again(tmp_path: Path) -> None:
    """What was taken in stays; the sitemap is queued until its last piece is committed."""
    clock = Clock()
    crawl = crawl_of(tmp_path, clock)
    robots = crawl.claim()
    assert robots
    crawl.record_robots(Fetch(robots, 404, at=clock.now))
    while not (claim := crawl.claim()):
        clock.now += crawl.seconds_to_next() or 1.0
    assert claim.url == MAP
    crawl.queue_entries(
        next(split_sitemap(replace(visit_of(2 * MAX_ENTRIES, 0), fetch=Fetch(claim, 200, at=clock.now))))
    )
    found = states(tmp_path)
    assert found[MAP] == (State.QUEUED, "")
    assert len(found) > MAX_ENTRIES
