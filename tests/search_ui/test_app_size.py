"""How much is sent for a page, and when it is compressed."""

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from engine.index.indexing.follow import Follower
from engine.model.page import Page
from engine.search.search import SearchService
from search_ui.app import MIN_ZIPPED_BYTES, create_app
from tests.engine.index.source import Memory, page
from tests.search_ui.asgi import Asking
from tests.search_ui.conftest import IDENTITY, Site

MAX_PAGE_BYTES = 30_000  # a page of hits as it is sent: a second on a slow line
TEXT = " ".join(f"The spider of cave {number} waits in burrow {number * 7}." for number in range(400))


@pytest.fixture
def ten_hits(tmp_path: Path) -> Iterator[Asking]:
    """Real hits, each with all that a hit shows."""
    Follower(Memory(*map(_page, range(30))), tmp_path).catch_up()
    with closing(SearchService(tmp_path)) as search:
        yield Asking(create_app(search, lambda: None, IDENTITY))


def _page(number: int) -> Page:
    title = f"{number} spiders of the caves in the far mountains, their burrows and how they wait there"
    return page(
        f"http://host{number % 10}.example/guide/of/spiders/page-{number}.html", f"{title}. {TEXT}", title
    )


def test_ten_hits_are_small(ten_hits: Asking) -> None:
    """Issue 8, 7."""
    answer = ten_hits.get("/search?q=spider+burrow", {"Accept-Encoding": "gzip"})
    assert answer.text.count('<li class="hit"') == 10
    assert answer.headers["Content-Encoding"] == "gzip"
    assert int(answer.headers["Content-Length"]) < MAX_PAGE_BYTES / 4
    assert len(answer.content) < MAX_PAGE_BYTES, "even where nobody unpacks it"


def test_a_page_asks_for_a_style_sheet_and_nothing_else_that_it_waits_for(site: Site) -> None:
    """A module is fetched beside the page, and runs after it (HTML, 4.12.1); an icon holds up nothing."""
    page = site.get("/search?q=a").text
    assert len(re.findall(r'<link rel="stylesheet"|@import', page)) == 1
    assert re.findall(r"<script[^>]*>", page) == ['<script src="/static/lycosa.js" type="module">']
    assert not re.search(r"<(img|iframe|object|embed|video|audio)\b", page)


@pytest.mark.parametrize(
    ("target", "accepted", "encoding", "why"),
    [
        ("/search?q=a", "gzip, deflate, br", "gzip", "what browsers say"),
        ("/search?q=a", "identity", None, "who cannot unpack it gets it as it is"),
        ("/search?q=a", "br", None, "nor is it sent as something else"),
        ("/api/search?q=a", "gzip", "gzip", "programs, too"),
        ("/static/style.css", "gzip", "gzip", "a file"),
        ("/static/lycosa.js", "gzip", "gzip", "a script"),
        ("/health", "gzip", None, "shorter than a packet"),
        ("/search?q=broken", "gzip", None, "our own fault is told as simply as can be"),
    ],
)
def test_answers_are_compressed_for_who_can_unpack_them(
    site: Site, target: str, accepted: str, encoding: str | None, why: str
) -> None:
    plain = site.client.get(target, headers={"Accept-Encoding": "identity"})
    answer = site.client.get(target, headers={"Accept-Encoding": accepted})
    assert answer.headers.get("Content-Encoding") == encoding, why
    assert answer.status_code == plain.status_code
    assert _untimed(answer) == _untimed(plain)
    if encoding:
        assert "Accept-Encoding" in answer.headers["Vary"], "caches keep both apart"
        assert int(answer.headers["Content-Length"]) < int(plain.headers["Content-Length"])
        assert len(plain.content) >= MIN_ZIPPED_BYTES


def test_a_head_and_a_part_stay_true(site: Site) -> None:
    """RFC 9110, 14: a part is one of the file as it is; a head has no body to unpack."""
    part = site.client.get("/static/style.css", headers={"Accept-Encoding": "gzip", "Range": "bytes=0-1999"})
    assert (part.status_code, len(part.content)) == (206, 2_000)
    assert "Content-Encoding" not in part.headers
    head = site.client.head("/search?q=a", headers={"Accept-Encoding": "gzip"})
    assert (head.status_code, head.content) == (200, b"")


def _untimed(answer: httpx.Response) -> str:
    return re.sub(r"[0-9.]+ ms", "", answer.text)
