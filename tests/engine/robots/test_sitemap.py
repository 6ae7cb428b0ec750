"""Sitemaps (C26-C28)."""

import gzip
import socket
from datetime import UTC, datetime
from pathlib import Path

import pytest

from engine.robots.sitemap import (
    FREQUENCIES,
    Entry,
    Sitemap,
    read_sitemap,
)
from engine.robots.sitemap_dates import parse_sitemap_date
from engine.url import canonicalize
from tests.tables import table

HOME = "http://h.example/"
URL = "http://h.example/sitemap.xml"
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def urlset(*entries: str) -> str:
    inside = "\n".join(f"<url>{entry}</url>" for entry in entries)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{NAMESPACE}">\n{inside}\n</urlset>'


def loc(path: str) -> str:
    return f"<loc>{HOME}{path}</loc>"


def read(text: str) -> Sitemap:
    return read_sitemap(text.encode(), URL)


def locs(sitemap: Sitemap) -> list[str]:
    return [entry.loc for entry in sitemap.entries]


WHOLE = urlset(
    f"{loc('a')}<lastmod>2024-05-01</lastmod><changefreq>daily</changefreq><priority>0.8</priority>", loc("b")
)
WHOLE_ENTRIES = (Entry(f"{HOME}a", datetime(2024, 5, 1, tzinfo=UTC), "daily", 0.8), Entry(f"{HOME}b"))


@pytest.mark.requirement(233, 234, 235, 237, 239, 240, 241)
def test_an_entry_and_its_hints() -> None:
    assert read(WHOLE) == Sitemap(WHOLE_ENTRIES)


@pytest.mark.requirement(233, 234, 235, 241, 246, 248, 249)
@pytest.mark.parametrize(("body", "pages", "children", "warning", "why"), table("sitemap_bodies.json"))
def test_what_a_body_lists(
    body: str, pages: list[str], children: list[str], warning: str | None, why: str
) -> None:
    """Kinds, their structure, and what is none."""
    sitemap = read(body)
    assert locs(sitemap) == [HOME + path for path in pages], why
    assert [child.loc for child in sitemap.sitemaps] == [HOME + path for path in children], why
    assert any((warning or "") in said for said in sitemap.warnings) is (warning is not None), why


@pytest.mark.requirement(231, 232, 235)
@pytest.mark.parametrize(("written", "canonical", "why"), table("sitemap_locs.json"))
def test_loc(written: str, canonical: str | None, why: str) -> None:
    """Decoded, canonical, absolute; what is not is dropped, and said."""
    sitemap = read(urlset(f"<loc>{written}</loc>"))
    assert locs(sitemap) == ([canonical] if canonical else []), why
    assert bool(sitemap.warnings) is (canonical is None), why


@pytest.mark.requirement(236)
@pytest.mark.parametrize(("length", "kept"), [(2047, True), (2048, False), (1_000_000, False)])
@pytest.mark.parametrize("form", ["<urlset><url><loc>{}</loc></url></urlset>", "{}\n"])
def test_a_loc_has_fewer_than_2048_characters(length: int, kept: bool, form: str) -> None:
    sitemap = read(form.format(HOME + "x" * (length - len(HOME))))
    assert [len(url) for url in locs(sitemap)] == [length] * kept
    assert len(sitemap.warnings) == (not kept)


@pytest.mark.requirement(244, 245)
@pytest.mark.parametrize(("url", "scope", "written", "kept", "why"), table("sitemap_scopes.json"))
def test_scope_of_entries_and_child_maps(url: str, scope: str, written: str, kept: bool, why: str) -> None:
    """C27."""
    pages = read_sitemap(urlset(f"<loc>{written}</loc>").encode(), url, scope=scope)
    index = f"<sitemapindex><sitemap><loc>{written}</loc></sitemap></sitemapindex>"
    children = read_sitemap(index.encode(), url, scope=scope)
    assert (len(pages.entries), len(children.sitemaps)) == (kept, kept), why
    assert (len(pages.warnings), len(children.warnings)) == (not kept, not kept), why


@pytest.mark.parametrize(
    ("url", "scope", "why"),
    [
        (URL, "site", "no such scope"),
        (URL, "", "no scope"),
        ("/sitemap.xml", "any", "a relative URL"),
        ("ftp://h.example/sitemap.xml", "any", "no http(s) URL"),
    ],
)
def test_a_slip_of_the_caller(url: str, scope: str, why: str) -> None:
    with pytest.raises(ValueError, match=r"scope|URL|input"):
        read_sitemap(b"", url, scope=scope)


