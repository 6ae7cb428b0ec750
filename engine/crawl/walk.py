"""The walk of a visit: what decides about it, one after the other, before it is committed."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import sqlalchemy as sa

from engine.model import Visit

Decision = Callable[[Visit], Visit]
CommitStep = Callable[[sa.Connection, Sequence[Visit], float], object]
"""What a commit does with its visits, in its transaction, at a time (seconds since 1970)."""


class Walk(NamedTuple):
    """Decisions about a visit, in their order. Each returns the visit as it then is; none writes anything."""

    meta_robots: Decision  # META robots and X-Robots-Tag: may it be kept, and its links be followed
    quarantine: Decision  # secrets: no word of it is kept
    canonical: Decision  # the URL that its owner prefers stands for it
    soft_404: Decision  # an error page that calls itself a page is none
    fingerprint: Decision  # a copy is an alias of the page that came first

    def decide(self, visit: Visit) -> Visit:
        """All of them."""
        for decision in self:
            visit = decision(visit)
        return visit
