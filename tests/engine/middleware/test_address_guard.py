"""Which hosts may be contacted although their addresses are private."""

import pytest

from engine.middleware.address_guard import PrivateHosts


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
    hosts = PrivateHosts.build(
        {"http://127.0.0.1:8001", "https://own.example", "http://[::1]:8080"},
        ("intranet", "box:81", "http://web/"),
    )
    assert hosts.allows(name, port) is allowed, why
