"""Admits requests: protocol, connections, clients, limits, and what is refused before a page is made."""

from search_ui.server.allowed_hosts import KnownNames
from search_ui.server.clients import Client, client_of
from search_ui.server.connections import Places, connections_allowed
from search_ui.server.guard import EMBED_HEADERS, STATIC_HEADERS, AddHeaders, ShareApi, WeakTags, headers_for
from search_ui.server.limits import Buckets, LimitRate
from search_ui.server.metrics import MEDIA_TYPE, CountRequests, RequestCounts, gauges
from search_ui.server.origin import is_of_the_same_site, refuse_others
from search_ui.server.protocol import Protocol
from search_ui.server.thread_limits import WaitingRoom

__all__ = [
    "EMBED_HEADERS",
    "MEDIA_TYPE",
    "STATIC_HEADERS",
    "AddHeaders",
    "Buckets",
    "Client",
    "CountRequests",
    "KnownNames",
    "LimitRate",
    "Places",
    "Protocol",
    "RequestCounts",
    "ShareApi",
    "WaitingRoom",
    "WeakTags",
    "client_of",
    "connections_allowed",
    "gauges",
    "headers_for",
    "is_of_the_same_site",
    "refuse_others",
]
