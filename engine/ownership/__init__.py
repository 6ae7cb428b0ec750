"""Lets owners of crawled hosts show that a host is theirs, and see and change what is known of it."""

from engine.ownership.access import CheckedOften, NotProved, OwnerAccess
from engine.ownership.check import MarkLook, MarkState
from engine.ownership.known_hosts import UnknownHost
from engine.ownership.mark import file_path, file_text, make_key, make_value, meta_element
from engine.ownership.owner_removals import load_removals, parse_own_target, require_room, save_removal
from engine.ownership.page_texts import PageTexts, load_page_texts
from engine.ownership.site_report import (
    SiteOverview,
    UrlList,
    load_errors,
    load_left_out,
    load_missing_urls,
    load_overview,
)

__all__ = [
    "CheckedOften",
    "MarkLook",
    "MarkState",
    "NotProved",
    "OwnerAccess",
    "PageTexts",
    "SiteOverview",
    "UnknownHost",
    "UrlList",
    "file_path",
    "file_text",
    "load_errors",
    "load_left_out",
    "load_missing_urls",
    "load_overview",
    "load_page_texts",
    "load_removals",
    "make_key",
    "make_value",
    "meta_element",
    "parse_own_target",
    "require_room",
    "save_removal",
]
