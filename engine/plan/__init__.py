"""Forecasts a crawl: time, transfer, disk and memory, from what is known so far."""

from engine.plan.known import MIN_SAMPLE, Assumptions, FolderSizes, PlanInput
from engine.plan.space import FALSE_SEEN, GENERATIONS
from engine.plan.work import MOST_VISITS, PROCESSES, HostPlan, Plan, SkippedUrls, make_plan

__all__ = [
    "FALSE_SEEN",
    "GENERATIONS",
    "MIN_SAMPLE",
    "MOST_VISITS",
    "PROCESSES",
    "Assumptions",
    "FolderSizes",
    "HostPlan",
    "Plan",
    "PlanInput",
    "SkippedUrls",
    "make_plan",
]
