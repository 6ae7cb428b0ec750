"""Answers programs: search as JSON or RSS, its OpenAPI description, the operator's health and metrics."""

from search_ui.api.endpoints import ApiEndpoints
from search_ui.api.operator_pages import OperatorEndpoints

__all__ = [
    "ApiEndpoints",
    "OperatorEndpoints",
]
