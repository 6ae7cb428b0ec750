"""Serves the pages for people: search, text copies, submissions, site owners."""

from search_ui.pages.embedding import show_embedding
from search_ui.pages.hit_pages import HitPages
from search_ui.pages.owner_pages import CHECK, OwnerPages
from search_ui.pages.search_pages import SearchPages
from search_ui.pages.sign_in_pages import SignInPages, open_sign_in
from search_ui.pages.submit_pages import (
    BUSY,
    BUSY_SECONDS,
    JSON,
    SubmitPages,
    encode_submission,
    read_posted_fields,
)

__all__ = [
    "BUSY",
    "BUSY_SECONDS",
    "CHECK",
    "JSON",
    "HitPages",
    "OwnerPages",
    "SearchPages",
    "SignInPages",
    "SubmitPages",
    "encode_submission",
    "open_sign_in",
    "read_posted_fields",
    "show_embedding",
]
