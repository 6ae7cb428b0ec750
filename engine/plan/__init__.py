"""Forecasts a crawl: time, transfer, disk and memory, from what is known so far."""

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
