"""How long a crawl takes, how much it brings, how much room it needs: from what is known so far."""

from engine.plan.known import ENOUGH, Folder, Known, Supposed
from engine.plan.space import FALSE_SEEN, GENERATIONS
from engine.plan.work import MOST_VISITS, PROCESSES, HostPlan, Left, Plan, plan

__all__ = [
    "ENOUGH",
    "FALSE_SEEN",
    "GENERATIONS",
    "MOST_VISITS",
    "PROCESSES",
    "Folder",
    "HostPlan",
    "Known",
    "Left",
    "Plan",
    "Supposed",
    "plan",
]
