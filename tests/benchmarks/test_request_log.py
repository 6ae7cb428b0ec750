"""The benchmark of the request log runs without sites, beside Python's logging."""

import json

import pytest

from benchmarks import request_log
from benchmarks.__main__ import main


def test_both_write_every_visit(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for name, few in (("ROUNDS", 1), ("VISITS", 300)):
        monkeypatch.setattr(request_log, name, few)
    assert main(["request_log"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["name"] for row in rows] == ["request_log.visit", "request_log.info.whole"]
    assert all(row["peer"] == "logging" and row["ours"] > 0 < row["peer_value"] for row in rows)
