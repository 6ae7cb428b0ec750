"""Keeps the alarms and the messages that wait to be sent, over kills, processes and machines.

They are in a side database. What rules find and the messages that follow are one transaction, so that each
alarm is queued once, and once again when it is over.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import sqlalchemy as sa

from engine.alerts.alert import Alert, AlertKind, Finding
from engine.alerts.lifecycle import AlertRow, advance, forget
from engine.database import alerts, outbox, replace_row

MAX_ALERTS = 1_000  # that are kept; further ones are not taken up
MAX_WAITING = 10_000  # messages that wait for receivers; the oldest are dropped
_ROW = [alerts.c[name] for name in AlertRow._fields]
_MESSAGE = [outbox.c[name] for name in Alert._fields]


class QueuedMessage(NamedTuple):
    """A message that waits for one receiver."""

    number: int
    tries: int  # that failed
    alert: Alert


def record_findings(
    connection: sa.Connection, findings: Iterable[Finding], channels: Sequence[str], now: float
) -> list[Alert]:
    """Records what the rules found; returns what is told of it, which is queued for each channel.

    In the caller's transaction, outside of which no one writes.
    """
    told: list[Alert] = []
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


def queue(connection: sa.Connection, channel: str, told: Iterable[Alert], now: float) -> None:
    """Queues messages for a channel."""
    if rows := [{**one._asdict(), "channel": channel, "tries": 0, "next_at": now} for one in told]:
        connection.execute(sa.insert(outbox), rows)
    last = sa.select(sa.func.max(outbox.c.number)).scalar_subquery()
    connection.execute(sa.delete(outbox).where(outbox.c.number <= last - MAX_WAITING))


def load_open(connection: sa.Connection) -> list[Alert]:
    """Loads the open alarms that the operator was told of, oldest first."""
    rows = (row for row in _load_rows(connection).values() if row.is_open)
    return sorted((row.to_alert("open") for row in rows), key=lambda alert: (alert.since, alert.subject))


def find_due(connection: sa.Connection, channel: str, now: float) -> QueuedMessage | None:
    """Finds the next message to send by a channel, None when none is due.

    In the order in which they were queued; the end of an alarm not before its begin.
    """
    begin = outbox.alias()
    earlier = sa.exists().where(
        begin.c.channel == outbox.c.channel, begin.c.id == outbox.c.id, begin.c.number < outbox.c.number
    )
    query = sa.select(outbox.c.number, outbox.c.tries, *_MESSAGE).where(
        outbox.c.channel == channel, outbox.c.next_at <= now, ~earlier
    )
    row = connection.execute(query.order_by(outbox.c.tries, outbox.c.number).limit(1)).first()
    if row is None:
        return None
    alert = Alert(*row[2:])
    return QueuedMessage(row.number, row.tries, alert._replace(kind=AlertKind(alert.kind)))


def drop(connection: sa.Connection, message: QueuedMessage) -> None:
    """Drops a message that was sent, or given up."""
    connection.execute(sa.delete(outbox).where(outbox.c.number == message.number))


def postpone(connection: sa.Connection, message: QueuedMessage, until: float) -> None:
    """Postpones a message that could not be sent."""
    change = sa.update(outbox).where(outbox.c.number == message.number)
    connection.execute(change.values(tries=outbox.c.tries + 1, next_at=until))


def drop_other_channels(connection: sa.Connection, channels: Sequence[str]) -> None:
    """Drops what waits for channels that crawl.toml does not name any more."""
    connection.execute(sa.delete(outbox).where(outbox.c.channel.not_in(channels)))


def _apply(
    connection: sa.Connection,
    rows: dict[tuple[str, str], AlertRow],
    key: tuple[str, str],
    step: tuple[AlertRow | None, list[Alert]],
) -> list[Alert]:
    """Writes what has changed of an alarm; returns what is told of it."""
    row, told = step
    if row is None:
        rows.pop(key, None)
        kind, subject = key
        connection.execute(sa.delete(alerts).where(alerts.c.kind == kind, alerts.c.subject == subject))
    elif row != rows.get(key):
        rows[key] = row
        connection.execute(replace_row(alerts, row._asdict()))
    return told


def _load_rows(connection: sa.Connection) -> dict[tuple[str, str], AlertRow]:
    rows = (AlertRow(*row) for row in connection.execute(sa.select(*_ROW)))
    return {(row.kind, row.subject): row for row in rows}
