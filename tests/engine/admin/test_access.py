"""Who gets in, who has to wait, and what is noted of it."""

import threading
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine.admin import passwords
from engine.admin.access import AdminAccess, TooManyAttempts, WrongPassword
from engine.admin.attempts import FREE_ATTEMPTS, Visitor
from engine.admin.passwords import clear_password, save_password
from engine.database import ADMIN
from engine.errors import EngineError
from tests.cheap_hash import CHEAP
from tests.engine.database.side_rows import dump

PASSWORD = "eight legs and eyes"
USUAL = passwords._HASHER
HERE = Visitor("127.0.0.1", "4:127", is_local=True)
OTHER = Visitor("192.0.2.1", "4:1", is_local=False)


@dataclass
class Now:
    seconds: float = 1_000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture(autouse=True)
def _cheap_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a hash is worth is asked in one test."""
    monkeypatch.setattr(passwords, "_HASHER", CHEAP)


@pytest.fixture
def access(tmp_path: Path) -> AdminAccess:
    save_password(tmp_path, PASSWORD, 0, "")
    return AdminAccess(tmp_path, Now())


def test_off_until_a_password_is_set_and_who_asks_leaves_nothing(tmp_path: Path) -> None:
    access = AdminAccess(tmp_path)
    assert not access.is_enabled()
    assert not (tmp_path / ADMIN.file).exists()
    save_password(tmp_path, PASSWORD, 0, "")
    assert access.is_enabled()
    clear_password(tmp_path, 0, "")
    assert not access.is_enabled()


@pytest.mark.parametrize("typed", ["", "short", "x" * 11, "x" * 1_025])
def test_a_password_has_its_length(tmp_path: Path, typed: str) -> None:
    with pytest.raises(EngineError, match="12 to 1,024 characters"):
        save_password(tmp_path, typed, 0, "")
    assert not (tmp_path / ADMIN.file).exists()


@pytest.mark.parametrize(
    ("typed", "is_right", "why"),
    [
        (PASSWORD, True, "the password"),
        (PASSWORD.upper(), False, "letter case counts"),
        (f"{PASSWORD} ", False, "so does a space"),
        ("", False, "nothing"),
        ("x" * 5_000_000, False, "it is not hashed at all"),
        ("\0", False, "a null character"),
        ("\ud800", False, "no text"),
    ],
)
def test_what_opens(access: AdminAccess, typed: str, is_right: bool, why: str) -> None:
    if is_right:
        assert access.has_session(access.log_in(typed, HERE)), why
        return
    with pytest.raises(WrongPassword):
        access.log_in(typed, HERE)
    assert [one.action for one in access.load_audit(None, 1)] == ["login failed"]


def test_both_spellings_of_a_letter_are_one(tmp_path: Path) -> None:
    save_password(tmp_path, "Wolfspinne im Bau: \u00e4", 0, "")
    assert AdminAccess(tmp_path).log_in("Wolfspinne im Bau: a\u0308", HERE)


def test_a_hash_is_kept_and_no_password(access: AdminAccess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "_HASHER", USUAL)
    save_password(access.location, PASSWORD, 0, "")
    kept = dump(access.location, ADMIN)
    assert b"$argon2id$v=19$m=65536,t=3,p=4$" in kept
    assert PASSWORD.encode() not in kept


def test_a_new_login_has_a_new_id_and_the_one_before_ends(access: AdminAccess) -> None:
    first = access.log_in(PASSWORD, HERE)
    second = access.log_in(PASSWORD, HERE, first)
    assert (access.has_session(first), access.has_session(second)) == (False, True)
    assert not access.has_session("chosen by somebody else")


@pytest.mark.parametrize("is_removed", [False, True])
def test_a_new_password_ends_sessions_and_waits(access: AdminAccess, is_removed: bool) -> None:
    session = access.log_in(PASSWORD, HERE)
    for _ in range(FREE_ATTEMPTS):
        with pytest.raises(WrongPassword):
            access.log_in("x", HERE)
    if is_removed:
        clear_password(access.location, 0, "")
        assert not access.has_session(session)
        return
    save_password(access.location, "another password", 0, "")
    assert not access.has_session(session)
    assert access.has_session(access.log_in("another password", HERE))


def test_the_right_password_does_not_help_who_has_to_wait(access: AdminAccess) -> None:
    for _ in range(FREE_ATTEMPTS):
        with pytest.raises(WrongPassword):
            access.log_in("x", OTHER)
    with pytest.raises(TooManyAttempts) as refused:
        access.log_in(PASSWORD, OTHER)
    assert refused.value.seconds == 30
    assert access.log_in(PASSWORD, HERE), "another client can"


def test_attempts_at_once_count_all(access: AdminAccess) -> None:
    outcomes: list[str] = []

    def attempt() -> None:
        try:
            access.log_in("x", OTHER)
        except EngineError as error:
            outcomes.append(type(error).__name__)

    threads = [threading.Thread(target=attempt) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["TooManyAttempts"] * 7 + ["WrongPassword"] * 5


def test_what_is_noted(access: AdminAccess) -> None:
    session = access.log_in(PASSWORD, OTHER)
    access.record(OTHER, "recrawl", "http://a.example/")
    access.log_out(session, OTHER)
    access.log_out(session, OTHER)
    noted = [(one.address, one.action, one.detail) for one in access.load_audit(None, 50)]
    assert noted == [
        ("192.0.2.1", "logout", ""),
        ("192.0.2.1", "recrawl", "http://a.example/"),
        ("192.0.2.1", "login", ""),
        ("", "password set", "all sessions ended"),
    ]
    assert [one.number for one in access.load_audit(3, 1)] == [2], "in pages"
