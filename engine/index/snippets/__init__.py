"""Makes snippets: the passage of a page that answers a query, with its matches marked."""

from engine.index.snippets.matcher import QueryMatcher, build_matcher
from engine.index.snippets.section import escape_fragment
from engine.index.snippets.section_ids import list_definitions
from engine.index.snippets.snippet import make_snippet
from engine.index.snippets.stored_page import StoredPage, encode_kept_runs, unpack_page
from engine.index.snippets.text_copy import NoCopy, TextCopy, check_copy, make_text_copy

__all__ = [
    "NoCopy",
    "QueryMatcher",
    "StoredPage",
    "TextCopy",
    "build_matcher",
    "check_copy",
    "encode_kept_runs",
    "escape_fragment",
    "list_definitions",
    "make_snippet",
    "make_text_copy",
    "unpack_page",
]
