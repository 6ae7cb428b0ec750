"""Copies in the crawl database: the same text, and keys that near duplicates share."""

from collections.abc import Sequence
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.database import NEAR, urls
from engine.model.page import Claim, Fetch, Page, Reading, State, Visit
from engine.packing.packing import pack
from engine.robots import Directives
from engine.store.copies import MOST_COMPARED, find_near_duplicates, find_representative, find_shared
from engine.store.page_store import Store

KEYS = (1, 2, 3, 4, 5, -(2**63))


def url(number: int) -> str:
    return f"http://h.example/{number}"


def store_of(folder: Path, *keys: tuple[int, ...]) -> Store:
    """A store with a page for each of these."""
    store = Store(folder)
    with store.engine.begin() as connection:
        for number, of in enumerate(keys, 1):
            row = {"id": number, "url": url(number), "host_id": 1, "state": "queued", "found_at": 0.0}
            connection.execute(sa.insert(urls), row)
            content = pack(Page(url(number), title=f"{number}"))
            reading = Reading("en", "text/html", Directives(), b"%d" % number, [], content, near=of)
            fetch = Fetch(Claim(number, url(number), "http://h.example"), 200)
            store.save(connection, [Visit(fetch, State.STORED, reading=reading)])
    return store


@pytest.mark.requirement(55)
def test_the_representative_of_a_text(tmp_path: Path) -> None:
    with store_of(tmp_path, ()).engine.connect() as connection:
        assert find_representative(connection, b"1", url(9)) == url(1)
        assert find_representative(connection, b"1", url(1)) == "", "a page is no copy of itself"
        assert find_representative(connection, b"2", url(9)) == ""


@pytest.mark.requirement(58)
def test_what_shares_a_key_is_found_the_likeliest_first(tmp_path: Path) -> None:
    one_shared = [(*range(-9, -9 + n), KEYS[n], *range(90, 95 - n)) for n in range(len(NEAR))]
    with store_of(tmp_path, *one_shared[:2], KEYS, (), (6, 7, 8, 9, 10, 11)).engine.connect() as connection:
        found = list(find_near_duplicates(connection, KEYS, url(9)))
        assert [page.url for page in found] == [url(3), url(1), url(2)]
        assert [page.title for page in found] == ["3", "1", "2"]
        assert [page.url for page in find_near_duplicates(connection, KEYS, url(3))] == [url(1), url(2)], (
            "not with itself"
        )
        assert not list(find_near_duplicates(connection, (), url(9))), "a short page has no keys"


def test_however_many_share_a_key_few_are_compared(tmp_path: Path) -> None:
    with store_of(tmp_path, *[KEYS] * 30).engine.connect() as connection:
        assert len(list(find_near_duplicates(connection, KEYS, url(99)))) == MOST_COMPARED


def test_who_shares_the_last_key_comes_first_in_any_crowd(tmp_path: Path) -> None:
    """Pages of one template share most keys; only a copy shares all shingles."""
    crowd = [(*KEYS[:-1], -n) for n in range(30)]
    with store_of(tmp_path, *crowd, KEYS).engine.connect() as connection:
        assert next(find_near_duplicates(connection, KEYS, url(99))).url == url(31)


@pytest.mark.parametrize(
    ("reason", "first", "why"),
    [
        ("near-duplicate", 29, "what represents it comes first in any crowd: it need not change each night"),
        ("duplicate", 29, "its text may have changed"),
        ("redirect", 1, "what it led to is another page"),
    ],
)
def test_what_represents_a_copy_is_compared_with_it(
    tmp_path: Path, reason: str, first: int, why: str
) -> None:
    with store_of(tmp_path, *[KEYS] * 30).engine.begin() as connection:
        alias = {"state": "alias", "reason": reason, "alias_of": url(29)}
        row = {"id": 99, "url": url(99), "host_id": 1, "found_at": 0.0}
        connection.execute(sa.insert(urls), row | alias)
        found = [page.url for page in find_near_duplicates(connection, KEYS, url(99))]
        assert found[0] == url(first), why
        assert len(found) == len({*found}) == MOST_COMPARED


@pytest.mark.sqlite
def test_the_indexes_answer(tmp_path: Path) -> None:
    """The time of a look-up does not grow with the pages: no step of its plan reads a whole table."""
    with store_of(tmp_path).engine.connect() as connection:
        statements: list[str] = []
        sa.event.listen(connection, "before_cursor_execute", lambda *call: statements.append(call[2]))
        list(find_near_duplicates(connection, KEYS, ""))
        rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statements[0]}", (*KEYS, "", ""))
        plan = [row[3] for row in rows]
    assert sum("SEARCH pages USING" in step and "INDEX pages_near_" in step for step in plan) == len(NEAR)
    assert not [step for step in plan if step in ("SCAN pages", "SCAN urls")]


@pytest.mark.parametrize(
    ("text", "near", "is_shared", "why"),
    [
        (b"2", (), True, "the same text"),
        (b"9", (*range(90, 95), KEYS[-1]), True, "one key of six"),
        (b"9", range(90, 96), False, "another text"),
        (b"9", (), False, "a short one, which has no keys"),
        (b"1", KEYS, True, "its own text, but the keys of two others"),
    ],
)
def test_what_may_be_a_copy_is_found_for_many_at_once(
    tmp_path: Path, text: bytes, near: Sequence[int], is_shared: bool, why: str
) -> None:
    with store_of(tmp_path, KEYS, KEYS, ()).engine.connect() as connection:
        found = find_shared(connection, {1: text, 3: b"3", 7: b"7"}, {1: near, 3: (), 7: ()})
    assert found == ({1} if is_shared else set()), why
