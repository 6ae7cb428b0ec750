"""A crawl database for tests of the frontier, of both kinds."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.database import open_database


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[sa.Engine]:
    is_server = request.param == "postgresql"
    opened = open_database(request.getfixturevalue("database_url") if is_server else tmp_path)
    yield opened
    opened.dispose()
