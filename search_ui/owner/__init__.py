"""Serves the pages at /owner, by which the owner of a host sees and changes what is known of it."""

from search_ui.owner.routes import owner_routes

__all__ = ["owner_routes"]
