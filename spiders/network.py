"""Defines how all spiders reach hosts: as whom, at which addresses, by which logins and proxies, how fast."""

from collections.abc import Iterable

from scrapy import Spider

from engine.config import Config
from engine.login import Logins, TlsPolicy, make_tls_policy, open_logins
from engine.middleware import Identity, InFlightBytes, PrivateHosts, Proxies, RateLimiter


class NetworkSpider(Spider):
    """What engine.middleware and the downloader ask of a spider, as crawl.toml says it."""

    config: Config
    identity: Identity
    own_hosts: PrivateHosts
    named_hosts: PrivateHosts
    private_hosts: PrivateHosts
    proxies: Proxies
    logins: Logins
    tls_policy: TlsPolicy
    rate_limiter: RateLimiter
    in_flight: InFlightBytes

    def open_network(self, config: Config, own_hosts: Iterable[str]) -> None:
        """Sets all of it; `own_hosts` are the operator's own. Raises EngineError where a login's secret or a
        certificate cannot be had.
        """
        own = frozenset(own_hosts)
        self.config = config
        self.identity = Identity(config.contact, config.public_url, config.types)
        self.own_hosts = PrivateHosts.build(own, ())
        self.named_hosts = PrivateHosts.build((), config.allow_private)
        self.private_hosts = PrivateHosts.build(own, config.allow_private)
        self.proxies = Proxies.build(config.proxies)
        self.logins = open_logins(config, self.identity.login_headers)
        self.tls_policy = make_tls_policy(config)
        self.rate_limiter = RateLimiter(config.limits, own)
        self.in_flight = InFlightBytes()
