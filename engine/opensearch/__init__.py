"""Speaks with an OpenSearch cluster: opens a client, writes in bulk, and says what is wrong in one line."""

from engine.opensearch.bulk import BULK_BYTES, BulkAction, BulkCounts, write_bulk
from engine.opensearch.client import open_client, share_client
from engine.opensearch.cluster_index import ClusterIndex
from engine.opensearch.errors import (
    PASSWORD_VARIABLE,
    CertificateError,
    ClusterError,
    LoginError,
    OverloadedError,
    ProductError,
    UnavailableError,
)
from engine.opensearch.location import ClusterLocation, parse_location
from engine.opensearch.multi_search import search_all

__all__ = [
    "BULK_BYTES",
    "PASSWORD_VARIABLE",
    "BulkAction",
    "BulkCounts",
    "CertificateError",
    "ClusterError",
    "ClusterIndex",
    "ClusterLocation",
    "LoginError",
    "OverloadedError",
    "ProductError",
    "UnavailableError",
    "open_client",
    "parse_location",
    "search_all",
    "share_client",
    "write_bulk",
]
