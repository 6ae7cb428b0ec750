"""Between the crawl and Scrapy: thin coats, each over a plain function or value."""

from engine.middleware.address_guard import PrivateHosts
from engine.middleware.brake import Brake
from engine.middleware.display import not_a_certificate, not_of_the_database
from engine.middleware.fetching import failed, fetched, request_for
from engine.middleware.identity import Identity
from engine.middleware.in_flight import InFlight
from engine.middleware.names import Names

__all__ = [
    "Brake",
    "Identity",
    "InFlight",
    "Names",
    "PrivateHosts",
    "failed",
    "fetched",
    "not_a_certificate",
    "not_of_the_database",
    "request_for",
]
