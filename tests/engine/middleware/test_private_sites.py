"""Which hosts are reached by a proxy, and which of these the operator has to allow besides."""

import pytest
from scrapy.exceptions import CannotResolveHostError

from engine.config import Proxy
from engine.middleware.address_guard import PrivateHosts
from engine.middleware.private_sites import ANY_PORT, Proxies, find_proxy

NAMED = ("wiki.example.org", "wiki.corp", "10.0.0.1", "[::1]", "allowed.corp")
PROXIES = Proxies.build([Proxy(frozenset(f"http://{name}" for name in NAMED), "http://127.0.0.1:3128")])
PRIVATE = PrivateHosts.build((), ("allowed.corp",))
REFUSED = "refused"
ROWS = [
    ("http://wiki.example.org", "http://127.0.0.1:3128", "named"),
    ("https://wiki.example.org", "", "another scheme: nobody has named it"),
    ("http://www.wiki.example.org", "", "below it"),
    ("http://other.example.org", "", "a stranger's"),
    ("http://wiki.corp", REFUSED, "by its looks of the operator's network"),
    ("http://10.0.0.1", REFUSED, "a private address"),
    ("http://[::1]", REFUSED, "this machine"),
    ("http://allowed.corp", "http://127.0.0.1:3128", "private, and allowed"),
    ("http://127.0.0.1:3128", REFUSED, "the proxy itself, as if it were a site"),
    ("http://127.0.0.1:8000", "", "the resolver refuses it"),
]


@pytest.mark.parametrize(("host", "found", "why"), ROWS, ids=[row[-1] for row in ROWS])
def test_which_proxy(host: str, found: str, why: str) -> None:
    if found == REFUSED:
        with pytest.raises(CannotResolveHostError):
            find_proxy(host, PROXIES, PRIVATE)
    else:
        route = find_proxy(host, PROXIES, PRIVATE)
        assert (route.url if route else "") == found, why


def test_the_address_of_a_proxy_may_be_private() -> None:
    assert PROXIES.allows("127.0.0.1", 3128)
    assert PROXIES.allows("127.0.0.1", ANY_PORT), "as Twisted asks for a tunnel"
    assert not PROXIES.allows("127.0.0.1", 80)
    assert not PROXIES.allows("127.0.0.2", 3128)
    assert Proxies.build([Proxy(frozenset(), "http://[fd00::1]")]).allows("fd00::1", 80)
