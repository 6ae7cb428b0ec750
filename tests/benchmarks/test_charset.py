"""The benchmark of charsets runs without sites, and has a peer for every figure."""

import json
from pathlib import Path

import pytest

from benchmarks import charset
from benchmarks.__main__ import main


@pytest.mark.slow
@pytest.mark.shared(*sorted({f"data/{folder}/docs.jsonl" for folder, _ in charset.COLLECTIONS.values()}))
def test_real_paragraphs_without_a_declaration(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Texts that nothing was fitted to: more are read right than 95 of 100, and more than by the peers."""
    monkeypatch.setattr(charset, "PIECES", 3)
    assert main(["charset"]) == 0
    rows = {row["name"]: row for row in map(json.loads, capsys.readouterr().out.splitlines())}
    for language, (_, charsets) in charset.COLLECTIONS.items():
        assert {f"charset.{language}.{name}" for name in charsets.split()} <= rows.keys()
    for name, peer in (("charset.right", "faust-cchardet"), ("charset.right.few", "charset-normalizer")):
        assert rows[name]["peer"] == peer
        assert rows[name]["ours"] >= max(0.95, rows[name]["peer_value"])


def test_missing_texts_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(charset, "SHARED", tmp_path / "data")
    assert main(["charset"]) == 2
    assert f"{tmp_path}/data is missing" in capsys.readouterr().err
