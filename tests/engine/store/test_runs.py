"""The run log."""

import pytest
import sqlalchemy as sa

from engine.database import runs
from engine.store import runs as store_runs
from engine.store.runs import (
    end_run,
    load_last_run,
    load_run,
    record_heartbeat,
    save_examples,
    save_round,
    start_run,
)


def test_the_first_example_of_a_rule_stays(connection: sa.Connection) -> None:
    """Of the run, however often it goes on: whoever looks again finds the same URL."""
    run = start_run(connection, "crawl", 0.0)
    save_examples(connection, run, {"cgi": "http://h.example/a", "depth": "http://h.example/b"})
    save_examples(connection, run, {"cgi": "http://h.example/z", "scope": "http://h.example/c"})
    assert load_run(connection, run).examples == {
        "cgi": "http://h.example/a",
        "depth": "http://h.example/b",
        "scope": "http://h.example/c",
    }


def runs_left(connection: sa.Connection) -> list[int]:
    return list(connection.execute(sa.select(runs.c.id).order_by(runs.c.id)).scalars())


def begin_ended(connection: sa.Connection, kind: str, now: float, of: int = 0) -> int:
    """A run that begins and ends, in the round of another or its own."""
    number = start_run(connection, kind, now)
    save_round(connection, number, of or number)
    end_run(connection, number, now, "finished")
    return number


def test_old_runs_are_deleted(connection: sa.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each kind so many stay; a number is not given a second time."""
    monkeypatch.setattr(store_runs, "KEPT_RUNS", 3)
    rebuild = begin_ended(connection, "rebuild", 0.0)
    numbers = [begin_ended(connection, "crawl", float(n)) for n in range(10)]
    assert runs_left(connection) == [rebuild, *numbers[-3:]]
    assert start_run(connection, "crawl", 10.0) == numbers[-1] + 1
    last = load_last_run(connection, "rebuild")
    assert last
    assert last.id == rebuild, "the last of a kind stays, however long ago it was"


def test_old_runs_stay_while_somebody_needs_them(
    connection: sa.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that lives writes into its row, and reads when its round began."""
    monkeypatch.setattr(store_runs, "KEPT_RUNS", 3)
    first = begin_ended(connection, "crawl", 0.0)
    living = start_run(connection, "crawl", 1.0)
    save_round(connection, living, first)
    dead = start_run(connection, "crawl", 2.0)
    for n in range(10):
        record_heartbeat(connection, living, 100.0 * n, {})
        begin_ended(connection, "crawl", 100.0 * n)
    assert runs_left(connection)[:2] == [first, living]
    assert dead not in runs_left(connection)
    assert load_run(connection, first).started_at == 0.0
    end_run(connection, living, 1_000.0, "finished")
    for n in range(5):
        begin_ended(connection, "crawl", 1_000.0 + n)
    assert len(runs_left(connection)) == 3
