"""Renders answers: templates, languages, formats of values, feeds and errors."""

from search_ui.rendering.formatting import as_web_link, build_search_url, format_day
from search_ui.rendering.locales import LocaleMiddleware
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
from search_ui.rendering.playback import PlaybackMiddleware
from search_ui.rendering.problems import (
    API,
    HOW_TO_START,
    RETRY_SECONDS,
    call_searcher,
    database_error,
    handle_http_exception,
    handle_server_error,
    index_error,
)
from search_ui.rendering.responses import ROOT, encode_json, render_html
from search_ui.rendering.translations import ENGLISH, LANGUAGE

__all__ = [
    "API",
    "DESCRIPTION",
    "DESCRIPTION_TYPE",
    "ENGLISH",
    "FEED",
    "FEED_TYPE",
    "HOW_TO_START",
    "LANGUAGE",
    "RETRY_SECONDS",
    "ROOT",
    "SUGGESTIONS_TYPE",
    "LocaleMiddleware",
    "PlaybackMiddleware",
    "as_web_link",
    "build_search_url",
    "call_searcher",
    "database_error",
    "encode_json",
    "format_day",
    "format_description",
    "format_rss",
    "format_suggestions",
    "handle_http_exception",
    "handle_server_error",
    "index_error",
    "render_html",
]
