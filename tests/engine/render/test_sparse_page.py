"""Which pages say nothing, or next to nothing, before their scripts have run: as they are read."""

import pytest

from engine.packing import unpack
from engine.render.sparse_page import SPARSE_CHARACTERS, has_scripts, is_empty, is_sparse
from engine.workers.body import read_body

SHELL = (
    "<!DOCTYPE html><title>App</title><div id=root></div>"
    "<noscript>You need to enable JavaScript to run this app.</noscript><script src=/a.js></script>"
)
LONG = "A sentence that is read before any script has run. " * 8

PAGES = [
    (SHELL, True, True, "the shell of an application; what NOSCRIPT says is not its text"),
    (SHELL.replace("<div id=root>", "<div id=root>Loading..."), False, True, "next to nothing"),
    (f"<title>t</title><p>{LONG}</p><script></script>", False, False, "a page"),
    (f"<title>t</title><nav>{LONG}</nav><p>x</p>", False, False, "navigation is text, too"),
    (f"<title>{LONG}</title>", True, True, "a title alone says nothing"),
    (f"<p>{'x' * (SPARSE_CHARACTERS - 1)}</p>", False, True, "one character less"),
    (f"<p>{'x' * SPARSE_CHARACTERS}</p>", False, False, "as many as it takes"),
    ("", True, True, "nothing at all"),
]


@pytest.mark.parametrize(("body", "empty", "sparse", "why"), PAGES)
def test_pages_that_say_nothing(body: str, empty: bool, sparse: bool, why: str) -> None:
    reading = read_body(body.encode(), "http://h.example/", "text/html", ())
    page = unpack(reading.content, {"url": "", "language": "", "media_type": "text/html"})
    assert (is_empty(reading), is_sparse(page)) == (empty, sparse), why


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (b"<script>x</script>", True),
        (b"<SCRIPT\nsrc=x>", True),
        (b"<scripted>", False),
        (b"script", False),
        (b"", False),
    ],
)
def test_scripts_are_seen(body: bytes, found: bool) -> None:
    assert has_scripts(body) is found
