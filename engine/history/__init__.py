"""Records what was requested and skipped: a log of requests, and counts of each host."""

from engine.history.comparison import Comparison, HostChange, RoundTotals, compare_last_rounds
from engine.history.host_counts import HISTORY, HostRow, load_host_row, load_host_rows, open_history
from engine.history.log_files import LOG_FOLDER
from engine.history.recorder import Recorder
from engine.history.samples import MINUTE, Sample, load_samples, record_sample
from engine.history.tracing import count_recent_skips, trace_target

__all__ = [
    "HISTORY",
    "LOG_FOLDER",
    "MINUTE",
    "Comparison",
    "HostChange",
    "HostRow",
    "Recorder",
    "RoundTotals",
    "Sample",
    "compare_last_rounds",
    "count_recent_skips",
    "load_host_row",
    "load_host_rows",
    "load_samples",
    "open_history",
    "record_sample",
    "trace_target",
]
