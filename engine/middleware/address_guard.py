"""Refuses private and loopback addresses unless the operator named the host.

The check is made where a name becomes an address, at connection: no page and
no DNS answer can lead the crawler into the network it runs in.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Self

from scrapy.resolver import CachingHostnameResolver
from twisted.internet.interfaces import IAddress, IHostResolution, IResolutionReceiver

from engine.url import host_name, is_public, port_of


@dataclass(frozen=True, slots=True)
class PrivateHosts:
    """Hosts whose private addresses the operator allows: names, and name:port."""

    named: frozenset[str]

    @classmethod
    def build(cls, own_hosts: Iterable[str], allow_private: Iterable[str]) -> Self:
        """Builds them from the operator's own hosts (scheme://name[:port]) and the words of allow_private."""
        own = (f"{host_name(host + '/')}:{port_of(host + '/')}" for host in own_hosts)
        words = (word.partition("://")[2] or word for word in allow_private)
        return cls(frozenset((*own, *(word.rstrip("/").lower() for word in words))))

    def allows(self, name: str, port: int) -> bool:
        """Tells whether this host may be contacted at any address."""
        bare = name.strip("[]").lower()
        return bool({bare, f"{bare}:{port}", f"[{bare}]:{port}", f"[{bare}]"} & self.named)


class GuardedResolver(CachingHostnameResolver):
    """Scrapy's resolver without the addresses that the crawl may not contact."""

    def __init__(self, reactor: Any, cache_size: int, process: Any) -> None:
        super().__init__(reactor, cache_size)
        self._process = process

    @classmethod
    def from_crawler(cls, crawler: Any, reactor: Any) -> Self:
        """Builds it as Scrapy does; its `crawler` here is the process around all crawlers."""
        return cls(reactor, crawler.settings.getint("DNSCACHE_SIZE"), crawler)

    def resolveHostName(  # noqa: N802
        self,
        resolutionReceiver: IResolutionReceiver,  # noqa: N803
        hostName: str,  # noqa: N803
        portNumber: int = 0,  # noqa: N803
        addressTypes: Sequence[type[IAddress]] | None = None,  # noqa: N803
        transportSemantics: str = "TCP",  # noqa: N803
    ) -> IHostResolution:
        """Resolves a name for Twisted; a host without an allowed address does not exist."""
        receiver: Any = resolutionReceiver
        spiders = [crawler.spider for crawler in self._process.crawlers]
        if not any(
            spider.private_hosts.allows(hostName, portNumber) or spider.proxies.allows(hostName, portNumber)
            for spider in spiders
        ):
            receiver = _PublicAddressReceiver(receiver)
        return super().resolveHostName(receiver, hostName, portNumber, addressTypes, transportSemantics)


class _PublicAddressReceiver:
    """Passes on public addresses only; a receiver without any address finds no host."""

    def __init__(self, receiver: Any) -> None:
        self._tell = receiver.addressResolved
        self.resolutionBegan = receiver.resolutionBegan
        self.resolutionComplete = receiver.resolutionComplete

    def addressResolved(self, address: Any) -> None:  # noqa: N802
        if is_public(address.host):
            self._tell(address)
