"""Which addresses may be contacted."""

import pytest

from engine.middleware.address_guard import PrivateHosts, is_public


@pytest.mark.parametrize(
    ("address", "public", "why"),
    [
        ("93.184.216.34", True, "the open Internet"),
        ("2606:2800:220:1::1", True, "and its newer part"),
        ("127.0.0.1", False, "loopback"),
        ("127.9.9.9", False, "all of it"),
        ("::1", False, "loopback"),
        ("10.1.2.3", False, "RFC 1918"),
        ("172.16.0.1", False, "RFC 1918"),
        ("192.168.0.1", False, "RFC 1918"),
        ("169.254.169.254", False, "link-local: where clouds keep their keys"),
        ("fe80::1%eth0", False, "link-local with its zone"),
        ("fd00::1", False, "RFC 4193"),
        ("100.64.0.1", False, "RFC 6598"),
        ("0.0.0.0", False, "this host"),
        ("::ffff:127.0.0.1", False, "loopback in IPv6 clothes"),
        ("2002:7f00:1::", False, "loopback through 6to4"),
        ("224.0.0.1", False, "multicast"),
        ("255.255.255.255", False, "broadcast"),
        ("localhost", False, "no address at all"),
        ("", False, "nothing"),
    ],
)
def test_public_addresses(address: str, public: bool, why: str) -> None:
    assert is_public(address) is public, why


@pytest.mark.parametrize(
    ("name", "port", "allowed", "why"),
    [
        ("127.0.0.1", 8001, True, "the own host itself"),
        ("127.0.0.1", 6379, False, "another port of it is another host"),
        ("own.example", 443, True, "https without a port"),
        ("own.example", 80, False, "but not http"),
        ("intranet", 80, True, "allow_private without a port: every port"),
        ("intranet", 9000, True, "allow_private without a port: every port"),
        ("INTRANET", 80, True, "names have no case"),
        ("box", 81, True, "allow_private with a port"),
        ("box", 80, False, "that port only"),
        ("::1", 8080, True, "IPv6, brackets or not"),
        ("web", 80, True, "a whole URL is understood, too"),
        ("other", 80, False, "nobody named it"),
    ],
)
def test_named_hosts(name: str, port: int, allowed: bool, why: str) -> None:
    hosts = PrivateHosts.of(
        {"http://127.0.0.1:8001", "https://own.example", "http://[::1]:8080"},
        ("intranet", "box:81", "http://web/"),
    )
    assert hosts.allows(name, port) is allowed, why
