"""`scrapy complaints`: the list, and closing one."""

import json
from pathlib import Path

import pytest

from engine.commands.administration.complaints import Command
from engine.complaints import load_complaint, make_complaint
from engine.frontier import load_paused
from tests.running import here

HOST = "https://www.example.org"
NOW = 1_800_000_000.0


@pytest.mark.requirement(279)
def test_list_and_close(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert here(Command(), tmp_path) == 0
    assert capsys.readouterr().out == "no complaint is open\n"
    make_complaint(tmp_path, HOST, "Too fast.\n\x1b[2Jx\u202e", "me@example.org", NOW)
    assert here(Command(), tmp_path) == 0
    assert capsys.readouterr().out == (
        f"complaint 1  2027-01-15T08:00:00+00:00  {HOST}  (paused)  me@example.org\n"
        "    Too fast.\n"
        "    \\x1b[2Jx\\u202e\n"
    )
    assert here(Command(), tmp_path, "--json") == 0
    (one,) = json.loads(capsys.readouterr().out)["complaints"]
    assert (one["number"], one["host"], one["paused"]) == (1, HOST, True)
    assert here(Command(), tmp_path, "--close", "1", "--answer", "Slower now.") == 0
    assert capsys.readouterr().out == "no complaint is open\n"
    closed = load_complaint(tmp_path, 1)
    assert closed is not None
    assert closed.answer == "Slower now."
    assert load_paused(tmp_path) == {}


def test_one_that_is_not_open(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert here(Command(), tmp_path, "--close", "7") == 2
    assert "there is no open complaint 7; 'scrapy complaints' lists them" in capsys.readouterr().err
