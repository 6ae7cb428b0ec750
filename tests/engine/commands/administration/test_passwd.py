"""`scrapy passwd`: on, off, and what it refuses."""

import stat
from io import StringIO
from pathlib import Path

import pytest

from engine.admin import ADMIN, AdminAccess, Visitor
from tests.running import scrapy

HERE = Visitor("127.0.0.1", "4:127", is_local=True)


def test_on_and_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tmp_path / "data"
    monkeypatch.setattr("sys.stdin", StringIO("eight legs and eyes\nmore\n"))
    done = scrapy(data, "passwd")
    assert "/admin" in done.stdout
    assert stat.S_IMODE((data / ADMIN).stat().st_mode) == 0o600
    access = AdminAccess(data)
    assert access.has_session(access.log_in("eight legs and eyes", HERE))
    assert scrapy(data, "passwd", "--off").stdout == "the operator's pages are off\n"
    assert not access.is_enabled()


@pytest.mark.parametrize("typed", ["", "\n", "too short\n", "x" * 2_000])
def test_what_is_refused(tmp_path: Path, typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", StringIO(typed))
    done = scrapy(tmp_path / "data", "passwd", code=2)
    assert done.stderr.startswith("scrapy passwd: a password has 12 to 1,024 characters here")
    assert not AdminAccess(tmp_path / "data").is_enabled()
