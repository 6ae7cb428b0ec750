"""Serves the operator's pages at /admin, for whom they are meant; its gate is also that of site owners."""

from search_ui.admin.gate import Gate, is_token, make_token
from search_ui.admin.pages import admin_routes

__all__ = ["Gate", "admin_routes", "is_token", "make_token"]
