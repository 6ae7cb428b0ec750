"""The readers of strangers' octets that are fuzzed, each with seeds from our tables."""

import json
import tempfile
from functools import cache
from pathlib import Path

from engine.errors import DamagedError, PageError
from engine.formats import EPUB, FORMATS, HTML, PDF, XHTML
from engine.index.indexing.follow import Follower
from engine.robots import AGENT, RobotsResponse, RobotsTxt, directives, interpret_response, read_sitemap
from engine.robots.sitemap import MAX_CHILDREN, MAX_ENTRIES, MAX_WARNINGS
from engine.search.search import SearchService
from engine.segment.segment import Segment
from engine.text.charset.charset import decode
from engine.text.html.outlinks import MAX_LINKS
from engine.text.html.sections import MAX_TEXT
from engine.url import MAX_URL_LENGTH, canonicalize, find_trap
from engine.workers.body import read_body
from engine.workers.frames import encode_reading
from search_ui.search_request import MAX_TYPED
from tests.engine.index.source import Memory
from tests.engine.segment.plain import as_segment, some_documents
from tests.engine.text.documents.test_pdf import WHOLE as PDFS
from tests.epubs import epub_parts
from tests.fuzz.heads import ACCEPTED, CHUNKED, GIVEN, POSTED, answer_head, request_head
from tests.fuzz.laws import Target
from tests.office import MAIN_PARTS, office_files, small_documents, small_rtf
from tests.papers import package, pdf
from tests.search_ui.hit_corpus import PAGES

TABLES = Path(__file__).parent.parent / "tables"
URL = "http://h.example/a/b?c=d"
OFFICE_TYPES = {one.name: one.media_types[0] for one in FORMATS}
MAX_KEPT = 20 * 1024 * 1024  # bytes that go from a reader to the crawl, whatever the page


def octets(table: str, column: int = 0) -> list[bytes]:
    """One column of a table of cases."""
    rows = json.loads((TABLES / table).read_text(encoding="utf-8"))
    return [str(row[column]).encode("utf-8", "surrogatepass") for row in rows]


def robots(data: bytes) -> None:
    rules = RobotsTxt.parse(data)
    assert rules.allowed(AGENT, URL) == rules.explain(AGENT, URL).allowed
    assert rules.statistics
    assert (rules.crawl_delay(AGENT) or 0) >= 0
    assert all(rate.pause >= 0 for rate in rules.request_rates(AGENT))
    rules.visit_times(AGENT)
    assert sum(map(len, rules.sitemaps)) <= len(data)
    assert len(rules.warnings) <= len(data) + 10
    interpret_response(RobotsResponse(200, {}, data, ""), 0.0, None)


def sitemap(data: bytes) -> None:
    found = read_sitemap(data, URL, scope="host")
    assert len(found.entries) <= MAX_ENTRIES
    assert len(found.sitemaps) <= MAX_CHILDREN
    assert len(found.warnings) <= MAX_WARNINGS
    assert all(entry.loc.startswith("http://h.example/") for entry in found.entries)


def charset(data: bytes) -> None:
    label, _, body = data.partition(b"\n")
    text, _ = decode(body, f"text/html; charset={label.decode('latin-1')}")
    assert len(text) <= len(body) * 2
    assert "\0" not in text
    text.encode()


def document(data: bytes, kind: str) -> None:
    """Everything that a reader process does with a body."""
    try:
        read = read_body(data, URL, kind, [("content-type", kind)])
    except PageError:
        return
    assert len(read.outlinks) <= MAX_LINKS
    assert all(len(url) <= 3 * MAX_URL_LENGTH + MAX_TEXT for url in read.outlinks)
    assert len(encode_reading(read)) <= MAX_KEPT


def html(data: bytes) -> None:
    document(data, XHTML if data[:1] == b"?" else HTML)


def pdf_file(data: bytes) -> None:
    document(data, PDF)


def office_target(name: str) -> Target:
    """A format's packages; or the text inside a sound one, as mutations of a zip seldom reach it."""
    part = MAIN_PARTS[name]

    def read(data: bytes) -> None:
        if not data.startswith(b"PK"):
            data = package({**small_documents()[name], part: data})
        document(data, OFFICE_TYPES[name])

    return Target(name, read, lambda: [office_files()[name], str(small_documents()[name][part]).encode()])


