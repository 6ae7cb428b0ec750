"""Makes snippets: the passage of a page that answers a query, with its matches marked."""

from engine.index.snippets.matcher import QueryMatcher, build_matcher
from engine.index.snippets.section import escape_fragment
from engine.index.snippets.snippet import make_snippet
from engine.index.snippets.text_copy import NoCopy, TextCopy, check_copy, make_text_copy

__all__ = [
    "NoCopy",
    "QueryMatcher",
    "TextCopy",
    "build_matcher",
    "check_copy",
    "escape_fragment",
    "make_snippet",
    "make_text_copy",
]
