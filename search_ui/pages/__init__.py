"""Shows the pages for people: search, hits, submissions, owners of sites."""

from search_ui.pages.embedding import embedding_page
from search_ui.pages.hit_pages import HitPages
from search_ui.pages.owner_pages import CHECK, OwnerPages
from search_ui.pages.search_pages import SearchPages
from search_ui.pages.submit_pages import JSON, SubmitPages, as_object

__all__ = [
    "CHECK",
    "JSON",
    "HitPages",
    "OwnerPages",
    "SearchPages",
    "SubmitPages",
    "as_object",
    "embedding_page",
]
