"""Which hosts are paused: by name or by host, in a file that anybody may have written."""

from pathlib import Path

import pytest

from engine.errors import EngineError
from engine.frontier import paused_hosts
from engine.frontier.paused_hosts import (
    FILE,
    LOOK_SECONDS,
    PausedHosts,
    load_paused,
    pause_host,
    release_host,
)


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
    pause_host(tmp_path, paused, 5)
    assert PausedHosts(tmp_path).is_paused(host, 0) is is_paused, why
    assert load_paused(tmp_path) == {paused: 5.0}


def test_a_crawl_looks_again_and_again(tmp_path: Path) -> None:
    hosts = PausedHosts(tmp_path)
    assert not hosts.is_paused("http://a.example", 100)
    pause_host(tmp_path, "a.example", 0)
    assert not hosts.is_paused("http://a.example", 100 + LOOK_SECONDS - 1)
    assert hosts.is_paused("http://a.example", 100 + LOOK_SECONDS)
    release_host(tmp_path, "a.example")
    assert not hosts.is_paused("http://a.example", 50), "a clock that was set back"


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
    (tmp_path / FILE).write_bytes(octets)
    found = load_paused(tmp_path)
    assert set(found) == hosts if hosts is not None else len(found) <= paused_hosts.MAX_HOSTS, why


def test_there_is_an_end_to_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paused_hosts, "MAX_HOSTS", 2)
    for name in ("a.example", "b.example", "a.example"):
        pause_host(tmp_path, name, 1)
    with pytest.raises(EngineError, match="2 hosts are paused, as many as can be"):
        pause_host(tmp_path, "c.example", 1)
    with pytest.raises(EngineError, match=r"c\.example is not paused"):
        release_host(tmp_path, "c.example")


def test_nobody_is_paused_without_a_folder() -> None:
    assert not PausedHosts().is_paused("http://a.example", 0)
