"""Explains a URL, a crawl, a robots.txt and a plan, as text and as JSON."""

from engine.explain.explain import MEANING, Explanation, describe_secrets, explain_url, format_time
from engine.explain.forecast import forecast_lines, forecast_object
from engine.explain.report import comparison_lines, comparison_object, host_lines, host_object
from engine.explain.ruling import escape_text, explain_robots, ruling_lines, ruling_object, ruling_of_host
from engine.explain.summary import (
    census_lines,
    census_object,
    crawl_progress,
    crawl_summary,
    documents_indexed,
)

__all__ = [
    "MEANING",
    "Explanation",
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
    "explain_url",
    "forecast_lines",
    "forecast_object",
    "format_time",
    "host_lines",
    "host_object",
    "ruling_lines",
    "ruling_object",
    "ruling_of_host",
]
