"""Resolves host names before anything is asked of them, by the resolver that connects to them."""

from collections.abc import Container
from ipaddress import ip_address
from typing import Any

from engine.url import host_name, port_of


class DnsLookup:
    """Looks each host up once, beside the crawl; the resolver caches the answer for the connection."""

    def __init__(self, proxied: Container[str] = ()) -> None:
        self._proxied = proxied  # hosts whose proxy looks them up
        self._asked: dict[str, _LookupReceiver] = {}

    def __call__(self, host: str) -> str | None:
        """Returns the first address of a host; None during the lookup, '' where there is none."""
        if host in self._proxied:
            return ""
        name = host_name(f"{host}/").strip("[]")
        if _is_address(name):
            return name
        if host not in self._asked:
            answer = self._asked[host] = _LookupReceiver()
            from twisted.internet import reactor  # here, because importing it chooses one, which Scrapy does

            resolver: Any = reactor
            resolver.nameResolver.resolveHostName(answer, name, port_of(f"{host}/"))
        if not self._asked[host].complete:
            return None
        return self._asked.pop(host).address


class _LookupReceiver:
    """Receives what a resolver says of one name, through Twisted's interface."""

    def __init__(self) -> None:
        self.address = ""
        self.complete = False

    def resolutionBegan(self, resolution: Any) -> None:  # noqa: N802
        """Ignores the start of the lookup."""

    def addressResolved(self, address: Any) -> None:  # noqa: N802
        """Keeps an address."""
        self.address = self.address or address.host

    def resolutionComplete(self) -> None:  # noqa: N802
        """Ends the lookup: there are no more addresses."""
        self.complete = True


def _is_address(name: str) -> bool:
    try:
        return bool(ip_address(name))
    except ValueError:
        return False
