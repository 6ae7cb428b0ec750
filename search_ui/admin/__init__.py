"""Serves the operator's pages at /admin, for whom they are meant."""

from search_ui.admin.pages import admin_routes

__all__ = ["admin_routes"]
