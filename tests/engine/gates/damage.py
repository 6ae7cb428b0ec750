"""Damage to a crawl database, and what the gates say of an index that is made of it."""

from pathlib import Path

import sqlalchemy as sa

from engine.database import open_database, write_transaction

A, B = "http://a.example", "http://b.example"
OF_B = "WHERE url LIKE 'http://b.example/%'"
LOST_PAGES = f"DELETE FROM pages WHERE url_id IN (SELECT id FROM urls {OF_B})"
DAMAGE = [
    ([f"DELETE FROM changes {OF_B}"], f"{B} has 0 documents of 6 pages", "the index was not told of pages"),
    ([LOST_PAGES], f"{B} (0 of 6 documents are left", "texts are lost; the URLs are said to be stored"),
    ([LOST_PAGES, f"DELETE FROM urls {OF_B}"], f"{B} (0 of 6 documents are left", "all of the host is lost"),
    (
        ["DELETE FROM changes WHERE url = 'http://a.example/3'"],
        f"{A} has 7 documents of 8 pages",
        "a single page",
    ),
]


def sql(data: Path, *statements: str) -> None:
    """Damage to the crawl database, as by a disk or by a hand."""
    database = open_database(data)
    with write_transaction(database) as connection:
        for statement in statements:
            connection.execute(sa.text(statement))
    database.dispose()
