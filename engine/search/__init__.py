"""Answers queries: what a person typed -> a page of results. The door for search_ui and commands."""

from engine.search.answer import answer_query
from engine.search.explain import MEANING, Explanation, explain_url, moment, where_it_stands
from engine.search.search import WAYS, Search, patiently

__all__ = [
    "MEANING",
    "WAYS",
    "Explanation",
    "Search",
    "answer_query",
    "explain_url",
    "moment",
    "patiently",
    "where_it_stands",
]
