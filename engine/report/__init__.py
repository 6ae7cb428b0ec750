"""Reports a crawl, a robots.txt and a plan, as text and as JSON; words what others print."""

from engine.report.comparison import comparison_lines, comparison_object, host_lines, host_object
from engine.report.failures import next_try
from engine.report.request_log import format_entry
from engine.report.ruling import explain_robots, ruling_lines, ruling_object, ruling_of_host
from engine.report.summary import (
    census_lines,
    census_object,
    crawl_progress,
    crawl_summary,
    documents_indexed,
)
from engine.report.wording import MEANING, describe_secrets, escape_text, format_bytes, format_time

__all__ = [
    "MEANING",
    "census_lines",
    "census_object",
    "comparison_lines",
    "comparison_object",
    "crawl_progress",
    "crawl_summary",
    "describe_secrets",
    "documents_indexed",
    "escape_text",
    "explain_robots",
    "format_bytes",
    "format_entry",
    "format_time",
    "host_lines",
    "host_object",
    "next_try",
    "ruling_lines",
    "ruling_object",
    "ruling_of_host",
]
