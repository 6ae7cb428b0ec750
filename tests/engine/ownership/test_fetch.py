"""One request to a host: bounded in time, bytes and redirects, and never into our own network."""

import socket
import ssl
from itertools import repeat
from pathlib import Path
from threading import Event, Thread

import pytest

from engine.middleware import PrivateHosts
from engine.ownership import fetch
from engine.ownership.fetch import MAX_REDIRECTS, FetchError, fetch_small_file
from tests.certificates import self_signed
from tests.engine.ownership.asking import IDENTITY
from tests.web.scripted import Answer, scripted_web

NOWHERE = PrivateHosts.build((), ())


def moved(target: str, status: int = 302) -> Answer:
    return Answer(status, "", {"Location": target})


def asked(url: str, *allowed: str, max_bytes: int = 100) -> fetch.SmallFile:
    return fetch_small_file(url, IDENTITY, PrivateHosts.build((), allowed), max_bytes)


def test_a_file_is_asked_for_in_our_name() -> None:
    with scripted_web({"/a": Answer(200, "text")}, "127.31.9.2") as site:
        answer = asked(site.url("/a?b=c"), f"{site.address}:{site.port}")
        assert (answer.status, answer.body) == (200, b"text")
        (request,) = site.log
    assert request.path == "/a?b=c"
    assert request.headers["user-agent"] == IDENTITY.user_agent
    assert request.headers["from"] == "owner@crawl.example"
    assert request.headers["host"] == f"{site.address}:{site.port}"
    assert request.headers["accept-encoding"] == "identity", "nothing that swells"
    assert "cookie" not in request.headers


def test_what_is_long_is_not_read_on() -> None:
    with scripted_web({"/": Answer(200, repeat(b"x" * 1_000))}, "127.31.9.3") as site:
        assert asked(site.url("/"), site.address).body == b"x" * 100


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (Answer(200, "late", delay=60), "no word"),
        (Answer(200, "y" * 100, drip=5), "a letter every five seconds"),
        (Answer(raw=b"HTTP/1.1 200 OK\r\n", delay=60), "no head"),
    ],
)
def test_who_is_slow_is_left(monkeypatch: pytest.MonkeyPatch, answer: Answer, why: str) -> None:
    """The test's own limit would end it if the time were not bounded."""
    monkeypatch.setattr(fetch, "MAX_SECONDS", 0.3)
    with scripted_web({"/": answer}, "127.31.9.4") as site:
        with pytest.raises(FetchError) as raised:
            asked(site.url("/"), site.address)
        assert str(raised.value) == "no answer", why


def test_a_head_that_never_ends_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line comes in time, so that only the limit of the whole ends it."""
    monkeypatch.setattr(fetch, "MAX_SECONDS", 0.3)
    with socket.create_server(("127.31.9.5", 0)) as server:
        port = server.getsockname()[1]
        stop = Event()

        def drip() -> None:
            connection, _ = server.accept()
            with connection:
                connection.sendall(b"HTTP/1.1 200 OK\r\n")
                while not stop.wait(0.05):
                    try:
                        connection.sendall(b"X: y\r\n")
                    except OSError:
                        return

        dripping = Thread(target=drip, daemon=True)
        dripping.start()
        with pytest.raises(FetchError, match="no answer"):
            asked(f"http://127.31.9.5:{port}/", "127.31.9.5")
        stop.set()
        dripping.join()


@pytest.mark.parametrize(
    ("url", "why", "says"),
    [
        ("http://127.31.9.6:9/", "loopback", "address"),
        ("http://10.0.0.1/", "a private network", "address"),
        ("http://169.254.169.254/latest/meta-data/", "where clouds keep their keys", "address"),
        ("http://[::1]/", "loopback", "address"),
        ("http://[::ffff:127.0.0.1]/", "loopback in disguise", "address"),
        ("http://localhost/", "loopback by name", "address"),
        ("https://127.0.0.1/", "over TLS", "address"),
    ],
)
def test_no_way_into_our_network(url: str, why: str, says: str) -> None:
    with pytest.raises(FetchError, match=says):
        fetch_small_file(url, IDENTITY, NOWHERE, 100)


def test_a_name_that_leads_to_loopback_is_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever its DNS says; and it is asked once, so that a second answer cannot differ."""
    with scripted_web({"/": Answer(200, "inside")}, "127.31.9.7") as site:
        answers = [[(socket.AF_INET, socket.SOCK_STREAM, 6, "", (site.address, site.port))]]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answers.pop())
        with pytest.raises(FetchError, match="address"):
            fetch_small_file(f"http://public.example:{site.port}/", IDENTITY, NOWHERE, 100)
        assert not answers
        assert not site.log


