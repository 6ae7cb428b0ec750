"""Reads stored pages: text, layout, section ids."""

from engine.index.stored_pages.page_layout import MAX_TEXT, Numbers, PageLayout
from engine.index.stored_pages.section_ids import (
    choose_name,
    find_named_sections,
    list_definitions,
    match_id,
    match_name,
    strip_lines,
)
from engine.index.stored_pages.stored_page import StoredPage, encode_kept_runs, unpack_page

__all__ = [
    "MAX_TEXT",
    "Numbers",
    "PageLayout",
    "StoredPage",
    "choose_name",
    "encode_kept_runs",
    "find_named_sections",
    "list_definitions",
    "match_id",
    "match_name",
    "strip_lines",
    "unpack_page",
]
