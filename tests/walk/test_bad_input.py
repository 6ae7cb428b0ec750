"""Bad input to a real crawl: each file is counted for what it is, and the crawl goes on."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from engine.search.search import SearchService
from engine.text.html.markup import read_html
from tests.crawling import states
from tests.papers import NO_COPY, docx, docx_parts, locked, package, paper, pdf, pdf_of, stream, word
from tests.running import crawl
from tests.web.scripted import Answer, Route, anchors, html, scripted_web

TOO_MUCH = "reading took too long or too much memory"
PDF, DOCX = {"Content-Type": "application/pdf"}, {"Content-Type": "application/octet-stream"}
HTML, XHTML = {"Content-Type": "text/html"}, {"Content-Type": "application/xhtml+xml"}
FORM = b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 6 0 R>>>>"
DRAWN_FOR_EVER = {
    **paper(["word"]),
    6: stream(b"/X Do /X Do", FORM),
    10: b"<</Type/Page/Parent 2 0 R/Contents 11 0 R/Resources<</XObject<</X 6 0 R>>>>>>",
    11: stream(b"/X Do"),
}
OVERRIDE = "\u202e"
FULL = 10 * 1024 * 1024  # bytes: DOWNLOAD_MAXSIZE


class Row(NamedTuple):
    """A file: what its server sends, what becomes of its URL, and a word that is found on it, '' for none."""

    why: str
    body: bytes
    headers: dict[str, str]
    state: str = "stored"
    reason: str = ""
    word: str = ""


def linked(number: int) -> bytes:
    return b"<p>anchorage</p>" + b"".join(b"<a href=x%x>" % n for n in range(number))


def rows(size: int, links: int) -> list[Row]:
    """The files; large ones have so many bytes, or links."""
    memory = pdf(["word"], contents=stream(b"q " * 5_200_000)) if size == FULL else pdf([])[:300]
    return [
        Row("a PDF", pdf(["avocet"], named={"Title": "Wading"}), PDF, word="avocet"),
        Row("a PDF of no type", pdf(["bittern and more"]), DOCX, word="bittern"),
        Row("a DOCX of no type", docx(word("curlew")), DOCX, word="curlew"),
        Row("a PDF with a password", locked(["dunlin"], password=b"x"), PDF, "skipped", "encrypted"),
        Row(
            "a PDF that is not to be copied", locked(["dunlin"], rights=NO_COPY), PDF, "skipped", "encrypted"
        ),
        Row("half a PDF", pdf(["egret"])[:400], PDF, "skipped", "broken"),
        Row("a PDF that draws itself", pdf_of(DRAWN_FOR_EVER), PDF, "skipped", TOO_MUCH),
        Row(
            "a PDF that wants all memory" if size == FULL else "less than half a PDF",
            memory,
            PDF,
            "skipped",
            TOO_MUCH if size == FULL else "broken",
        ),
        Row(
            "a zip bomb",
            package({**docx_parts(""), "word/document.xml": b" " * size}),
            DOCX,
            "skipped",
            "too large",
        ),
        Row("a zip that is none", b"PK\x03\x04" + b"word/" * 99, DOCX, "skipped", "type"),
        Row("a type that is not wanted", b"plain text", {"Content-Type": "text/plain"}, "skipped", "type"),
        Row("one without a name", b"plain text", {"Content-Type": ""}, "skipped", "type"),
        Row("a program", b"\x7fELF\x02\x01\x01\0", DOCX, "skipped", "type"),
        Row("elements in elements", b"<p>fulmar</p>" + b"<div>" * (size // 5 - 9), HTML, word="fulmar"),
        Row("links without end", linked(links), HTML, word="anchorage"),
        Row("zeros", b"\0<p>god\0wit</p>" + b"\0" * 99_000, HTML, word="godwit"),
        Row("sections of no markup", b"<html><body><![CDATA[heron <]]></body></html>", XHTML, word="heron"),
        Row("words turned around", f"<title>{OVERRIDE}T</title>ibis {OVERRIDE}x".encode(), HTML, word="ibis"),
    ]


def visited(folder: Path, files: list[Row], toml: str = "") -> str:
    """The summary of a crawl of these files; every one has become what it should."""
    (folder / "crawl.toml").write_text(f"types = ['html', 'pdf', 'docx']\n{toml}", encoding="utf-8")
    routes: dict[str, Route] = {f"/{n}": Answer(200, row.body, row.headers) for n, row in enumerate(files)}
    start = html("Start", anchors([*routes, "/last"]))
    last = html("Last", "<p>the last page of this site is a jacana</p>")
    with scripted_web({"/": start, "/last": last, "/gone": Answer(410), **routes}) as site:
        summary = crawl(folder, site.url("/"), max_depth="1")
        known = states(folder)
        for n, row in enumerate(files):
            assert known[site.url(f"/{n}")] == (row.state, row.reason), row.why
        found = SearchService(folder)
        hits = {row.word: found.search(row.word).hits for row in files if row.word}
        for n, row in enumerate(files):
            if row.word:
                assert [hit.url for hit in hits[row.word]] == [site.url(f"/{n}")], row.why
        assert found.search("jacana").total == 1, "the crawl went on"
        found.close()
    assert [(hit.title, hit.media_type) for hit in hits["avocet"]] == [("Wading", "application/pdf")]
    assert [(hit.title, hit.snippet) for hit in hits["ibis"]] == [("T", "ibis x")]
    return summary


@pytest.mark.slow
@pytest.mark.requirement(18, 113, 262, 276)
def test_the_crawl_goes_on(tmp_path: Path) -> None:
    """With a second for each page."""
    summary = visited(tmp_path, rows(size=2_000_000, links=500), "[limits]\npage_cpu_seconds = 1\n")
    for kind in ("encrypted", "broken", TOO_MUCH, "too large", "type"):
        assert f"skipped: {kind}" in summary, summary


@pytest.mark.requirement(18, 276)
@pytest.mark.long
def test_the_crawl_goes_on_at_full_size(tmp_path: Path) -> None:
    """10 MB of nested elements, 10 MB of links, in the two seconds that a page has."""
    visited(tmp_path, rows(size=FULL, links=650_000))


PAGE = (
    '<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Der Titel &amp; mehr</title>'
    '<script>if (a < b) { document.write("<p>") }</script><style>p > a { }</style></head><body>'
    '<!-- ein <b> Kommentar --><p title="a > b">Übermorgen &eacute; <a href="/x?a=1&amp;b=2">dort</a></p>'
    "<![CDATA[ kein Text ]]><ul><li>eins<li>zwei</ul><svg><text>s</text></svg><textarea><p></textarea></body>"
)


def cuts() -> Iterator[bytes]:
    """The page, cut behind every one of its bytes: in tags, values, comments, scripts, entities, letters."""
    whole = PAGE.encode()
    return (whole[:end] for end in range(len(whole) + 1))


@pytest.mark.requirement(113)
def test_a_page_may_end_anywhere() -> None:
    """What was there is read, and nothing becomes a word that was none."""
    whole = read_html(PAGE.encode(), "http://h/", "", [])
    words = {*whole.text.split(), "\ufffd"}
    for cut in cuts():
        page = read_html(cut, "http://h/", "text/html; charset=utf-8", [])
        assert whole.title.startswith(page.title[: page.title.find("&")] if "&" in page.title else page.title)
        assert len(page.links) <= len(whole.links)
        assert all(
            any(known.startswith(one.rstrip("\ufffd&;eacut</")) for known in words)
            for one in page.text.split()
        )
