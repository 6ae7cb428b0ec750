"""One statement for many rows, in a file and on a server: what each leaves is the same."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from engine.database import (
    BulkStatement,
    Given,
    hosts,
    is_among,
    list_table,
    open_database,
    pages,
    urls,
    write_transaction,
)
from engine.model import State

NAMES = ("url", "host_id", "state", "found_at", "etag", "status", "listed")
ROW: Mapping[str, Any] = {
    "url": "http://h.example/",
    "host_id": 1,
    "state": "queued",
    "found_at": 0.0,
    "etag": "",
    "status": None,
    "listed": None,
}


def insert_urls(row: Given) -> sa.Insert:
    new = sa.select(*(row[name] for name in NAMES)).where(sa.true())
    return insert(urls).from_select(NAMES, new).on_conflict_do_nothing()


def update_urls(row: Given) -> sa.Update:
    return sa.update(urls).where(urls.c.url == row["of"]).values(status=row["status"], etag=urls.c.etag + "!")


INSERT = BulkStatement(insert_urls, {name: urls.c[name] for name in NAMES})
UPDATE = BulkStatement(update_urls, {"of": urls.c.url, "status": urls.c.status})


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[sa.Engine]:
    is_server = request.param == "postgresql"
    opened = open_database(request.getfixturevalue("database_url") if is_server else tmp_path)
    with write_transaction(opened) as connection:
        connection.execute(sa.insert(hosts), {"id": 1, "host": "http://h.example"})
    yield opened
    opened.dispose()


def load(connection: sa.Connection, *columns: sa.Column[Any]) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in connection.execute(sa.select(*columns).order_by(urls.c.url))]


@pytest.mark.parametrize(
    ("rows", "column", "found", "why"),
    [
        ([], urls.c.url, [], "no row is no statement"),
        ([ROW], urls.c.url, ["http://h.example/"], "one"),
        ([ROW, ROW], urls.c.url, ["http://h.example/"], "what is there stays, within the rows, too"),
        ([ROW, {**ROW, "url": "b", "status": 7}], urls.c.status, [7, None], "null among numbers"),
        ([ROW, {**ROW, "url": "b", "listed": True}], urls.c.listed, [True, None], "and among booleans"),
        ([{**ROW, "state": State.GONE}, {**ROW, "url": "b"}], urls.c.state, ["queued", "gone"], "two types"),
        ([{**ROW, "found_at": 1}, {**ROW, "url": "b"}], urls.c.found_at, [0.0, 1.0], "and of numbers"),
        ([{**ROW, "etag": '{"a",b}\\'}], urls.c.etag, ['{"a",b}\\'], "what arrays are written with"),
        ([{**ROW, "etag": "NULL"}], urls.c.etag, ["NULL"], "a word of theirs"),
        (
            [{**ROW, "status": 1}, {**ROW, "url": "b", "status": 1 << 30}],
            urls.c.status,
            [1 << 30, 1],
            "sizes",
        ),
        ([{**ROW, "etag": "\U0001f577é"}], urls.c.etag, ["\U0001f577é"], "beyond ASCII"),
    ],
)
def test_rows(
    engine: sa.Engine, rows: Sequence[Mapping[str, Any]], column: sa.Column[Any], found: list[Any], why: str
) -> None:
    with write_transaction(engine) as connection:
        INSERT.execute(connection, rows)
        assert [value for (value,) in load(connection, column)] == found, why


@pytest.mark.postgresql
def test_a_zero_within_an_array(database_url: str) -> None:
    """PostgreSQL has no U+0000, neither alone nor among others."""
    opened = open_database(database_url)
    with write_transaction(opened) as connection:
        connection.execute(sa.insert(hosts), {"id": 1, "host": "http://h.example"})
        INSERT.execute(connection, [{**ROW, "etag": "a\0b"}, {**ROW, "url": "b"}])
        assert load(connection, urls.c.etag) == [("",), ("a\ufffdb",)]
    opened.dispose()


def test_an_update_is_of_the_rows_it_names(engine: sa.Engine) -> None:
    with write_transaction(engine) as connection:
        INSERT.execute(connection, [{**ROW, "url": url} for url in "abc"])
        UPDATE.execute(
            connection, [{"of": "a", "status": 200}, {"of": "c", "status": None}, {"of": "d", "status": 1}]
        )
        assert load(connection, urls.c.url, urls.c.status, urls.c.etag) == [
            ("a", 200, "!"),
            ("b", None, ""),
            ("c", None, "!"),
        ]


def test_octets(engine: sa.Engine) -> None:
    """Of all values, as pages are packed."""
    every = bytes(range(256))

    def save(row: Given) -> sa.Insert:
        names = ("url_id", "fetched_at", "language", "media_type", "fingerprint", "content")
        given = row["url_id"], sa.literal(0.0), sa.literal(""), sa.literal(""), row["content"], row["content"]
        return sa.insert(pages).from_select(names, sa.select(*given))

    statement = BulkStatement(save, {"url_id": pages.c.url_id, "content": pages.c.content})
    with write_transaction(engine) as connection:
        INSERT.execute(connection, [{**ROW, "url": url} for url in "ab"])
        numbers = [number for (number,) in load(connection, urls.c.id)]
        statement.execute(connection, [{"url_id": one, "content": every} for one in numbers])
        assert connection.execute(sa.select(pages.c.content)).scalars().all() == [every, every]


@pytest.mark.parametrize(
    ("wanted", "found", "why"),
    [
        ([], [], "none"),
        (["b"], ["b"], "one"),
        (["c", "a", "a", "x"], ["a", "c"], "some, and one that is not there"),
        (['"', "{}", "a"], ["a"], "what lists are written with"),
        ([f"{n}" for n in range(40_000)] + ["b"], ["b"], "more than a statement has parameters"),
    ],
)
def test_values_of_a_list(engine: sa.Engine, wanted: list[str], found: list[str], why: str) -> None:
    query = sa.select(urls.c.url).where(is_among(urls.c.url, "wanted")).order_by(urls.c.url)
    with write_transaction(engine) as connection:
        INSERT.execute(connection, [{**ROW, "url": url} for url in "abc"])
        assert connection.execute(query, {"wanted": wanted}).scalars().all() == found, why


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ([], "none"),
        (["b"], "one"),
        (["c", "a", "a"], "as they come, twice, too"),
        (['"', "{}"], "signs of lists"),
    ],
)
def test_a_table_of_a_list(engine: sa.Engine, given: list[str], why: str) -> None:
    table = list_table("given", urls.c.url.type)
    with write_transaction(engine) as connection:
        rows = connection.execute(sa.select(table.c.value + "!"), {"given": given})
        assert rows.scalars().all() == [f"{one}!" for one in given], why


def test_a_file_looks_values_up_in_its_index(tmp_path: Path) -> None:
    """It reads no table from end to end: of its lists SQLite does not know how short they are."""
    opened = open_database(tmp_path)
    query = sa.select(urls.c.state).where(is_among(urls.c.url, "wanted"))
    with opened.connect() as connection:
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query.compile(opened)}", ("[]",)).all()
    assert "SEARCH urls USING INDEX" in plan[0][3]
    opened.dispose()
