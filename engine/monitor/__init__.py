"""Reports progress and alarms to the operator: counters, progress lines, terminal text."""

from engine.monitor.alarm import ALARM
from engine.monitor.counters import Counters
from engine.monitor.log_filters import is_no_certificate_error, is_no_database_error
from engine.monitor.progress import Progress
from engine.monitor.progress_line import ProgressLine, count, format_progress, span
from engine.monitor.terminal_text import LegibleRecord, legible, legible_json
from engine.monitor.ttl_cache import TtlCache

__all__ = [
    "ALARM",
    "Counters",
    "LegibleRecord",
    "Progress",
    "ProgressLine",
    "TtlCache",
    "count",
    "format_progress",
    "is_no_certificate_error",
    "is_no_database_error",
    "legible",
    "legible_json",
    "span",
]
