"""What grows with an index, small: its figures, and the plot."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks import growth, query
from benchmarks.__main__ import main
from tests.benchmarks.test_frontier import SVG

SIZES = (200, 400)


@pytest.mark.long
def test_each_size_has_its_figures_and_the_plot(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("tantivy")
    monkeypatch.setattr(growth, "SIZES", SIZES)
    monkeypatch.setattr(query, "COUNT", 5)
    plot = tmp_path / "growth.svg"
    assert main(["growth", "--plot", str(plot)]) == 0
    found = {row["name"]: row for row in map(json.loads, capsys.readouterr().out.splitlines())}
    assert set(found) == {f"growth.{name}.{size}" for name in growth.NAMES.values() for size in SIZES}
    assert all(row["peer"] == "tantivy" and row["ours"] > 0 for row in found.values())
    of_one = [found[f"growth.index.bytes.{size}"]["ours"] for size in SIZES]
    assert all(100 < size < 100_000 for size in of_one), "bytes of a document, not of all"
    assert len(ElementTree.parse(plot).findall(f"{SVG}polyline")) == 4


def test_a_plot_that_cannot_be_written_is_told_before(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("tantivy")
    assert main(["growth", "--plot", str(tmp_path / "no/x.svg")]) == 2
    assert "for the plot: make it, or name another" in capsys.readouterr().err
