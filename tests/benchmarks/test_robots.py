"""The benchmark of robots.txt runs without sites, and has a peer for every figure."""

import json

import pytest

from benchmarks import robots
from benchmarks.__main__ import main

ROWS = ["parse", "info.first", "match", "match_5000", "info.match_5000.slowest"]


def test_every_figure_stands_beside_protego(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, few in (("ROUNDS", 1), ("MANY", 200), ("PATHS", 10), ("TIMES", 2), ("PEER_TIMES", 1)):
        monkeypatch.setattr(robots, name, few)
    assert main(["robots"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["name"] for row in rows] == [f"robots.{name}" for name in ROWS]
    assert all(row["peer"] == "protego" and row["ours"] > 0 < row["peer_value"] for row in rows)
