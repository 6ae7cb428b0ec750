"""Connects the crawl to Scrapy: each middleware wraps a plain function or value."""

from engine.middleware.address_guard import PrivateHosts
from engine.middleware.decompress import UNPACKED
from engine.middleware.dns_lookup import DnsLookup
from engine.middleware.fetching import (
    ALLOW_PRIVATE,
    NO_ADDRESS,
    build_request,
    describe_failure,
    fetch_from_failure,
    fetch_from_response,
)
from engine.middleware.identity import Identity
from engine.middleware.in_flight import InFlightBytes
from engine.middleware.private_sites import Proxies
from engine.middleware.rate_limiter import RateLimiter
from engine.middleware.source_addresses import describe_nameless, find_source_addresses

__all__ = [
    "ALLOW_PRIVATE",
    "NO_ADDRESS",
    "UNPACKED",
    "DnsLookup",
    "Identity",
    "InFlightBytes",
    "PrivateHosts",
    "Proxies",
    "RateLimiter",
    "build_request",
    "describe_failure",
    "describe_nameless",
    "fetch_from_failure",
    "fetch_from_response",
    "find_source_addresses",
]
