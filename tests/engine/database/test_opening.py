"""How a crawl database is opened."""

from pathlib import Path

import pytest

from engine.database.opening import CACHE_KIB, SCAN_KIB, open_database


@pytest.mark.parametrize(("cache_kib", "why"), [(CACHE_KIB, "who writes"), (SCAN_KIB, "who reads it once")])
def test_a_connection_caches_no_more_than_it_may(tmp_path: Path, cache_kib: int, why: str) -> None:
    engine = open_database(tmp_path, cache_kib=cache_kib)
    with engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA cache_size").scalar() == -cache_kib, why
    engine.dispose()