@pytest.mark.requirement(237)
@pytest.mark.parametrize(("written", "moment", "why"), table("sitemap_dates.json"))
def test_dates(written: str, moment: str | None, why: str) -> None:
    """C28."""
    found = parse_sitemap_date(written)
    assert (found.isoformat() if found else None) == moment, why


@pytest.mark.requirement(238, 248)
def test_lastmod_tells_what_changed_since_a_visit() -> None:
    """Times of all zones compare; what a crawl makes of that is its own affair."""
    visit = datetime(2024, 5, 1, 12, tzinfo=UTC)
    dates = ["2024-05-01T13:30:00+02:00", "2024-05-01T11:30:00-02:00", "2024-05-02", "soon"]
    entries = "".join(f"<{{0}}>{loc('x')}<lastmod>{date}</lastmod></{{0}}>" for date in dates)
    pages = read(f"<urlset>{entries}</urlset>".format("url")).entries
    children = read(f"<sitemapindex>{entries}</sitemapindex>".format("sitemap")).sitemaps
    for found in (pages, children):
        newer = [entry.lastmod and entry.lastmod > visit for entry in found]
        assert newer == [False, True, True, None]


@pytest.mark.requirement(249)
@pytest.mark.parametrize(
    ("form", "date"),
    [
        (
            "<rss><channel><item><link>{}</link><pubDate>{}</pubDate></item></channel></rss>",
            "Wed, 1 May 2024 02:00 +0200",
        ),
        ("<feed><entry><link href='{}'/><updated>{}</updated></entry></feed>", "2024-05-01T00:00:00Z"),
        ("<feed><entry><modified>{1}</modified><link href='{0}'/></entry></feed>", "2024-05-01T00:00:00Z"),
    ],
    ids=["RSS 2.0", "Atom 1.0", "Atom 0.3"],
)
def test_feeds_date_their_entries(form: str, date: str) -> None:
    dates = [(entry.loc, entry.lastmod) for entry in read(form.format(f"{HOME}a", date)).entries]
    assert dates == [(f"{HOME}a", datetime(2024, 5, 1, tzinfo=UTC))]


@pytest.mark.requirement(239)
@pytest.mark.parametrize(
    ("written", "word"),
    [(word, word) for word in FREQUENCIES]
    + [(" Weekly\n", "weekly"), ("ALWAYS", "always"), ("fortnightly", ""), ("1", ""), ("", "")],
)
def test_changefreq(written: str, word: str) -> None:
    """Seven words; others are ignored."""
    entry = read(urlset(f"{loc('a')}<changefreq>{written}</changefreq>")).entries[0]
    assert entry.changefreq == word


@pytest.mark.requirement(239)
def test_frequencies_are_intervals() -> None:
    hour, day = 3600, 86_400
    assert list(FREQUENCIES.values()) == [0, hour, day, 7 * day, 30 * day, 365 * day, None]


@pytest.mark.requirement(240)
@pytest.mark.parametrize(
    ("written", "priority"),
    [("0", 0), ("0.0", 0), ("1", 1), ("1.0", 1), (" .8 ", 0.8), ("0.75", 0.75)]
    + [(bad, 0.5) for bad in ("", "1.5", "-1", "abc", "nan", "inf", "-inf", "0,8", "1e999", "9" * 5000)],
)
def test_priority(written: str, priority: float) -> None:
    """0 to 1, and 0.5 for what is no such number."""
    assert read(urlset(f"{loc('a')}<priority>{written}</priority>")).entries[0].priority == priority


ENCODINGS = [
    ("utf-8", "utf-8", ""),
    ("utf-8-sig", "windows-1251", "a byte order mark counts for more than the declaration"),
    ("cp1251", "windows-1251", ""),
    ("latin-1", "ISO-8859-1", ""),
    ("koi8-r", "koi8-r", ""),
    ("shift_jis", "Shift_JIS", ""),
    ("gb18030", "GB2312", ""),
    ("utf-16", "UTF-16", ""),
    ("utf-16-le", "UTF-16", "no byte order mark"),
    ("utf-16-be", "UTF-16", "no byte order mark"),
    ("utf-8", "utf-16", "who could read the declaration is not reading UTF-16"),
]


