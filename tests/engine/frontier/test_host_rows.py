"""Hosts in the crawl database: found by name, inserted in order, and never twice."""

from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.database import hosts, open_database, write_transaction
from engine.frontier.host_rows import insert_rows, load_rows

A, B, C = "http://a.example", "http://www.b.co.uk:8080", "http://c.example"


@pytest.mark.parametrize(
    ("known", "new", "stored", "why"),
    [
        ([], [], {}, "nothing is nothing"),
        ([], [B, A], {B: "b.co.uk", A: "a.example"}, "ids go by the order given, not by the names'"),
        ([C], [B, C], {C: "c.example", B: "b.co.uk"}, "who is there keeps its row"),
    ],
)
def test_inserting(
    tmp_path: Path, known: list[str], new: list[str], stored: dict[str, str], why: str
) -> None:
    engine = open_database(tmp_path)
    with write_transaction(engine) as connection:
        before = insert_rows(connection, known)
        inserted = insert_rows(connection, new)
        query = sa.select(hosts.c.host, hosts.c.domain).order_by(hosts.c.id)
        assert [tuple(row) for row in connection.execute(query)] == [*stored.items()], why
        assert {**before, **inserted} == load_rows(connection, [*stored, "http://unknown.example"]), why
    engine.dispose()


def test_a_row_knows_its_bucket(tmp_path: Path) -> None:
    engine = open_database(tmp_path)
    with write_transaction(engine) as connection:
        insert_rows(connection, [A, B])
        connection.execute(sa.update(hosts).where(hosts.c.host == B).values(place=7))
        rows = load_rows(connection, [A, B])
    engine.dispose()
    assert [(rows[name].id, rows[name].place) for name in (A, B)] == [(1, None), (2, 7)]
