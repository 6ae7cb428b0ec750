"""Which names the search page answers to."""

import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.config import ServerConfig
from search_ui.app import create_app
from search_ui.server.allowed_hosts import is_allowed_host, list_own_names
from tests.search_ui.asgi import Asking
from tests.search_ui.conftest import IDENTITY, Searcher, Site
from tests.search_ui.server.test_protocol import statuses

NAMES = frozenset(["search.lan", "search.example"])
LAST = b"GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


@pytest.mark.parametrize(
    ("host", "ours", "why"),
    [
        ("127.0.0.1", True, "an address cannot be turned to another"),
        ("127.0.0.1:8000", True, "with a port"),
        ("192.168.1.20:80", True, "any address"),
        ("[::1]", True, "IPv6"),
        ("[::1]:8000", True, "with a port"),
        ("[fe80::1%25eth0]:8000", True, "with a zone"),
        ("[::ffff:192.168.1.20]", True, "IPv4 within IPv6"),
        ("::1", False, "without brackets"),
        ("[::1", False, "half of them"),
        ("[evil.example]", False, "brackets around a name"),
        ("[::1]evil.example", False, "and a name behind them"),
        ("127.0.0.1.", True, "a dot at the end, which curl leaves there"),
        ("127.1", False, "a browser writes it out"),
        ("0x7f000001", False, "likewise"),
        ("127.0.0.1.evil.example", False, "a name that begins so"),
        ("localhost", True, "this machine"),
        ("LOCALHOST:8000", True, "names have no case"),
        ("localhost.", True, "nor does a dot at the end make another"),
        ("localhost..", False, "two do"),
        ("search.localhost:8000", True, "RFC 6761, 6.3"),
        ("localhost.evil.example", False, "a name that begins so"),
        ("evil-localhost", False, "or ends so"),
        ("search.lan", True, "a name of ours"),
        ("Search.LAN.:8000", True, "in any spelling"),
        ("a.search.lan", False, "a name below it"),
        ("search.lan.evil.example", False, "or above"),
        ("evil.example", False, "a stranger's, rebound"),
        ("evil.example:8000", False, "with our port"),
        ("user@search.lan", False, "a user has no place in it"),
        ("search.lan@evil.example", False, "nor has our name as a user"),
        ("search.lan:80:80", False, "two ports"),
        ("search.lan:a", False, "no port"),
        ("search.lan:", True, "an empty one is none (RFC 3986, 3.2.3)"),
        ("search.lan/evil", False, "a path"),
        ("search.lan, evil.example", False, "a list"),
        ("search.lan evil", False, "a space"),
        ("http://search.lan", False, "an address is no name"),
        ("se\u0430rch.lan", False, "a letter that looks like ours"),
        ("", False, "no name"),
        (".", False, "none either"),
    ],
)
def test_which_names_are_ours(host: str, ours: bool, why: str) -> None:
    assert is_allowed_host(host, NAMES) is ours, why


@given(st.text(max_size=80))
def test_no_host_breaks_it(host: str) -> None:
    assert is_allowed_host(host, NAMES) in (True, False)


def asked(host: str, target: str = "/search?q=a", **headers: str) -> int:
    app = create_app(Searcher(), lambda: None, IDENTITY, ServerConfig(allowed_hosts=("search.lan",)))
    return Asking(app).get(target, {"Host": host, **headers}).status_code


@pytest.mark.parametrize(
    "target", ["/", "/search?q=a", "/api/search?q=a", "/health", "/metrics", "/static/style.css"]
)
def test_the_rule_is_the_same_everywhere(target: str) -> None:
    assert asked("evil.example", target) == 421
    assert asked("search.lan", target) in (200, 403)


def test_the_names_that_an_operator_gives() -> None:
    assert asked("search.example") == 200, "the host of public_url"
    assert asked(socket.gethostname()) == 200, "this machine's name"
    assert {socket.gethostname().lower(), f"{socket.gethostname().lower()}.local"} <= list_own_names()
    assert asked("evil.example", **{"X-Forwarded-Host": "search.lan"}) == 421, "anybody can write that"
    assert asked("search.lan", **{"X-Forwarded-Host": "evil.example"}) == 200


def test_the_refusal_names_the_keys(site: Site) -> None:
    for headers, kind in (
        ({"Accept": "text/html"}, "text/html"),
        ({"Accept": "application/json"}, "application/problem+json"),
    ):
        answer = site.client.get("/search?q=a", headers={"Host": "evil.example", **headers})
        assert (answer.status_code, answer.headers["Content-Type"].split(";")[0]) == (421, kind)
        assert "public_url" in answer.text
        assert "allowed_hosts" in answer.text
        assert "evil" not in answer.text


@pytest.mark.parametrize(
    ("request_bytes", "answers", "why"),
    [
        (
            b"GET http://localhost/health HTTP/1.1\r\nHost: localhost\r\n\r\n",
            [200, 404],
            "as proxies are asked",
        ),
        (b"GET http://[::1]:80/health HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", [200, 404], "likewise"),
        (b"GET http://evil.example/health HTTP/1.1\r\nHost: localhost\r\n\r\n", [421, 404], "in the target"),
        (b"GET http://localhost/health HTTP/1.1\r\nHost: evil.example\r\n\r\n", [421, 404], "or in Host"),
        (b"GET http://u@localhost/health HTTP/1.1\r\nHost: localhost\r\n\r\n", [400], "a user"),
        (b"GET /health HTTP/1.1\r\nHost: evil.example\r\n\r\n", [421, 404], "rebound"),
        (b"GET /health HTTP/1.1\r\nHost:\r\n\r\n", [421, 404], "no name"),
        (b"GET /health HTTP/1.0\r\nHost: evil.example\r\n\r\n", [421], "1.0"),
        (b"GET /health HTTP/1.0\r\n\r\n", [200], "1.0, as health checks are sent"),
        (b"GET /health HTTP/1.1\r\n\r\n", [400], "none at all"),
        (b"GET /health HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", [400], "twice"),
    ],
)
def test_on_the_wire(site: Site, request_bytes: bytes, answers: list[int], why: str) -> None:
    assert statuses(site, request_bytes + LAST) == answers, why
