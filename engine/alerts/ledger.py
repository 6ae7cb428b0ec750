"""Keeps the alarms of a data folder and the messages that wait to be sent, over kills and processes.

A small database beside the crawl's. What rules find and the messages that follow are one transaction, so that
each alarm is queued once, and once again when it is over.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from engine.alerts.alert import Alert, AlertKind, Finding
from engine.alerts.lifecycle import AlertRow, advance, forget
from engine.folder import open_side_database, transaction

ALERTS = "alerts.db"  # in the data folder
BUSY_SECONDS = 30.0  # a writer waits this long for another process
MAX_ALERTS = 1_000  # that are kept; further ones are not taken up
MAX_WAITING = 10_000  # messages that wait for receivers; the oldest are dropped

_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS alerts ({", ".join(AlertRow._fields)}, PRIMARY KEY (kind, subject)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS outbox (
    number INTEGER PRIMARY KEY AUTOINCREMENT, channel TEXT, tries INTEGER, next_at REAL,
    {", ".join(Alert._fields)}
);
"""
_SAVE = f"INSERT OR REPLACE INTO alerts VALUES ({', '.join(f':{name}' for name in AlertRow._fields)})"  # noqa: S608
_QUEUE = f"""
INSERT INTO outbox (channel, tries, next_at, {", ".join(Alert._fields)})
VALUES (:channel, 0, :now, {", ".join(f":{name}" for name in Alert._fields)})
"""  # noqa: S608 - names of ours
# In the order in which they were queued; the end of an alarm not before its begin.
_DUE = f"""
SELECT number, tries, {", ".join(Alert._fields)} FROM outbox AS one
WHERE channel = ? AND next_at <= ? AND NOT EXISTS (
    SELECT 1 FROM outbox WHERE channel = one.channel AND id = one.id AND number < one.number
) ORDER BY tries, number LIMIT 1
"""  # noqa: S608 - names of ours


class QueuedMessage(NamedTuple):
    """A message that waits for one receiver."""

    number: int
    tries: int  # that failed
    alert: Alert


@contextmanager
def open_ledger(data_dir: Path) -> Iterator[sqlite3.Connection]:
    """Opens the alarms of a data folder, made when they are not there. Raises sqlite3.Error."""
    with open_side_database(data_dir / ALERTS, _SCHEMA, BUSY_SECONDS) as connection:
        yield connection


def record_findings(
    connection: sqlite3.Connection, findings: Iterable[Finding], channels: Sequence[str], now: float
) -> list[Alert]:
    """Records what the rules found; returns what is told of it, which is queued for each channel."""
    told: list[Alert] = []
    with transaction(connection):
        rows = _load_rows(connection)
        for finding in findings:
            key = (str(finding.kind), finding.subject)
            if key in rows or len(rows) < MAX_ALERTS:
                told += _apply(connection, rows, key, advance(rows.get(key), finding, now))
        for key, row in list(rows.items()):
            told += _apply(connection, rows, key, forget(row, now))
        for channel in channels:
            queue(connection, channel, told, now)
    return told


def queue(connection: sqlite3.Connection, channel: str, alerts: Iterable[Alert], now: float) -> None:
    """Queues messages for a channel."""
    connection.executemany(_QUEUE, ({**alert._asdict(), "channel": channel, "now": now} for alert in alerts))
    connection.execute(
        "DELETE FROM outbox WHERE number <= (SELECT max(number) FROM outbox) - ?", (MAX_WAITING,)
    )


def load_open(connection: sqlite3.Connection) -> list[Alert]:
    """Loads the open alarms that the operator was told of, oldest first."""
    rows = (row for row in _load_rows(connection).values() if row.is_open)
    return sorted((row.to_alert("open") for row in rows), key=lambda alert: (alert.since, alert.subject))


def find_due(connection: sqlite3.Connection, channel: str, now: float) -> QueuedMessage | None:
    """Finds the next message to send by a channel, None when none is due."""
    row = connection.execute(_DUE, (channel, now)).fetchone()
    if row is None:
        return None
    number, tries, identity, status, kind, *rest = row
    return QueuedMessage(number, tries, Alert(identity, status, AlertKind(kind), *rest))


def drop(connection: sqlite3.Connection, message: QueuedMessage) -> None:
    """Drops a message that was sent, or given up."""
    connection.execute("DELETE FROM outbox WHERE number = ?", (message.number,))


def postpone(connection: sqlite3.Connection, message: QueuedMessage, until: float) -> None:
    """Postpones a message that could not be sent."""
    change = "UPDATE outbox SET tries = tries + 1, next_at = ? WHERE number = ?"
    connection.execute(change, (until, message.number))


def drop_other_channels(connection: sqlite3.Connection, channels: Sequence[str]) -> None:
    """Drops what waits for channels that crawl.toml does not name any more."""
    marks = ", ".join("?" for _ in channels)
    connection.execute(f"DELETE FROM outbox WHERE channel NOT IN ({marks})", tuple(channels))  # noqa: S608


def _apply(
    connection: sqlite3.Connection,
    rows: dict[tuple[str, str], AlertRow],
    key: tuple[str, str],
    step: tuple[AlertRow | None, list[Alert]],
) -> list[Alert]:
    """Writes what has changed of an alarm; returns what is told of it."""
    row, told = step
    if row is None:
        rows.pop(key, None)
        connection.execute("DELETE FROM alerts WHERE kind = ? AND subject = ?", key)
    elif row != rows.get(key):
        rows[key] = row
        connection.execute(_SAVE, row._asdict())
    return told


def _load_rows(connection: sqlite3.Connection) -> dict[tuple[str, str], AlertRow]:
    rows = (AlertRow(*row) for row in connection.execute("SELECT * FROM alerts"))
    return {(row.kind, row.subject): row for row in rows}
