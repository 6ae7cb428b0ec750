"""One crawl, without Scrapy: claims go out, visits come back, some fifty of them to a commit."""

from engine.crawl.crawl import Crawl
from engine.crawl.leads import pieces
from engine.crawl.limits import Limits
from engine.crawl.opening import keep_journal, moved_sites
from engine.crawl.refresh import refreshed
from engine.crawl.response_policy import (
    CROWDED,
    CUT_SHORT,
    HEAD_TOO_LARGE,
    NO_HTTP,
    SUCCESS,
    judge,
    next_hop,
    weigh,
)
from engine.crawl.unanswered import Unanswered

__all__ = [
    "CROWDED",
    "CUT_SHORT",
    "HEAD_TOO_LARGE",
    "NO_HTTP",
    "SUCCESS",
    "Crawl",
    "Limits",
    "Unanswered",
    "judge",
    "keep_journal",
    "moved_sites",
    "next_hop",
    "pieces",
    "refreshed",
    "weigh",
]
