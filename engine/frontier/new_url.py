"""Describes a URL on its way into the frontier."""

from typing import NamedTuple

from engine.model import Purpose

USUAL_PRIORITY = 0.5  # of a URL of which no sitemap says anything (requirement 240)


class NewUrl(NamedTuple):
    """A URL to be queued: where it was found, how deep, after how many redirects.

    Of a host's URLs the lowest depth goes first, among these the highest priority (0 to 1).
    """

    url: str
    depth: int = 0
    parent_id: int | None = None
    hops: int = 0
    kind: Purpose = Purpose.PAGE
    priority: float = USUAL_PRIORITY
    turn: int = 0  # the round of the page that led to it; 0: of the one that is

    def with_round(self, number: int) -> "NewUrl":
        """Returns the same URL in this round, where no page of an earlier one led to it."""
        return self if self.turn else self._replace(turn=number)
