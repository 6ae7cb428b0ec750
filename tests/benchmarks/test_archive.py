"""The benchmark of imports prints its figures."""

from pathlib import Path

import pytest

from benchmarks import archive
from tests.warcs import record, write


@pytest.mark.slow
def test_figures(tmp_path: Path) -> None:
    rows = {row.name: row for row in archive.rows([write(tmp_path / "x.warc.gz", record())])}
    assert rows["archive: pages"].ours == 1
    assert rows["archive: MB of compressed WARC a core's second"].peer == "webarchive-discovery"
    assert all(row.ours > 0 for row in rows.values())
