"""Sends the messages that wait, and those that failed again later; a receiver that fails stops nothing."""

import logging
import time
import uuid
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import sqlalchemy as sa

from engine.alerts import ledger
from engine.alerts.alert import Alert, AlertKind, Finding
from engine.alerts.channels import Channel, ChannelError
from engine.database import ALERTS, lock_side
from engine.errors import Busy, EngineError, Unreadable
from engine.monitor import span

PAUSES = (60.0, 300.0, 900.0, 3_600.0, 14_400.0)  # seconds until each further try
MAX_TRIES = len(PAUSES) + 1
ROUND_SECONDS = 60.0  # after which no more messages are sent in one go: the next look goes on

logger = logging.getLogger("lycosa")


def deliver(location: Path | str, channels: Mapping[str, Channel], now: float) -> None:
    """Sends what is due by each channel, unless another process does it now, on whichever machine.

    A message is dropped once it was sent. A kill between the two has it sent again with the same id.
    Raises Busy and Unreadable.
    """
    try:
        with lock_side(location, ALERTS) as connection:
            ledger.drop_other_channels(connection, tuple(channels))
            ends = time.monotonic() + ROUND_SECONDS
            for name, channel in channels.items():
                _send_due(connection, name, channel, now, lambda: time.monotonic() < ends)
    except (Busy, Unreadable):
        raise
    except EngineError:
        return  # another process sends them


def send_unkept(findings: Iterable[Finding], channels: Mapping[str, Channel]) -> None:
    """Sends once what cannot be kept: that a job has failed, as it does when the server is away."""
    failed = (one for one in findings if one.kind is AlertKind.FAILED and one.is_wrong)
    for kind, subject, _, at, message, advice, *_ in failed:
        alert = Alert(uuid.uuid4().hex, "open", kind, subject, at, None, message, advice)
        for name, channel in channels.items():
            try:
                channel(alert)
            except ChannelError as error:
                logger.error("an alarm could not be sent by %s (%s): %s", name, error, alert.line)


def _send_due(
    connection: sa.Connection, name: str, channel: Channel, now: float, has_time: Callable[[], bool]
) -> None:
    """Sends by one channel until one fails: the others would wait for it as long."""
    while has_time() and (message := ledger.find_due(connection, name, now)):
        try:
            channel(message.alert)
        except ChannelError as error:
            _postpone(connection, name, message, str(error), now)
            return
        ledger.drop(connection, message)


def _postpone(
    connection: sa.Connection, name: str, message: ledger.QueuedMessage, why: str, now: float
) -> None:
    said = f"an alarm could not be sent by {name} ({why})"
    if message.tries + 1 < MAX_TRIES:
        pause = PAUSES[message.tries]
        logger.warning("%s; the next try is in %s", said, span(pause))
        ledger.postpone(connection, message, now + pause)
    else:
        logger.error("%s, and is given up after %d tries: %s", said, MAX_TRIES, message.alert.line)
        ledger.drop(connection, message)
