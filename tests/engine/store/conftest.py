"""A crawl database, open for one test."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.database import open_database


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sa.Connection]:
    database = open_database(tmp_path)
    with database.begin() as connection:
        yield connection
    database.dispose()
