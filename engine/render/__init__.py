"""Answers what a page looks like after its scripts ran: a Chromium without a network, our gates."""

from engine.render.library import require_rendering

__all__ = ["require_rendering"]
