"""Answers queries: what a person typed -> a page of results. The door for search_ui and commands."""

from engine.search.answer import answer_query
from engine.search.search import WAYS, Search, retry_open

__all__ = [
    "WAYS",
    "Search",
    "answer_query",
    "retry_open",
]
