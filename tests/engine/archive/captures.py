"""Captures of all kinds, each row one URL, and what becomes of it when all are imported at once."""

import gzip
from typing import Any, NamedTuple

import brotli
import zstandard

from tests.engine.text.screening.test_secrets import KEY, pem
from tests.warcs import DATE, chunked, record, response

A, B = "http://a.test", "http://b.test"
EARLIER, LATER = "2025-12-31T00:00:00Z", "2026-02-01T00:00:00Z"
ROBOTS = b"User-agent: *\nDisallow: /private\n"


class Row(NamedTuple):
    """A URL, its captures, and its state and first words in the end; '' for a URL that is not known."""

    url: str
    records: list[bytes]
    state: str
    words: str  # of the page, or the reason
    why: str


def html(words: str, head: str = "") -> bytes:
    """A page that has these words and no other has."""
    return f"<html><head><title>{words}</title>{head}</head><body><p>{words} is told here.".encode()


def of(path: str, block: bytes, host: str = A, **given: Any) -> bytes:
    """The record of a path."""
    return record(f"{host}{path}", block, **given)


def one(path: str, block: bytes, state: str, words: str, why: str, host: str = A) -> Row:
    """A URL with one capture."""
    return Row(f"{host}{path}", [of(path, block, host)], state, words, why)


