"""Answers queries: query text -> page of results. search_ui and the commands use this package."""

from engine.search.answer import answer_query
from engine.search.opening import open_snapshot
from engine.search.query_syntax import QUERY_SYNTAX
from engine.search.search import SearchService, retry_open

__all__ = [
    "QUERY_SYNTAX",
    "SearchService",
    "answer_query",
    "open_snapshot",
    "retry_open",
]
