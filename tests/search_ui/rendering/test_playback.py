"""A hit links to a playback of its page, of the second at which it was fetched, where there is one."""

from dataclasses import replace

import pytest

from engine.config import ServerConfig
from search_ui.app import create_app
from tests.search_ui.asgi import Asking
from tests.search_ui.conftest import IDENTITY, PLAIN, Searcher

WAYBACK = "https://web.archive.org/web/{timestamp}/{url}"
LINKS = [
    (WAYBACK, PLAIN.url, f"https://web.archive.org/web/20260502102030/{PLAIN.url}", "a playback"),
    ("", PLAIN.url, "", "none"),
    (WAYBACK, "javascript:alert(1)", "", "what is no address of a page"),
    (
        "http://h/?u={url}",
        "http://a.example/?a=1&b=<",
        "http://h/?u=http://a.example/?a=1&amp;b=&lt;",
        "escaped",
    ),
]


@pytest.mark.parametrize(("template", "url", "link", "why"), LINKS, ids=[why for *_, why in LINKS])
def test_hits_link_to_a_playback(template: str, url: str, link: str, why: str) -> None:
    searcher = Searcher({"x": [replace(PLAIN, url=url)]})
    app = create_app(searcher, lambda: None, IDENTITY, ServerConfig(playback=template))
    page = Asking(app).get("/search?q=x").text
    assert ("Archived page" in page) is bool(link), why
    assert f'href="{link}" rel="noreferrer">Archived page' in page or not link, why
