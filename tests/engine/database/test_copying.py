"""All rows of a crawl database arrive in another, as they are, whichever of the two each is."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from engine.database import (
    changes,
    copy_database,
    is_empty,
    log_change,
    metadata,
    open_database,
    pages,
    read_uuid,
    write_uuid,
)
from engine.database.copying import BATCH_BYTES, _read_batches
from tests.engine.database.rows import NUMBERS, content, fill, odd_rows

Open = Callable[[str], sa.Engine]

BOTH = [
    ("file", "file"),
    *(
        pytest.param(*pair, marks=pytest.mark.postgresql)
        for pair in (("server", "file"), ("file", "server"), ("server", "server"))
    ),
]


@pytest.fixture
def opened(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Open]:
    """Opens a new database, a file or one of a server."""
    engines = list[sa.Engine]()

    def open_new(kind: str) -> sa.Engine:
        location: Path | str = tmp_path / str(len(engines))
        if kind == "server":
            location = request.getfixturevalue("postgresql_server").create_database()
        engines.append(open_database(location))
        return engines[-1]

    yield open_new
    for engine in engines:
        engine.dispose()


def copy(source: sa.Engine, target: sa.Engine) -> dict[str, int]:
    with source.connect() as rows, target.begin() as connection:
        return copy_database(rows, connection)


@pytest.mark.parametrize(("of", "to"), BOTH)
def test_all_rows_are_copied(opened: Open, of: str, to: str) -> None:
    """What the target had is gone."""
    source, target = opened(of), opened(to)
    fill(source)
    with target.begin() as connection:
        connection.execute(sa.insert(changes), {"seq": 5, "url": "of the target"})
    assert copy(source, target) == {table.name: len(odd_rows(table)) for table in metadata.sorted_tables}
    found = content(target)
    for table in metadata.sorted_tables:
        assert found[table.name] == sorted(odd_rows(table), key=lambda row: key(table, row)), table.name
    assert content(source) == found


def key(table: sa.Table, row: dict[str, Any]) -> list[Any]:
    return [row[column.name] for column in table.primary_key]


@pytest.mark.parametrize(("of", "to"), BOTH)
def test_later_numbers_are_above_all_that_were_given(opened: Open, of: str, to: str) -> None:
    """Also above the one of a row that is gone: an index has read it."""
    source, target = opened(of), opened(to)
    fill(source)
    with source.begin() as connection:
        connection.execute(sa.insert(changes), {"seq": 2**41, "url": "gone"})
        if of == "server":
            connection.exec_driver_sql(f"SELECT setval('changes_seq_seq', {2**41})")
        connection.execute(sa.delete(changes).where(changes.c.url == "gone"))
    copy(source, target)
    with target.begin() as connection:
        connection.execute(log_change().values(url="new"))
        number = connection.execute(sa.select(changes.c.seq).where(changes.c.url == "new")).scalar_one()
        assert number == 2**41 + 1
        for table in metadata.sorted_tables:
            if (column := table.autoincrement_column) is not None and table is not changes:
                row = odd_rows(table)[1] | {"url": "n", "target": "n"} | {"host": "n"}
                known = {name: value for name, value in row.items() if name in table.c and name != "id"}
                connection.execute(sa.insert(table), known)
                highest = connection.execute(sa.select(sa.func.max(column))).scalar_one()
                assert highest == NUMBERS[-1] + 1, table.name


@pytest.mark.parametrize(("of", "to"), BOTH)
def test_nothing_is_copied_of_an_empty_one(opened: Open, of: str, to: str) -> None:
    """But its identity; and the first number is 1 again."""
    source, target = opened(of), opened(to)
    fill(target)
    copied = copy(source, target)
    assert copied.pop("identity") == 1
    assert set(copied.values()) == {0}
    with source.connect() as one, target.begin() as other:
        assert is_empty(other)
        assert read_uuid(one) == read_uuid(other)
        other.execute(log_change().values(url="new"))
        assert other.execute(sa.select(changes.c.seq)).scalar_one() == 1


@pytest.mark.parametrize("kind", ["file", pytest.param("server", marks=pytest.mark.postgresql)])
def test_what_is_read_at_once_is_little(opened: Open, kind: str) -> None:
    """Pages of a megabyte, of which memory is not to hold all."""
    engine, (page, *_) = opened(kind), odd_rows(pages)
    large = page | {"content": bytes(1_000_000), "fingerprint": b""}
    with engine.begin() as connection:
        connection.execute(sa.insert(pages), [large | {"url_id": number} for number in range(1, 11)])
        found = [[row["url_id"] for row in rows] for rows in _read_batches(connection, pages)]
    assert BATCH_BYTES == 4_000_000
    assert found == [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10]]


@pytest.mark.parametrize("name", [table.name for table in metadata.sorted_tables])
def test_a_row_of_any_table_is_something(opened: Open, name: str) -> None:
    """A removal's receipt, too; but for the identity, which every database has from its beginning."""
    engine, table = opened("file"), metadata.tables[name]
    with engine.begin() as connection:
        assert is_empty(connection)
        if name == "identity":
            write_uuid(connection, "another")
            assert read_uuid(connection) == "another"
        else:
            connection.execute(sa.insert(table), odd_rows(table)[0])
        assert is_empty(connection) == (name == "identity")
