"""Whatever byte of a link graph's file becomes another: its rows are what they were, or it is found."""

import random
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from engine.linkgraph import (
    GraphLocation,
    GraphSchema,
    IndexPosition,
    find_graph_damages,
    load_index_position,
    open_clusters,
    open_link_graph,
    open_templates,
    save_index_position,
)
from engine.model.page import Link, Links
from tests.engine.linkgraph.conftest import NewGraph

PAGE, HEAD = 4_096, 100  # bytes: a page of SQLite's, and its head with the first cells' places
BROKEN = (sqlite3.Error, ValueError)  # ValueError: a name that is no text, in a complaint of SQLite's, too
# What is not held: pages that wait to be indexed again, and how many pages a host had when it was learned.
TABLES = {
    "names": "*",
    "outlinks": "*",
    "votes": "*",
    "said": "*",
    "stands": "*",
    "machines": "*",
    "copies": "*",
    "blocks": "*",
    "templates": "host, pages, changed, numbers",
}


def url(number: int) -> str:
    return f"http://h{number % 7}.example/{number}"


def fill(location: GraphLocation, pages: int = 60) -> None:
    """A link graph of some hosts, with copies, aliases, machines and templates; some pages came twice."""
    dice = random.Random(5)
    with (
        closing(open_link_graph(location)) as graph,
        closing(open_templates(location)) as templates,
        closing(open_clusters(location)) as clusters,
    ):
        for numbers in (range(pages), range(0, pages, 9)):
            links = {
                url(number): Links.of(
                    [Link(url(dice.randrange(pages)), f"words {dice.randrange(9)}") for _ in range(6)]
                )
                for number in numbers
            }
            graph.replace(links.items())
            templates.replace((one, frozenset({1, 2, dice.randrange(99)})) for one in links)
        graph.set_machines([(url(number), "192.0.2.1") for number in range(3)])
        graph.set_aliases([(url(number), url(number + 1)) for number in range(0, 20, 4)])
        clusters.update([(url(number), url(number + 2)) for number in range(0, 30, 5)])
        graph.replace([(url(3), None), (url(4), None)])
        templates.replace([(url(3), None), (url(4), None)])
        templates.learn()


def made(path: Path) -> Path:
    fill(path)
    return path


def rows(path: Path) -> dict[str, Any]:
    """All that is in it."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        tables = TABLES.items()
        return {table: connection.execute(f"SELECT {what} FROM {table}").fetchall() for table, what in tables}


def found(path: GraphLocation) -> list[str]:
    try:
        return list(find_graph_damages(path))
    except BROKEN as error:
        return [str(error)]


def silent(path: Path, places: Iterable[int]) -> list[int]:
    """Where two bytes may become others unnoticed though a row is another then."""
    whole, kept, dice, missed = rows(path), path.read_bytes(), random.Random(3), list[int]()
    for at in places:
        path.write_bytes(
            kept[:at] + bytes(one ^ dice.randrange(1, 256) for one in kept[at : at + 2]) + kept[at + 2 :]
        )
        if not found(path):
            try:
                same = rows(path) == whole
            except BROKEN:
                same = False
            if not same:
                missed.append(at)
    path.write_bytes(kept)
    return missed


def test_what_is_whole_is_found_whole(location: GraphLocation) -> None:
    assert found(location) == [], "an empty one"
    fill(location)
    assert found(location) == []


@pytest.mark.slow
def test_two_bytes_anywhere(tmp_path: Path) -> None:
    path = made(tmp_path / "links.db")
    dice = random.Random(1)
    assert silent(path, [*range(0, 130, 2), *dice.sample(range(path.stat().st_size - 1), 300)]) == []


FIRST = "WHERE {0} = (SELECT min({0}) FROM {1})"
CHANGES = [
    (
        "UPDATE templates SET pages = pages + 1 " + FIRST.format("host", "templates"),
        ["templates"],
        "its pages",
    ),
    (
        "UPDATE templates SET numbers = CAST(numbers || x'4142434445464748' AS BLOB)",
        ["templates"],
        "a block more",
    ),
    ("UPDATE votes SET pages = pages + 1 " + FIRST.format("target", "votes"), ["votes"], "a page more"),
    ("UPDATE said SET pages = pages + 1 " + FIRST.format("target", "said"), ["said"], "a page more says so"),
    ("DELETE FROM outlinks " + FIRST.format("source", "outlinks"), ["outlinks"], "a page less"),
    (
        "DELETE FROM blocks " + FIRST.format("page", "blocks"),
        ["blocks", "templates"],
        "the text of a page less",
    ),
    ("DROP INDEX copies_of", ["schema"], "an index less"),
    ("CREATE TABLE more (id)", ["schema"], "a table that is none of ours"),
]


@pytest.mark.parametrize(("change", "damages", "why"), CHANGES, ids=[why for *_, why in CHANGES])
def test_what_another_has_written_is_found(tmp_path: Path, change: str, damages: list[str], why: str) -> None:
    """SQLite's own check finds nothing wrong with it."""
    path = made(tmp_path / "links.db")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(change)
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert found(path) == damages, why


def test_how_far_the_index_has_come_is_never_taken_back(location: GraphLocation) -> None:
    """Of two that save it at once the later one may be first; each number stands for itself."""
    assert load_index_position(location) == IndexPosition()
    for reached in (IndexPosition(7, 90), IndexPosition(6, 80), IndexPosition(8, 85)):
        save_index_position(location, reached)
    assert load_index_position(location) == IndexPosition(8, 90)


@pytest.mark.long
def test_two_bytes_everywhere(tmp_path: Path) -> None:
    """Every two bytes of the heads of its pages, and 2,000 elsewhere."""
    path = made(tmp_path / "links.db")
    size, dice = path.stat().st_size, random.Random(2)
    heads = [page + at for page in range(0, size, PAGE) for at in range(HEAD)]
    assert silent(path, [*heads, *dice.sample(range(size - 1), 2_000)]) == []


IN_SCHEMA = [
    ("UPDATE templates SET pages = pages + 1 WHERE host = (SELECT min(host) FROM templates)", ["templates"]),
    ("UPDATE templates SET numbers = numbers || 5::bigint", ["templates"]),
    ("UPDATE votes SET pages = pages + 1 WHERE target = (SELECT min(target) FROM votes)", ["votes"]),
    ("UPDATE said SET pages = pages + 1 WHERE target = (SELECT min(target) FROM said)", ["said"]),
    ("DELETE FROM outlinks WHERE source = (SELECT min(source) FROM outlinks)", ["outlinks"]),
    ("DELETE FROM blocks WHERE page = (SELECT min(page) FROM blocks)", ["blocks", "templates"]),
    ("DROP INDEX copies_of", ["schema"]),
    ("CREATE TABLE more (id int)", ["schema"]),
    ("DROP TABLE stands", ["schema"]),
]


@pytest.mark.postgresql
@pytest.mark.parametrize(("change", "damages"), IN_SCHEMA, ids=[change for change, _ in IN_SCHEMA])
def test_what_another_has_written_is_found_on_a_server(
    new_schema: NewGraph, change: str, damages: list[str]
) -> None:
    import psycopg  # an extra

    schema = new_schema()
    assert isinstance(schema, GraphSchema)
    fill(schema)
    with psycopg.connect(schema.url, options=f"-c search_path={schema.name}") as connection:
        connection.execute(change.encode())
    assert found(schema) == damages