GZIPPED = gzip.compress(html("Packed"))
TORN = response(GZIPPED[:40], content_encoding="gzip")
META = '<meta name="robots" content="noindex">'
REFERS = {"WARC_Refers_To_Target_URI": f"{A}/plain"}
ROWS = [
    Row(
        f"{A}/robots.txt", [of("/robots.txt", response(ROBOTS, content_type="text/plain"))], "", "", "no page"
    ),
    one("/plain", response(html("Plain")), "stored", "Plain", "a page"),
    one(
        "/chunks",
        response(chunked(html("Chu"), b"nks"), transfer_encoding="chunked"),
        "stored",
        "Chu",
        "chunks, as wget writes them",
    ),
    one(
        "/joined",
        response(html("Joined"), transfer_encoding="chunked"),
        "stored",
        "Joined",
        "joined by the writer, whatever the header says",
    ),
    one("/gzip", response(GZIPPED, content_encoding="gzip"), "stored", "Packed", "packed as it came"),
    one(
        "/both",
        response(chunked(gzip.compress(html("Both"))), transfer_encoding="chunked", content_encoding="gzip"),
        "stored",
        "Both",
        "packed, in chunks",
    ),
    one(
        "/unpacked",
        response(html("Unpacked"), content_encoding="gzip"),
        "stored",
        "Unpacked",
        "unpacked by a browser",
    ),
    one(
        "/brotli",
        response(brotli.compress(html("Brotli")), content_encoding="br"),
        "stored",
        "Brotli",
        "brotli, as browsers ask for",
    ),
    one(
        "/nobrotli",
        response(html("Nobrotli"), content_encoding="br"),
        "stored",
        "Nobrotli",
        "the same, unpacked",
    ),
    one(
        "/zstd", response(zstandard.compress(html("Zstd")), content_encoding="zstd"), "stored", "Zstd", "zstd"
    ),
    one(
        "/latin",
        response(
            "<title>Café</title><p>Café".encode("latin-1"), content_type="text/html; charset=iso-8859-1"
        ),
        "stored",
        "Café",
        "another charset",
    ),
    one("/text", response(b"Text of a plain file", content_type="text/plain"), "stored", "", "plain text"),
    one("/picture", response(b"\x89PNG", content_type="image/png"), "", "", "a type that is not read"),
    one("/private/x", response(html("Private")), "disallowed", "robots.txt", "its robots.txt forbids it"),
    one("/free", response(html("Free")), "stored", "Free", "a host without robots.txt in the archive", B),
    one("/meta", response(html("Meta", META)), "noindex", "noindex", "META robots"),
    one("/header", response(html("Header"), X_Robots_Tag="noindex"), "noindex", "noindex", "X-Robots-Tag"),
    one(
        "/moved",
        response(b"", "301 Moved", Location="/plain"),
        "alias",
        "redirect",
        "a redirect to a page of the archive",
    ),
    one(
        "/away",
        response(b"", "301 Moved", Location="http://c.test/"),
        "skipped",
        "redirect out of scope",
        "a redirect to none of it",
    ),
    one("/gone", response(b"", "404 Not Found"), "gone", "http 404", "there was no page"),
    one("/broken", response(b"", "500 Oops"), "", "", "a failure says nothing of the page"),
    one("/partial", response(html("Partial"), "206 Partial"), "", "", "a part of a page"),
    one("/copy", response(html("Plain")), "alias", "duplicate", "the text of another"),
    one(
        "/canonical",
        response(html("Canonical", f'<link rel="canonical" href="{A}/plain">')),
        "alias",
        "canonical",
        "another URL is preferred, and is there",
    ),
    one(
        "/lost",
        response(html("Lost", f'<link rel="canonical" href="{A}/nowhere">')),
        "stored",
        "Lost",
        "the preferred one is not there",
    ),
    one(
        "/secret",
        response(html(pem("RSA PRIVATE KEY", KEY))),
        "skipped",
        "quarantine: private key",
        "a key stands on it",
    ),
    one(
        "/damaged",
        TORN,
        "",
        "",
        "packed, and cut",
    ),
    Row(
        f"{A}/torn",
        [of("/torn", TORN), of("/torn", response(html("Torn")), date=EARLIER), of("/torn", TORN, date=LATER)],
        "stored",
        "Torn",
        "the newest two are damaged: the one before",
    ),
    Row(f"{A}/rags", [of("/rags", TORN), of("/rags", TORN, date=EARLIER)], "", "", "all are damaged"),
    Row(
        f"{A}/patched",
        [
            of("/patched", TORN, date=EARLIER, WARC_Payload_Digest="sha1:P"),
            of("/whole", response(html("Patched")), WARC_Payload_Digest="sha1:P"),
            of("/patched", b"", kind="revisit", date=LATER, WARC_Payload_Digest="sha1:P"),
        ],
        "alias",
        "duplicate",
        "a revisit of a body that is damaged: another with the same digest",
    ),
    one("/a%2fb?utm_source=x", response(html("Tracked")), "", "", "known by its canonical spelling"),
    Row(
        f"{A}/versions",
        [
            of("/versions", response(html(words)), date=date)
            for words, date in (("Old", EARLIER), ("New", LATER), ("Middle", DATE))
        ],
        "stored",
        "New",
        "several captures: the newest",
    ),
    Row(
        f"{A}/left",
        [of("/left", response(html("Left")), date=EARLIER), of("/left", response(b"", "410 Gone"))],
        "gone",
        "http 410",
        "the newest says that it is gone",
    ),
    Row(
        f"{A}/digest",
        [
            of("/digest", response(html("Digest")), date=EARLIER, WARC_Payload_Digest="sha1:D"),
            of("/digest", b"", kind="revisit", WARC_Payload_Digest="sha1:D"),
        ],
        "stored",
        "Digest",
        "a revisit: the body of the same digest",
    ),
    Row(
        f"{A}/refers",
        [of("/refers", b"", kind="revisit", more=REFERS)],
        "alias",
        "duplicate",
        "a revisit: the body of another URL",
    ),
    Row(
        f"{A}/unchanged",
        [
            of("/unchanged", response(html("Unchanged")), date=EARLIER),
            of("/unchanged", response(b"", "304 Not Modified"), kind="revisit"),
        ],
        "stored",
        "Unchanged",
        "a revisit: 304",
    ),
    Row(
        f"{A}/forbidden",
        [
            of("/forbidden", response(html("Forbidden")), date=EARLIER),
            of("/forbidden", response(b"", X_Robots_Tag="noindex"), kind="revisit"),
        ],
        "noindex",
        "noindex",
        "a revisit with a new X-Robots-Tag",
    ),
    Row(
        f"{A}/orphan",
        [of("/orphan", b"", kind="revisit", WARC_Payload_Digest="sha1:none")],
        "",
        "",
        "a revisit of what is not there",
    ),
    Row("http://a.test:x/", [record("http://a.test:x/")], "", "", "no URL"),
]
