"""Reports to the operator: progress, summaries, forecasts, alarms."""

from engine.monitor.alarm import ALARM
from engine.monitor.counters import Counters
from engine.monitor.forecast import forecast_lines, forecast_object
from engine.monitor.progress import Progress
from engine.monitor.progress_line import Line, format_progress
from engine.monitor.ruling import describe_ruling, ruling_lines, ruling_object, ruling_of_host, visible
from engine.monitor.summary import (
    census_lines,
    census_object,
    crawl_progress,
    crawl_summary,
    documents_indexed,
)
from engine.monitor.terminal_text import LegibleRecord, legible, legible_json
from engine.monitor.ttl_cache import Glance

__all__ = [
    "ALARM",
    "Counters",
    "Glance",
    "LegibleRecord",
    "Line",
    "Progress",
    "census_lines",
    "census_object",
    "crawl_progress",
    "crawl_summary",
    "describe_ruling",
    "documents_indexed",
    "forecast_lines",
    "forecast_object",
    "format_progress",
    "legible",
    "legible_json",
    "ruling_lines",
    "ruling_object",
    "ruling_of_host",
    "visible",
]
