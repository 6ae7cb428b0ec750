"""Answers queries: what a person typed -> a page of results. The door for search_ui and commands."""

from engine.search.answer import answer_query
from engine.search.explain import MEANING, Explanation, describe_secrets, explain_url, format_time
from engine.search.search import WAYS, Search, retry_open

__all__ = [
    "MEANING",
    "WAYS",
    "Explanation",
    "Search",
    "answer_query",
    "describe_secrets",
    "explain_url",
    "format_time",
    "retry_open",
]
