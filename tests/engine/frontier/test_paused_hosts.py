"""Which hosts are paused: by name or by host, in a file that anybody may have written, or on a server."""

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.database import PAUSES
from engine.errors import EngineError, Unreadable
from engine.frontier import paused_hosts
from engine.frontier.paused_hosts import (
    LOOK_SECONDS,
    PausedHosts,
    load_paused,
    open_pauses,
    pause_host,
    release_host,
)
from engine.store import Store
from tests.postgresql import Server

HOST, NAME = "http://a.example", "a.example"


@contextmanager
def following(location: Path | str) -> Iterator[PausedHosts]:
    """The paused hosts as a crawl of this database asks for them."""
    with closing(Store(location)) as store:
        yield open_pauses(location).follow(store.engine)


@pytest.mark.parametrize(
    ("paused", "host", "is_paused", "why"),
    [
        ("a.example", "http://a.example", True, "a name has any scheme"),
        ("a.example", "https://a.example:8443", True, "and any port"),
        ("https://a.example", "https://a.example", True, "a host"),
        ("https://a.example", "http://a.example", False, "with its scheme"),
        ("https://a.example", "https://a.example:8443", False, "and its port"),
        ("a.example", "http://b.a.example", False, "no name below it"),
    ],
)
def test_what_is_meant(tmp_path: Path, paused: str, host: str, is_paused: bool, why: str) -> None:
    pause_host(tmp_path, paused, 5.4)
    with following(tmp_path) as hosts:
        assert hosts.is_paused(host, 0) is is_paused, why
    assert load_paused(tmp_path) == {paused: 5.0}


def test_a_crawl_looks_again_and_again(tmp_path: Path) -> None:
    with following(tmp_path) as hosts:
        assert not hosts.is_paused(HOST, 100)
        pause_host(tmp_path, NAME, 0)
        assert not hosts.is_paused(HOST, 100 + LOOK_SECONDS - 1)
        assert hosts.is_paused(HOST, 100 + LOOK_SECONDS)
        release_host(tmp_path, NAME)
        assert not hosts.is_paused(HOST, 50), "a clock that was set back"


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("octets", "hosts", "why"),
    [
        (b"", set(), "nothing"),
        (b"a.example\nb.example\tsoon\r\n\n\tx\n", {"a.example", "b.example"}, "written by hand"),
        (b"\xff\xfe\t1\n", {"\ufffd\ufffd"}, "no text"),
        (b"x\n" * 3 + b"".join(b"h%d\n" % n for n in range(2_000)), None, "more than can be"),
    ],
)
def test_whatever_is_in_the_file(tmp_path: Path, octets: bytes, hosts: set[str] | None, why: str) -> None:
    (tmp_path / PAUSES.file).write_bytes(octets)
    found = load_paused(tmp_path)
    assert set(found) == hosts if hosts is not None else len(found) <= paused_hosts.MAX_HOSTS, why


@pytest.mark.sqlite
def test_what_the_file_looks_like(tmp_path: Path) -> None:
    """An operator may write it by hand, and an older Lycosa goes on with it."""
    for host in ("https://b.example:8443", "a.example"):
        pause_host(tmp_path, host, 1_800_000_000.6)
    text = (tmp_path / "paused_hosts.tsv").read_bytes()
    assert text == b"a.example\t1800000001\nhttps://b.example:8443\t1800000001\n"


def test_who_looks_finds_nothing_and_makes_no_file(tmp_path: Path) -> None:
    assert load_paused(tmp_path / "data") == {}
    assert not (tmp_path / "data" / PAUSES.file).exists()


def test_there_is_an_end_to_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paused_hosts, "MAX_HOSTS", 2)
    for name in ("a.example", "b.example", "a.example"):
        pause_host(tmp_path, name, 1)
    with pytest.raises(EngineError, match="2 hosts are paused, as many as can be"):
        pause_host(tmp_path, "c.example", 1)
    with pytest.raises(EngineError, match=r"c\.example is not paused"):
        release_host(tmp_path, "c.example")
    assert list(load_paused(tmp_path)) == ["a.example", "b.example"]


def test_the_first_pause_of_a_host_counts(tmp_path: Path) -> None:
    """By its time it is known whose it is: engine.complaints."""
    for at in (5, 9):
        pause_host(tmp_path, NAME, at)
    assert load_paused(tmp_path) == {NAME: 5.0}


def test_none_is_lost_when_several_pause_at_once(tmp_path: Path) -> None:
    names = [f"{number}.example" for number in range(8)]
    threads = [threading.Thread(target=pause_host, args=(tmp_path, name, 1)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert list(load_paused(tmp_path)) == names


def test_nobody_is_paused_until_it_is_told_who() -> None:
    assert not PausedHosts().is_paused(HOST, 0)


@pytest.mark.postgresql
def test_a_crawl_asks_the_server_once_in_a_while(database_url: str) -> None:
    """However many hosts it asks meanwhile; by connections that it has."""
    asked = list[str]()
    with closing(Store(database_url)) as store:
        hosts = open_pauses(database_url).follow(store.engine)
        hosts.is_paused(HOST, 100)
        pause_host(database_url, NAME, 0)
        sa.event.listen(sa.Engine, "before_cursor_execute", note := lambda *given: asked.append(given[2]))
        found = [hosts.is_paused(HOST, 100 + second / 10) for second in range(10 * int(LOOK_SECONDS) + 10)]
        sa.event.remove(sa.Engine, "before_cursor_execute", note)
    assert found == [False] * 10 * int(LOOK_SECONDS) + [True] * 10
    assert len(asked) == 1, "a new connection would ask for more"


@pytest.mark.postgresql
def test_a_server_that_is_away(database_url: str, postgresql_server: Server) -> None:
    """Nobody takes it for one without pauses: a command says so, and a crawl ends."""
    with following(database_url) as hosts:
        pause_host(database_url, NAME, 0)
        postgresql_server.stop()
        with pytest.raises(Unreadable, match="is the server up"):
            load_paused(database_url)
        with pytest.raises(sa.exc.DBAPIError):
            hosts.is_paused(HOST, 100)
        postgresql_server.start()
    assert load_paused(database_url) == {NAME: 0.0}
