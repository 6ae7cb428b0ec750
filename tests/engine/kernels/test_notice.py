"""The line that a person reads who waits for the compiler."""

import runpy
from pathlib import Path

import pytest

from engine.kernels import notice
from tests.engine.kernels.test_cache import PARTS


def test_who_waits_for_the_compiler_is_told_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Once in a process; the next one finds what this one has kept."""
    (tmp_path / "loops.py").write_text(PARTS + PARTS.replace("loop", "another"))
    for said in ("compiling the loops of index and search: a minute or two, once\n", ""):
        monkeypatch.setattr(notice.NOTICE, "written", False)
        assert runpy.run_path(str(tmp_path / "loops.py"))["loop"](1) == 3
        assert capsys.readouterr().err == said
