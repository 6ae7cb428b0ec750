"""Makes snippets: the passage of a page that answers a query, with its matches marked."""

from engine.index.snippets.matcher import Matcher, sought
from engine.index.snippets.section import escaped
from engine.index.snippets.section_ids import definitions
from engine.index.snippets.snippet import make_snippet
from engine.index.snippets.stored_page import Shown, kept, shown
from engine.index.snippets.text_copy import NoCopy, TextCopy, make_text_copy, no_copy

__all__ = [
    "Matcher",
    "NoCopy",
    "Shown",
    "TextCopy",
    "definitions",
    "escaped",
    "kept",
    "make_snippet",
    "make_text_copy",
    "no_copy",
    "shown",
    "sought",
]
