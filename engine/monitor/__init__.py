"""Reports progress and alarms to the operator: counters, progress lines, terminal text."""

from engine.monitor.alarm import ALARM
from engine.monitor.counters import Counters
from engine.monitor.progress import Progress
from engine.monitor.progress_line import Line, format_progress, span
from engine.monitor.terminal_text import LegibleRecord, legible, legible_json
from engine.monitor.ttl_cache import Glance

__all__ = [
    "ALARM",
    "Counters",
    "Glance",
    "LegibleRecord",
    "Line",
    "Progress",
    "format_progress",
    "legible",
    "legible_json",
    "span",
]
