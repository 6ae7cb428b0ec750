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


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert archive.main([str(tmp_path / "none.warc.gz")]) == 2
    assert "none.warc.gz" in capsys.readouterr().err


def test_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        archive.main(["--help"])
    assert "FILE" in capsys.readouterr().out
