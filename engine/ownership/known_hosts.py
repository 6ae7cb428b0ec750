"""Finds the hosts that may be named: those of crawl.toml, and those that a crawl has met."""

import sqlalchemy as sa

from engine.audience import read_audience_rules
from engine.config import Config
from engine.database import hosts
from engine.errors import EngineError
from engine.middleware import PrivateHosts
from engine.submission import sites_written
from engine.url import MAX_URL_LENGTH, canonicalize, host_of

SCHEMES = ("https", "http")  # of a host that is named without one, in this order


class UnknownHost(EngineError):  # noqa: N818 - says what is so
    """It is no host, or none that this Lycosa has to do with."""


def find_known_host(connection: sa.Connection, config: Config, typed: str) -> str:
    """Finds the host that is meant, as scheme://name[:port]. Raises UnknownHost for any other."""
    if len(typed) > MAX_URL_LENGTH:
        raise UnknownHost(typed)
    named = [typed] if "://" in typed else [f"{scheme}://{typed}" for scheme in SCHEMES]
    sites, audiences = sites_written(connection, config), read_audience_rules(config)
    seeds = set(map(host_of, sites.seeds)) if sites else set[str]()
    for address in named:
        try:
            host = host_of(canonicalize(address))
        except ValueError:
            continue
        if audiences.require(f"{host}/"):  # whether it is known is its readers' business
            continue
        if host in seeds or connection.execute(sa.select(hosts.c.id).where(hosts.c.host == host)).first():
            return host
    raise UnknownHost(typed)


def private_hosts(connection: sa.Connection, config: Config) -> PrivateHosts:
    """Returns the hosts whose private addresses crawl.toml allows, as the crawl has them."""
    sites = sites_written(connection, config)
    return PrivateHosts.build(sites.own_hosts if sites else (), config.allow_private)
