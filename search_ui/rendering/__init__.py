"""Renders answers: templates, languages, formats of values, feeds and errors."""

from search_ui.rendering.formatting import day, search_address, web_link
from search_ui.rendering.locales import Speak
from search_ui.rendering.opensearch import (
    DESCRIPTION,
    DESCRIPTION_TYPE,
    FEED,
    FEED_TYPE,
    SUGGESTIONS_TYPE,
    format_description,
    format_rss,
    format_suggestions,
)
from search_ui.rendering.problems import (
    API,
    HOW_TO_START,
    RETRY_SECONDS,
    answered,
    broken,
    closed,
    refused,
    unreadable,
)
from search_ui.rendering.responses import ROOT, html, to_json

__all__ = [
    "API",
    "DESCRIPTION",
    "DESCRIPTION_TYPE",
    "FEED",
    "FEED_TYPE",
    "HOW_TO_START",
    "RETRY_SECONDS",
    "ROOT",
    "SUGGESTIONS_TYPE",
    "Speak",
    "answered",
    "broken",
    "closed",
    "day",
    "format_description",
    "format_rss",
    "format_suggestions",
    "html",
    "refused",
    "search_address",
    "to_json",
    "unreadable",
    "web_link",
]