def test_an_allowed_host_allows_no_other_port() -> None:
    with scripted_web({"/": Answer(200, "inside")}, "127.31.9.8") as site:
        with pytest.raises(FetchError, match="address"):
            asked(site.url("/"), f"{site.address}:{site.port + 1}")
        assert site.log == []


@pytest.mark.parametrize(
    ("target", "why"),
    [
        ("http://public.example/", "another host"),
        ("http://127.31.9.9:1/", "another port"),
        ("https://127.31.9.9/", "another scheme"),
        ("//169.254.169.254/", "a private address"),
        ("ftp://127.31.9.9/", "another protocol"),
        ("file:///etc/passwd", "a file"),
        ("/loop", "without end"),
        ("", "nowhere"),
        ("http://[", "junk"),
    ],
)
def test_redirects_that_are_not_followed(target: str, why: str) -> None:
    with scripted_web({"/": moved(target), "/loop": moved("/loop")}, "127.31.9.9") as site:
        with pytest.raises(FetchError, match="redirect"):
            asked(site.url("/"), site.address)
        assert len(site.log) <= MAX_REDIRECTS + 1, why


def test_a_redirect_within_the_host_is_followed() -> None:
    with scripted_web({"/": moved("/en/", 301), "/en/": Answer(200, "home")}, "127.31.9.10") as site:
        assert asked(site.url("/"), site.address).body == b"home"


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (Answer(drop=True), "hangs up"),
        (Answer(raw=b"SSH-2.0-OpenSSH\r\n"), "another protocol"),
        (Answer(raw=b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 1_000 + b"\r\n"), "too many fields"),
        (Answer(raw=b"HTTP/1.1 200 OK\r\nX: " + b"y" * 100_000 + b"\r\n\r\n"), "a line that is too long"),
        (Answer(raw=b"HTTP/1.1 two OK\r\n\r\n"), "no status"),
    ],
)
def test_what_is_no_answer(answer: Answer, why: str) -> None:
    with scripted_web({"/": answer}, "127.31.9.11") as site:
        with pytest.raises(FetchError) as raised:
            asked(site.url("/"), site.address)
        assert str(raised.value) == "no answer", why


def test_a_port_where_nobody_listens_and_a_name_that_is_none() -> None:
    with scripted_web({}, "127.31.9.12") as site:
        url = site.url("/")
    with pytest.raises(FetchError, match="no answer"):
        asked(url, "127.31.9.12")
    with pytest.raises(FetchError, match="no such host"):
        asked("http://no-such-host.invalid/", "127.31.9.12")


def test_a_certificate_has_to_be_the_hosts(tmp_path: Path) -> None:
    """Nobody between us and the host speaks for it."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*self_signed(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept() -> None:
            connection, _ = server.accept()
            with pytest.raises(OSError, match=r"."), connection:
                context.wrap_socket(connection, server_side=True)

        Thread(target=accept, daemon=True).start()
        with pytest.raises(FetchError, match="no answer"):
            asked(f"https://127.0.0.1:{server.getsockname()[1]}/", "127.0.0.1")
