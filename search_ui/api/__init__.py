"""Serves programs: search as JSON and RSS, its OpenAPI description, health, metrics."""

from search_ui.api.endpoints import ApiEndpoints
from search_ui.api.operator_pages import OperatorEndpoints
from search_ui.api.recrawl_endpoints import RecrawlEndpoints

__all__ = [
    "ApiEndpoints",
    "OperatorEndpoints",
    "RecrawlEndpoints",
]
