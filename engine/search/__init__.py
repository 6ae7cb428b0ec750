"""Answers queries: what a person typed -> a page of results. The door for search_ui and commands."""

from engine.search.answer import answer_query
from engine.search.query_syntax import QUERY_SYNTAX
from engine.search.search import SearchService, retry_open

__all__ = [
    "QUERY_SYNTAX",
    "SearchService",
    "answer_query",
    "retry_open",
]
