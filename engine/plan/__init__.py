"""Forecasts a crawl: time, transfer, disk and memory, from what is known so far."""

from engine.plan.forecast import forecast_lines, forecast_object
from engine.plan.known import MIN_SAMPLE, Assumptions, FolderSizes, PlanInput
from engine.plan.work import Plan, make_plan

__all__ = [
    "MIN_SAMPLE",
    "Assumptions",
    "FolderSizes",
    "Plan",
    "PlanInput",
    "forecast_lines",
    "forecast_object",
    "make_plan",
]
