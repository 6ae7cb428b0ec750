"""A click on a hit scrolls to the passage, by a text fragment where no anchor is near (WICG)."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from engine.index.indexing.follow import Follower
from engine.search.search import SearchService
from engine.text.html.markup import read_html
from search_ui.app import create_app
from tests.engine.index.source import Memory
from tests.search_ui.conftest import IDENTITY, answering
from tests.web.scripted import html, prose, scripted_web

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.chromium, pytest.mark.slow]

PASSAGES = [
    (
        "amber",
        "<p id=there>Here is <b>am</b>ber, in a&nbsp;room - see (a), b &amp; c.</p>",
        "inline markup and signs",
    ),
    ("basil", "<dl><dt>--basil-leaf<dd id=there>Of basil\n  leaves</dl>", "a definition"),
    ("cedar", "<table><tr><td>key<td>A value<tr><td>key 2<td id=there>Cedar</table>", "a cell"),
    (
        "dune",
        f"<p id=there>A dune {'and sand ' * 20}lie before the wide and open sea.</p>",
        "a long sentence",
    ),
    (
        "ember",
        "<p>A glow.</p><p>Not that.</p><p>A glow.</p><p id=there>An ember.</p>",
        "beside what stands twice",
    ),
    ("搜索", "<p>没有。这里没有。</p><p id=there>这是搜索引擎。还有别的。</p>", "Chinese"),
    ("کتاب", "<p dir=rtl>چیزی نیست.</p><p dir=rtl id=there>این کتاب است. آن نیست.</p>", "Persian"),
    ("fern", "<pre>one\n  two</pre><pre id=there>fern = 1</pre>", "code"),
]


def test_a_click_scrolls_to_the_passage(browser: "Browser", tmp_path: Path) -> None:
    far = "".join(prose(str(number)) for number in range(9))
    pages = {f"/{at}": html("Many", f"{far}{body}{far}") for at, (_, body, _) in enumerate(PASSAGES)}
    with scripted_web(pages) as web, closing(SearchService(tmp_path)) as search:
        read = [
            read_html(str(answer.body).encode(), web.url(path), "text/html; charset=utf-8", ())
            for path, answer in pages.items()
        ]
        Follower(Memory(*read), tmp_path).catch_up()
        with answering(create_app(search, lambda: None, IDENTITY)) as client:
            tab = browser.new_page()
            for word, _, why in PASSAGES:
                tab.goto(f"{client.base_url}/search?q={word}")
                tab.locator("h2 a").first.click()
                tab.wait_for_function("scrollY > 0")
                top = tab.locator("#there").evaluate("el => el.getBoundingClientRect().top")
                assert 0 <= top < tab.evaluate("innerHeight"), why
            tab.close()
