"""Connects the crawl to Scrapy: each middleware wraps a plain function or value."""

from engine.middleware.address_guard import PrivateHosts
from engine.middleware.dns_lookup import DnsLookup
from engine.middleware.fetching import NO_ADDRESS, build_request, fetch_from_failure, fetch_from_response
from engine.middleware.identity import Identity
from engine.middleware.in_flight import InFlightBytes
from engine.middleware.private_sites import Proxies
from engine.middleware.rate_limiter import RateLimiter
from engine.middleware.source_addresses import describe_nameless, find_source_addresses

__all__ = [
    "NO_ADDRESS",
    "DnsLookup",
    "Identity",
    "InFlightBytes",
    "PrivateHosts",
    "Proxies",
    "RateLimiter",
    "build_request",
    "describe_nameless",
    "fetch_from_failure",
    "fetch_from_response",
    "find_source_addresses",
]