@pytest.mark.requirement(230)
@pytest.mark.parametrize(("codec", "declared", "why"), ENCODINGS)
def test_declared_encodings(codec: str, declared: str, why: str) -> None:
    letter = {"cp1251": "ж", "koi8-r": "ж", "shift_jis": "ツ", "gb18030": "中"}.get(codec, "é")
    text = WHOLE.replace("UTF-8", declared).replace(f"{HOME}a", f"{HOME}a{letter}")
    sitemap = read_sitemap(text.encode(codec), URL)
    assert locs(sitemap) == [canonicalize(f"{HOME}a{letter}"), f"{HOME}b"], why
    assert not sitemap.warnings


@pytest.mark.requirement(230)
@pytest.mark.parametrize("declared", ["klingon", "zlib", "idna", "unicode_escape", "hex", "utf-7"])
def test_a_declared_encoding_that_is_none(declared: str) -> None:
    """Python has codecs by these names, but they are no charsets."""
    sitemap = read(WHOLE.replace("UTF-8", declared))
    assert sitemap == Sitemap(WHOLE_ENTRIES, (), (f"unknown charset {declared!r}: read as UTF-8",))


@pytest.mark.requirement(230)
@pytest.mark.parametrize("form", [urlset(loc("café"), loc("b")), f"{HOME}café\n{HOME}b"])
def test_undeclared_latin_1_costs_only_its_own_entry(form: str) -> None:
    """An error row, no crash."""
    sitemap = read_sitemap(form.encode("latin-1"), URL)
    assert locs(sitemap) == [f"{HOME}b"]
    assert any("not valid utf-8" in warning for warning in sitemap.warnings)
    assert any("lost" in warning for warning in sitemap.warnings)


@pytest.mark.requirement(249)
@pytest.mark.parametrize(
    ("packed", "warning", "why"),
    [
        (gzip.compress(WHOLE.encode()), "", "one member"),
        (gzip.compress(WHOLE[:99].encode()) + gzip.compress(WHOLE[99:].encode()), "", "two members"),
        (gzip.compress(WHOLE.encode("utf-16")), "", "another encoding inside"),
        (gzip.compress(WHOLE.encode()) + b"\0" * 512, "damaged gzip", "padded"),
        (gzip.compress(WHOLE.encode())[:-9], "too early", "its sum is missing"),
        (gzip.compress(WHOLE.encode())[:-1] + b"x", "damaged gzip", "its sum is wrong"),
    ],
)
def test_gzip(packed: bytes, warning: str, why: str) -> None:
    sitemap = read_sitemap(packed, URL)
    if why != "its sum is wrong":  # and with it all that was unpacked in the same step
        assert sitemap.entries == WHOLE_ENTRIES, why
    assert any(warning in said for said in sitemap.warnings) is bool(warning), why


@pytest.mark.requirement(249)
def test_gzip_of_other_kinds() -> None:
    assert locs(read_sitemap(gzip.compress(f"{HOME}a\n{HOME}b".encode()), URL)) == [f"{HOME}a", f"{HOME}b"]
    index = f"<sitemapindex><sitemap>{loc('1.xml.gz')}</sitemap></sitemapindex>"
    assert [child.loc for child in read_sitemap(gzip.compress(index.encode()), URL).sitemaps] == [
        f"{HOME}1.xml.gz"
    ]
    assert read_sitemap(gzip.compress(b""), URL).warnings == ("no URL in it",)
    assert read_sitemap(b"\x1f\x8b broken", URL).warnings[0].startswith("damaged gzip")


@pytest.mark.requirement(249)
def test_external_entities_are_neither_read_nor_asked_for(tmp_path: Path) -> None:
    """XXE is off."""
    secret = tmp_path / "secret"
    secret.write_text("swordfish", encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        asked = f"http://127.0.0.1:{server.getsockname()[1]}/"
        types = f"SYSTEM '{asked}' [<!ENTITY f SYSTEM '{secret.as_uri()}'><!ENTITY n SYSTEM '{asked}'>]"
        body = urlset(loc("&f;"), loc("&n;"), loc("a")).replace(
            "<urlset", f"<!DOCTYPE urlset {types}><urlset"
        )
        sitemap = read(body)
        with pytest.raises(BlockingIOError):
            server.accept()
    assert locs(sitemap) == [f"{HOME}a"]
    assert "swordfish" not in repr(sitemap)
