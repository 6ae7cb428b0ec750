"""An export's file goes as far as its state says, and nobody else writes it meanwhile."""

from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import EngineError
from engine.export.export_file import ExportState, open_export


def test_only_its_owner_can_read_it(tmp_path: Path) -> None:
    with open_export(tmp_path / "x", ExportState("db", 9)) as file:
        file.append(b"a\n", replace(file.state, change=1))
    assert (tmp_path / "x").stat().st_mode & 0o777 == 0o600


def test_half_a_batch_is_written_again(tmp_path: Path) -> None:
    with open_export(tmp_path / "x", ExportState("db", 9)) as file:
        file.append(b"one\n", replace(file.state, change=1))
    with (tmp_path / "x").open("ab") as stopped:
        stopped.write(b"tw")
    with open_export(tmp_path / "x", ExportState("db", 9)) as file:
        assert (file.state.began, file.state.change) == (9, 1)
        file.append(b"two\n", replace(file.state, change=2))
    assert (tmp_path / "x").read_bytes() == b"one\ntwo\n"


def test_a_file_that_was_begun_and_got_nothing_goes_on(tmp_path: Path) -> None:
    with open_export(tmp_path / "x", ExportState("db", 3)):
        pass
    with open_export(tmp_path / "x", ExportState("db", 5)) as file:
        assert (file.state.began, file.state.change) == (3, 0)


def test_one_writes_at_a_time(tmp_path: Path) -> None:
    with (
        open_export(tmp_path / "x", ExportState("db", 9)),
        pytest.raises(EngineError, match="another export writes"),
    ):
        open_export(tmp_path / "x", ExportState("db", 9)).__enter__()


def test_a_state_of_the_future_is_of_a_database_that_went_back(tmp_path: Path) -> None:
    with open_export(tmp_path / "x", ExportState("db", 9)) as file:
        file.append(b"a\n", replace(file.state, change=9))
    with pytest.raises(EngineError, match="a state of it that is lost"):
        open_export(tmp_path / "x", ExportState("db", 8)).__enter__()
