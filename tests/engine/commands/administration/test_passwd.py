"""`scrapy passwd`: on, off, and what it refuses."""

import stat
from io import StringIO
from pathlib import Path
from socket import gethostname

import pytest

from engine.admin import AdminAccess, Visitor
from engine.database import ADMIN
from tests.running import scrapy

HERE = Visitor("127.0.0.1", "4:127", is_local=True)


def test_on_and_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tmp_path / "data"
    monkeypatch.setattr("sys.stdin", StringIO("eight legs and eyes\nmore\n"))
    done = scrapy(data, "passwd")
    assert "/admin" in done.stdout
    access = AdminAccess(data)
    assert access.has_session(access.log_in("eight legs and eyes", HERE))
    assert scrapy(data, "passwd", "--off").stdout == "the operator's pages are off\n"
    assert not access.is_enabled()
    removed, *_ = access.load_audit(None, 9)
    assert gethostname() in removed.address, "with one log for all machines 'this machine' says nothing"


@pytest.mark.sqlite
def test_the_file_is_its_owners_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("eight legs and eyes\n"))
    scrapy(tmp_path / "data", "passwd")
    assert stat.S_IMODE((tmp_path / "data" / ADMIN.file).stat().st_mode) == 0o600


@pytest.mark.parametrize("typed", ["", "\n", "too short\n", "x" * 2_000])
def test_what_is_refused(tmp_path: Path, typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", StringIO(typed))
    done = scrapy(tmp_path / "data", "passwd", code=2)
    assert done.stderr.startswith("scrapy passwd: a password has 12 to 1,024 characters here")
    assert not AdminAccess(tmp_path / "data").is_enabled()
