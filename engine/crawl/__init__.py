"""Runs one crawl: hands out claims, takes visits back, commits some fifty at a time. No Scrapy here."""

from engine.crawl.components import build_components
from engine.crawl.crawl import Crawl
from engine.crawl.discovery import SITEMAP_DEPTH
from engine.crawl.limits import Limits
from engine.crawl.link_queue import split_sitemap
from engine.crawl.opening import load_moved_sites
from engine.crawl.pending import page_of
from engine.crawl.permissions import interpret_robots, save_refreshed_robots
from engine.crawl.response_policy import (
    CUT_SHORT,
    HEAD_TOO_LARGE,
    LOGIN_FAILED,
    NEEDS_LOGIN,
    NO_HTTP,
    OUT_OF_MEMORY,
    SUCCESS,
    apply_directives,
    classify_response,
    next_hop,
    select_headers,
)
from engine.crawl.silent_hosts import SilentHosts, WaitingHost, find_waiting_hosts
from engine.crawl.walk import Walk

__all__ = [
    "CUT_SHORT",
    "HEAD_TOO_LARGE",
    "LOGIN_FAILED",
    "NEEDS_LOGIN",
    "NO_HTTP",
    "OUT_OF_MEMORY",
    "SITEMAP_DEPTH",
    "SUCCESS",
    "Crawl",
    "Limits",
    "SilentHosts",
    "WaitingHost",
    "Walk",
    "apply_directives",
    "build_components",
    "classify_response",
    "find_waiting_hosts",
    "interpret_robots",
    "load_moved_sites",
    "next_hop",
    "page_of",
    "save_refreshed_robots",
    "select_headers",
    "split_sitemap",
]
