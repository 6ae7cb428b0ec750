"""Two machines with one server: what was done on the one holds on the other."""

from pathlib import Path

import pytest

from engine.admin import passwords
from engine.admin.access import AdminAccess, TooManyAttempts, WrongPassword
from engine.admin.attempts import FREE_ATTEMPTS, Visitor
from engine.admin.passwords import clear_password, save_password
from engine.config import Config
from tests.cheap_hash import CHEAP

pytestmark = pytest.mark.postgresql

PASSWORD = "eight legs and eyes"
OTHER = Visitor("192.0.2.1", "4:1", is_local=False)


@pytest.fixture(autouse=True)
def _cheap_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "_HASHER", CHEAP)


@pytest.fixture
def machines(tmp_path: Path, database_url: str) -> list[AdminAccess]:
    folders = (tmp_path / "one", tmp_path / "two")
    return [
        AdminAccess(Config(folder, database_url=database_url).database, lambda: 9.0) for folder in folders
    ]


def test_one_login_and_one_audit_log(machines: list[AdminAccess], database_url: str) -> None:
    one, other = machines
    assert not other.is_enabled()
    save_password(database_url, PASSWORD, 1.0, "")
    assert other.is_enabled()
    session = one.log_in(PASSWORD, OTHER)
    assert other.has_session(session)
    number = other.record(OTHER, "recrawl", "http://a.example/")
    assert [entry.number for entry in one.load_audit(None, 1)] == [number]
    other.log_out(session, OTHER)
    assert not one.has_session(session)
    assert [entry.action for entry in one.load_audit(None, 9)] == [
        *("logout", "recrawl", "login", "password set"),
    ]
    clear_password(database_url, 2.0, "")
    assert not one.is_enabled()


def test_who_guesses_at_both_gets_no_more_attempts(machines: list[AdminAccess], database_url: str) -> None:
    save_password(database_url, PASSWORD, 1.0, "")
    for number in range(FREE_ATTEMPTS):
        with pytest.raises(WrongPassword):
            machines[number % 2].log_in("x", OTHER)
    for machine in machines:
        with pytest.raises(TooManyAttempts):
            machine.log_in(PASSWORD, OTHER)
