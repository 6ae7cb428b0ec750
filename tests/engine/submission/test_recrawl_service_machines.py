"""Two machines with one server: a token is known at both, and has one hour of URLs."""

from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.config import Config
from engine.database import RECRAWL, CrawlDatabase, hosts, open_database, urls, write_side, write_transaction
from engine.store import parse_target
from engine.submission import RecrawlKind, RecrawlService, add_token
from engine.submission.recrawl import RecrawlRefused

pytestmark = pytest.mark.postgresql

NOW = 1_800_000_000.0
PAGE = "http://h.example/page"


def test_one_token_for_both(tmp_path: Path, database_url: str) -> None:
    engine = open_database(database_url)
    with write_transaction(engine) as connection:
        connection.execute(sa.insert(hosts), {"id": 1, "host": "http://h.example"})
        row = {"url": PAGE, "host_id": 1, "state": "stored", "found_at": NOW - 9, "visited_at": NOW - 9}
        connection.execute(sa.insert(urls), row)
    engine.dispose()
    with write_side(database_url, RECRAWL) as ledger:
        secret = add_token(ledger, "deploy", [parse_target("h.example")], 1, NOW)
    with closing(CrawlDatabase(database_url)) as database:
        one, other = (
            RecrawlService(Config(tmp_path / name, database_url=database_url), database, lambda: NOW)
            for name in ("one", "two")
        )
        asked = one.request(secret, PAGE, RecrawlKind.PAGE).request
        assert other.status(secret, asked.id).request == asked
        with pytest.raises(RecrawlRefused, match="fewer are left"):
            other.request(secret, PAGE, RecrawlKind.PAGE)
