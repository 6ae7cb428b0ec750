"""`scrapy failed` in a pager."""

import argparse
import builtins
import time
from contextlib import closing
from pathlib import Path

import pytest

from engine import postgresql
from engine.commands.monitoring.failed import Command
from engine.config import Config
from engine.database import write_transaction
from engine.model.page import State
from engine.store import Store
from tests.engine.store.test_failures import insert

IDLE_SECONDS = 0.3
ROWS = 1_200  # more than are read at once


@pytest.mark.postgresql
def test_who_reads_slowly_reads_all(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages of a pager may lie hours apart; a server ends transactions that are idle for half a minute."""
    monkeypatch.setattr(postgresql, "SERVER_SECONDS", IDLE_SECONDS)
    with closing(Store(database_url)) as store, write_transaction(store.engine) as connection:
        insert(connection, *[{"state": State.FAILED}] * ROWS)
    printed = list[str]()

    def read_slowly(text: str, end: str) -> None:
        time.sleep(0 if printed else 2 * IDLE_SECONDS)
        printed.append(text + end)

    command = Command()
    monkeypatch.setattr(command, "config", lambda: Config(Path(), database_url=database_url))
    monkeypatch.setattr(builtins, "print", read_slowly)
    command.act([], argparse.Namespace(json=False))
    monkeypatch.undo()
    assert "".join(printed).count("http://h/") == ROWS
