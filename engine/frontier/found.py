"""A URL on its way into the frontier."""

from typing import NamedTuple

from engine.page import Kind

USUAL_PRIORITY = 0.5  # of a URL of which no sitemap says anything (requirement 240)


class Found(NamedTuple):
    """A URL to be queued: where it was found, how deep, after how many redirects.

    Of a host's URLs the lowest depth goes first, among these the highest priority (0 to 1).
    """

    url: str
    depth: int = 0
    parent_id: int | None = None
    hops: int = 0
    kind: Kind = Kind.PAGE
    priority: float = USUAL_PRIORITY
