"""Admits or refuses requests: protocol, connections, clients, rate limits, allowed hosts."""

from search_ui.server.allowed_hosts import AllowedHostsMiddleware
from search_ui.server.clients import Client, NetworkKey, find_proxied_origin, identify_client, is_direct
from search_ui.server.connections import ConnectionLimiter, raise_connection_limit
from search_ui.server.guard import (
    EMBED_HEADERS,
    STATIC_HEADERS,
    ApiCORSMiddleware,
    ResponseHeadersMiddleware,
    WeakETagMiddleware,
    security_headers,
)
from search_ui.server.ledger import Ledger, Share
from search_ui.server.limits import RateLimitMiddleware, TokenBuckets
from search_ui.server.metrics import (
    MEDIA_TYPE,
    MetricsMiddleware,
    RequestMetrics,
    format_gauges,
    format_metrics,
)
from search_ui.server.origin import is_same_origin, is_same_site, reject_cross_site
from search_ui.server.protocol import HttpProtocol
from search_ui.server.root_path import (
    RootPathMiddleware,
    build_own_url,
    find_route_path,
    split_public_url,
)
from search_ui.server.shared_ledger import SharedLedger, SharedMemory
from search_ui.server.thread_limits import ThreadLimiter
from search_ui.server.viewer_sessions import (
    SIGN_IN,
    SignInCookies,
    ViewerMiddleware,
    find_sign_in_link,
    find_viewer,
)
from search_ui.server.viewers import ViewerPolicy

__all__ = [
    "EMBED_HEADERS",
    "MEDIA_TYPE",
    "SIGN_IN",
    "STATIC_HEADERS",
    "AllowedHostsMiddleware",
    "ApiCORSMiddleware",
    "Client",
    "ConnectionLimiter",
    "HttpProtocol",
    "Ledger",
    "MetricsMiddleware",
    "NetworkKey",
    "RateLimitMiddleware",
    "RequestMetrics",
    "ResponseHeadersMiddleware",
    "RootPathMiddleware",
    "Share",
    "SharedLedger",
    "SharedMemory",
    "SignInCookies",
    "ThreadLimiter",
    "TokenBuckets",
    "ViewerMiddleware",
    "ViewerPolicy",
    "WeakETagMiddleware",
    "build_own_url",
    "find_proxied_origin",
    "find_route_path",
    "find_sign_in_link",
    "find_viewer",
    "format_gauges",
    "format_metrics",
    "identify_client",
    "is_direct",
    "is_same_origin",
    "is_same_site",
    "raise_connection_limit",
    "reject_cross_site",
    "security_headers",
    "split_public_url",
]
