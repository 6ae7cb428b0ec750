"""Sends the messages that wait, and those that failed again later; a receiver that fails stops nothing."""

import logging
import sqlite3
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from engine.alerts import ledger
from engine.alerts.channels import Channel, ChannelError
from engine.errors import EngineError
from engine.folder import lock_folder
from engine.monitor import span

PAUSES = (60.0, 300.0, 900.0, 3_600.0, 14_400.0)  # seconds until each further try
MAX_TRIES = len(PAUSES) + 1
ROUND_SECONDS = 60.0  # after which no more messages are sent in one go: the next look goes on

logger = logging.getLogger("lycosa")


def deliver(data_dir: Path, channels: Mapping[str, Channel], now: float) -> None:
    """Sends what is due by each channel, unless another process does it now.

    A message is dropped once it was sent. A kill between the two has it sent again with the same id.
    """
    try:
        with lock_folder(data_dir, "alerts"), ledger.open_ledger(data_dir) as connection:
            ledger.drop_other_channels(connection, tuple(channels))
            ends = time.monotonic() + ROUND_SECONDS
            for name, channel in channels.items():
                _send_due(connection, name, channel, now, lambda: time.monotonic() < ends)
    except EngineError:
        return  # another process sends them


def _send_due(
    connection: sqlite3.Connection, name: str, channel: Channel, now: float, has_time: Callable[[], bool]
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
    connection: sqlite3.Connection, name: str, message: ledger.QueuedMessage, why: str, now: float
) -> None:
    said = f"an alarm could not be sent by {name} ({why})"
    if message.tries + 1 < MAX_TRIES:
        pause = PAUSES[message.tries]
        logger.warning("%s; the next try is in %s", said, span(pause))
        ledger.postpone(connection, message, now + pause)
    else:
        logger.error("%s, and is given up after %d tries: %s", said, MAX_TRIES, message.alert.line)
        ledger.drop(connection, message)
