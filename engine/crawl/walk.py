"""Lists the decisions about a visit, and the steps of its commit."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import sqlalchemy as sa

from engine.model import Visit

Decision = Callable[[Visit], Visit]


class Walk(NamedTuple):
    """Decisions about a visit, in their order. Each returns the visit as it then is; none writes anything."""

    meta_robots: Decision  # META robots and X-Robots-Tag: may it be kept, and its links be followed
    quarantine: Decision  # secrets: no word of it is kept
    canonical: Decision  # the URL that its owner prefers represents it
    soft_404: Decision  # an error page that calls itself a page is none
    fingerprint: Decision  # a copy is an alias of the page that came first

    def decide(self, visit: Visit) -> Visit:
        """Applies all decisions in their order."""
        for decision in self:
            visit = decision(visit)
        return visit


VisitStep = Callable[[sa.Connection, Sequence[Visit], float], object]
"""What is written of visits, at a time (seconds since 1970)."""
UpkeepStep = Callable[[sa.Connection, float], object]
"""What is written at a commit whatever was visited."""


class Commit(NamedTuple):
    """The steps of a commit in their order."""

    visit_steps: tuple[VisitStep, ...]
    upkeep_steps: tuple[UpkeepStep, ...]

    def write(self, connection: sa.Connection, visits: Sequence[Visit], now: float) -> None:
        """Takes all steps."""
        for step in self.visit_steps:
            step(connection, visits, now)
        for upkeep in self.upkeep_steps:
            upkeep(connection, now)
