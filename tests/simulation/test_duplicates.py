"""Copies in a crawl: the first of them stands, the others are its aliases, and nothing is lost for good."""

from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.database import open_database, urls, write_transaction
from engine.model.page import COPY, NEAR_COPY, Claim, Fetch, State, Visit
from engine.workers.body import read_body
from tests.crawling import HOST, Clock, Web, crawl_of, run, states
from tests.simulation.mirrors import in_index
from tests.web.scripted import prose

DAY = 86_400.0


def said(path: str, *blocks: str, title: str = "Title") -> dict[str, object]:
    """What is read of a page with these blocks."""
    body = f"<title>{title}</title>" + "".join(f"<p>{block}</p>" for block in blocks)
    read = read_body(body.encode(), f"{HOST}{path}", "text/html", [])
    return {name: getattr(read, name) for name in ("fingerprint", "shape", "near", "language", "content")}


def pair(*blocks: str, title: str = "Title") -> Web:
    """A page whose only link leads to another with these blocks, which links to one more."""
    answers: dict[str, int | list[str]] = {
        f"{HOST}/": [f"{HOST}/one"],
        f"{HOST}/one": [f"{HOST}/two"],
        f"{HOST}/two": [f"{HOST}/behind"],
        f"{HOST}/behind": [],
    }
    web = Web(answers)
    web.said[f"{HOST}/one"] = said("/one", prose("x"), prose("y"), "Visitors: 1,234")
    web.said[f"{HOST}/two"] = said("/two", *blocks, title=title)
    return web


TEXT = (prose("x"), prose("y"))
CASES = [
    (pair(*TEXT, "Visitors: 1,234"), COPY, "the same text"),
    (pair(*TEXT, "Visitors: 1,235"), NEAR_COPY, "a visit counter"),
    (pair(TEXT[0], "An advert for hats", TEXT[1]), NEAR_COPY, "an advert, and no counter"),
    (pair(*TEXT, "Visitors: 1,235", title="Other"), "", "another title"),
    (pair(*TEXT, "Visitors: none"), "", "another word"),
]


@pytest.mark.slow
@pytest.mark.requirement(55, 58)
@pytest.mark.parametrize(("web", "reason", "why"), CASES)
@pytest.mark.parametrize("batch", [1, 50], ids=["stored", "pending"])
def test_a_copy_is_an_alias_whose_links_are_not_crawled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, batch: int, web: Web, reason: str, why: str
) -> None:
    """Whether what it is a copy of is in the database, or on its way there."""
    monkeypatch.setattr("engine.crawl.pending.BATCH_VISITS", batch)
    clock = Clock()
    crawl = crawl_of(tmp_path, clock, own=True)
    run(crawl, web, clock)
    assert states(tmp_path)[f"{HOST}/two"] == ((State.ALIAS, reason) if reason else (State.STORED, "")), why
    assert (f"{HOST}/two" in in_index(crawl), f"{HOST}/behind" in states(tmp_path)) == (not reason,) * 2
    assert crawl.counters.counts["duplicates"] == bool(reason)


def test_a_copy_that_is_none_any_more_is_a_page(tmp_path: Path) -> None:
    clock, web = Clock(), pair(*TEXT, "Visitors: 1,235")
    run(crawl_of(tmp_path, clock, own=True), web, clock)
    web.said[f"{HOST}/two"] = said("/two", *TEXT, "News: hats are in fashion again")
    web.said[f"{HOST}/one"] = said("/one", *TEXT, "News: coats are in fashion again")
    clock.now += DAY
    again = crawl_of(tmp_path, clock, own=True)
    run(again, web, clock)
    assert states(tmp_path)[f"{HOST}/two"] == (State.STORED, "")
    assert {f"{HOST}/two", f"{HOST}/behind"} <= in_index(again)


@pytest.mark.requirement(58)
def test_what_another_run_has_stored_meanwhile_is_seen_at_the_commit(tmp_path: Path) -> None:
    """Where several crawl."""
    clock, web = Clock(), pair(prose("z"))
    crawl = crawl_of(tmp_path, clock, own=True)
    run(crawl, web, clock)
    body = f"<title>Title</title><p>{TEXT[0]}<p>{TEXT[1]}<p>Visitors: 7"
    read = read_body(body.encode(), f"{HOST}/new", "text/html", [])
    visit = Visit(Fetch(Claim(9, f"{HOST}/new", HOST), 200), State.STORED, reading=read)
    with crawl.store.engine.connect() as connection:
        (found,) = crawl.canonical_choice.recheck_duplicates(connection, [visit])
    assert (found.reason, found.target, found.reading) == (
        NEAR_COPY,
        f"{HOST}/one",
        replace(read, outlinks=()),
    )


@pytest.mark.requirement(55)
@pytest.mark.parametrize("reason", [COPY, NEAR_COPY])
def test_when_the_page_that_stands_leaves_a_copy_comes_back(tmp_path: Path, reason: str) -> None:
    """In the same crawl, although the copy was asked before the page that is gone."""
    clock, web = Clock(), pair(*TEXT, "Visitors: 1,234" if reason == COPY else "Visitors: 9")
    web.answers[f"{HOST}/"] = [f"{HOST}/one", f"{HOST}/two"]
    web.answers[f"{HOST}/behind"] = [f"{HOST}/three"]
    web.answers[f"{HOST}/three"] = []
    web.said[f"{HOST}/three"] = web.said[f"{HOST}/two"]
    run(crawl_of(tmp_path, clock, own=True), web, clock)
    assert states(tmp_path)[f"{HOST}/two"] == (State.ALIAS, reason)
    web.answers[f"{HOST}/one"] = 410
    clock.now += DAY
    database = open_database(tmp_path)
    with write_transaction(database) as connection:
        # The copy goes first.
        connection.execute(sa.update(urls).where(urls.c.url == f"{HOST}/one").values(depth=9))
    database.dispose()
    again = crawl_of(tmp_path, clock, own=True)
    run(again, web, clock)
    found = states(tmp_path)
    assert (found[f"{HOST}/one"][0], found[f"{HOST}/two"]) == (State.GONE, (State.STORED, ""))
    assert {f"{HOST}/two", f"{HOST}/behind"} <= in_index(again)
    assert found[f"{HOST}/three"] == (State.ALIAS, COPY), "the others are its copies now"
    assert not again.frontier.waiting