def rtf_file(data: bytes) -> None:
    document(data, OFFICE_TYPES["rtf"])


def epub_file(data: bytes) -> None:
    """A package; or a chapter inside a sound one."""
    if not data.startswith(b"PK"):
        data = package({**epub_parts(), "OEBPS/text/one.xhtml": data})
    document(data, EPUB)


def meta(data: bytes) -> None:
    """META robots and X-Robots-Tag."""
    tags, _, header = data.decode("latin-1").partition("\n")
    directives([("robots", tags)], [("x-robots-tag", header)], AGENT, 0.0)


def url(data: bytes) -> None:
    try:
        found = canonicalize(data.decode("utf-8", "replace"), URL)
    except ValueError:
        return
    assert canonicalize(found) == found
    assert found.isascii()
    find_trap(found)


@cache
def _index() -> SearchService:
    folder = Path(tempfile.mkdtemp(prefix="fuzz-index-"))
    Follower(Memory(*PAGES), folder).catch_up()
    return SearchService(folder)


def query(data: bytes) -> None:
    typed = data.decode("utf-8", "replace")[:MAX_TYPED]
    search = _index()
    assert len(search.search(typed).hits) <= 10
    search.complete(typed)
    search.explain(PAGES[0].url, typed)


@cache
def _segment() -> tuple[Path, bytes]:
    path = Path(tempfile.mkdtemp(prefix="fuzz-segment-")) / "segment"
    as_segment(path, some_documents(1, 3, 10))
    return path, path.read_bytes()


def segment_file(data: bytes) -> None:
    """A whole file, or (after an octet of zero) octets that take the place of those of a sound one."""
    path, sound = _segment()
    if data[:1] == b"\0":
        changed = bytearray(sound)
        for at in range(1, len(data) - 3, 4):
            changed[int.from_bytes(data[at : at + 3], "big") % len(sound)] = data[at + 3]
        data = bytes(changed)
    path.write_bytes(data)
    try:
        found = Segment(path)
        found.check()
    except DamagedError:
        return
    assert list(found.terms())
    found.stored(0)


CODED = [b"utf-8\nabc", "iso-2022-jp\n漢字".encode("iso-2022-jp"), b"gb18030\n\x81\x30\x81\x30"]
TYPED = ('spider -web "orb webs" OR silk*', "site:a.example lang:en", "(a OR (b c)) after:2020", "паук 蜘蛛")

TARGETS = {
    one.name: one
    for one in (
        Target("robots", robots, lambda: octets("robots_files.json")),
        Target("sitemap", sitemap, lambda: octets("sitemap_bodies.json")),
        Target("charset", charset, lambda: CODED),
        Target(
            "html",
            html,
            lambda: [b"<title>a</title><p>b<a href=c>d</a><h2 id=e>f</h2>", b"?<p/><![CDATA[a]]>"],
        ),
        Target("pdf", pdf_file, lambda: [pdf(["#A", "words"]), pdf(["a"], ["b"], link="http://h/"), *PDFS]),
        *map(office_target, MAIN_PARTS),
        Target("rtf", rtf_file, lambda: [small_rtf(), rb"{\rtf1\u8364 ?\'80{\field{\*\fldinst x}}}"]),
        Target("epub", epub_file, lambda: [package(epub_parts()), b"<h1>Webs</h1><p>A <a href=b>b</a></p>"]),
        Target("answer head", answer_head, lambda: [b"\xff" + GIVEN, b"\x01" + CHUNKED]),
        Target("request head", request_head, lambda: [b"\xff" + ACCEPTED * 2, b"\x01" + POSTED + ACCEPTED]),
        Target("query", query, lambda: [typed.encode() for typed in TYPED], 512),
        Target("segment", segment_file, lambda: [b"\0\0\0\1\2", _segment()[1][:4096]], 4096),
        Target("meta", meta, lambda: octets("meta_robots.json"), 2048),
        Target("url", url, lambda: octets("urls.json"), 2048),
    )
}
