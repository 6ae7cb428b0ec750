"""Who asks, whatever a request says of that."""

from ipaddress import ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import Scope

from search_ui.server.clients import MAX_PROXIES, Client, find_proxied_origin, identify_client

FEWER = MAX_PROXIES - 1
PROXIES = tuple(map(ip_network, ("127.0.0.1/32", "10.0.0.0/8", "fd00::/8")))


def scope(peer: str, *forwarded: str, name: str = "x-forwarded-for") -> Scope:
    headers = [(name.encode(), line.encode("latin-1", "replace")) for line in forwarded]
    return {"type": "http", "client": (peer, 40_000) if peer else None, "headers": headers}


def asked(peer: str, *forwarded: str) -> str:
    return str(identify_client(scope(peer, *forwarded), PROXIES).address)


@pytest.mark.parametrize(
    ("peer", "forwarded", "client", "why"),
    [
        ("203.0.113.5", (), "203.0.113.5", "nobody between"),
        ("203.0.113.5", ("198.51.100.1",), "203.0.113.5", "his own word"),
        ("127.0.0.1", ("198.51.100.1",), "198.51.100.1", "the word of a proxy"),
        ("127.0.0.1", ("1.1.1.1, 198.51.100.1",), "198.51.100.1", "what he wrote before it does not count"),
        ("127.0.0.1", ("1.1.1.1", "198.51.100.1"), "198.51.100.1", "on two lines"),
        ("127.0.0.1", ("198.51.100.1,10.1.2.3",), "198.51.100.1", "through two proxies"),
        ("127.0.0.1", ("198.51.100.1, 192.0.2.8, 10.1.2.3",), "192.0.2.8", "the third is not ours"),
        ("127.0.0.1", ("2001:db8::1",), "2001:db8::1", "IPv6"),
        ("fd00::1", ("198.51.100.1",), "198.51.100.1", "an IPv6 proxy"),
        ("::ffff:10.0.0.1", ("198.51.100.1",), "198.51.100.1", "a socket for both sees IPv4 so"),
        ("127.0.0.1", ("unknown",), "127.0.0.1", "no address"),
        ("127.0.0.1", ("198.51.100.1:5678",), "198.51.100.1", "with a port"),
        ("127.0.0.1", ("[2001:db8::1]:80",), "2001:db8::1", "IPv6 with a port"),
        ("127.0.0.1", ("[2001:db8::1]",), "2001:db8::1", "in brackets"),
        ("127.0.0.1", ('"[2001:db8::1]:80"',), "2001:db8::1", "in quotation marks"),
        ("127.0.0.1", ("[::ffff:198.51.100.1]:80",), "198.51.100.1", "IPv4 within it"),
        ("127.0.0.1", ("198.51.100.1:80, 10.1.2.3:81",), "198.51.100.1", "through two proxies"),
        ("127.0.0.1", ("198.51.100.1:port",), "127.0.0.1", "no port"),
        ("127.0.0.1", ("[198.51.100.1",), "127.0.0.1", "half a bracket"),
        ("127.0.0.1", ("198.51.100.1:80:80",), "127.0.0.1", "two ports"),
        ("127.0.0.1", ("",), "127.0.0.1", "empty"),
        ("127.0.0.1", (",".join(100 * ["10.0.0.1"]),), "10.0.0.1", "an end is made of it"),
        ("127.0.0.1", (",".join(["198.51.100.1", *MAX_PROXIES * ["10.0.0.1"]]),), "10.0.0.1", "one too many"),
        ("127.0.0.1", (",".join(["198.51.100.1", *FEWER * ["10.0.0.1"]]),), "198.51.100.1", "and one fewer"),
        ("", ("198.51.100.1",), "None", "no socket of the network"),
    ],
)
def test_whose_word_counts(peer: str, forwarded: tuple[str, ...], client: str, why: str) -> None:
    assert asked(peer, *forwarded) == client, why


@pytest.mark.parametrize(
    ("peer", "name", "is_local", "why"),
    [
        ("127.0.0.1", "accept", True, "from here"),
        ("::1", "accept", True, "from here"),
        ("::ffff:127.0.0.1", "accept", True, "from here"),
        ("203.0.113.5", "accept", False, "from elsewhere"),
        ("", "accept", False, "nobody knows"),
        ("127.0.0.1", "x-forwarded-for", False, "a proxy of which nobody told us"),
        ("127.0.0.1", "Forwarded", False, "likewise (RFC 7239)"),
        ("127.0.0.1", "via", False, "likewise (RFC 9110, 7.6.3)"),
    ],
)
def test_a_proxy_here_makes_nobody_local(peer: str, name: str, is_local: bool, why: str) -> None:
    asking = scope(peer, "198.51.100.1", name=name.lower())
    assert identify_client(asking, ()).is_local is is_local, why


def test_whom_a_trusted_proxy_calls_local_is() -> None:
    assert (
        identify_client(scope("127.0.0.1", "127.0.0.1"), PROXIES).address
        == identify_client(scope("127.0.0.1"), ()).address
    )


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("198.51.100.1", "198.51.100.2", False),
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("0.0.0.1", "::1:0:0:0:1", False),
        ("fe80::1%eth0", "fe80::2", True),
    ],
)
def test_a_household_is_one_client(one: str, other: str, same: bool) -> None:
    households = [identify_client(scope(peer), ()).network_key for peer in (one, other)]
    assert (households[0] == households[1]) is same


@given(st.text(max_size=80), st.lists(st.text(max_size=80), max_size=3))
def test_no_header_breaks_it(peer: str, forwarded: list[str]) -> None:
    assert isinstance(identify_client(scope(peer, *forwarded), PROXIES), Client)


@pytest.mark.parametrize(
    ("peer", "scheme", "host", "origin", "why"),
    [
        ("127.0.0.1", "https", "search.example", "https://search.example", "a trusted proxy with TLS"),
        ("10.1.2.3", "HTTP", "search.example:8080", "http://search.example:8080", "without"),
        ("203.0.113.5", "https", "search.example", "", "anybody's word"),
        ("127.0.0.1", "", "search.example", "", "the proxy does not tell"),
        ("127.0.0.1", "javascript", "search.example", "", "no scheme of ours"),
        ("127.0.0.1", "https", "", "", "no host"),
        ("", "https", "search.example", "", "no network socket"),
    ],
)
def test_what_a_proxy_was_asked_for(peer: str, scheme: str, host: str, origin: str, why: str) -> None:
    asked_for = scope(peer)
    asked_for["headers"] = [(b"x-forwarded-proto", scheme.encode()), (b"host", host.encode())]
    assert find_proxied_origin(asked_for, PROXIES) == origin, why
