"""Reads an HTML page: title, sections, links and metadata, in one parse."""

from engine.text.html.head import MAX_TITLE, Head, find_canonical, first_value
from engine.text.html.markup import read_html
from engine.text.html.outlinks import MAX_ANCHOR, MAX_HREF, MAX_LINKS, LinkBase, resolve_link
from engine.text.html.sections import MAX_SECTIONS, MAX_TEXT
from engine.text.html.shadow_trees import MAX_TREES

__all__ = [
    "MAX_ANCHOR",
    "MAX_HREF",
    "MAX_LINKS",
    "MAX_SECTIONS",
    "MAX_TEXT",
    "MAX_TITLE",
    "MAX_TREES",
    "Head",
    "LinkBase",
    "find_canonical",
    "first_value",
    "read_html",
    "resolve_link",
]
