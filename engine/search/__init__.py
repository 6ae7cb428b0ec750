"""Answers queries: query text -> page of results. search_ui and the commands use this package."""

from engine.search.answer import answer_query
from engine.search.opening import SeenIndex, open_snapshot
from engine.search.query_syntax import QUERY_SYNTAX
from engine.search.search import SearchService, retry_open
from engine.search.views import SearchViews

__all__ = [
    "QUERY_SYNTAX",
    "SearchService",
    "SearchViews",
    "SeenIndex",
    "answer_query",
    "open_snapshot",
    "retry_open",
]
