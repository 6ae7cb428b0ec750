"""What a sitemap may cost, and what may come of any octets (C26)."""

import gzip
import tracemalloc
from datetime import UTC, datetime, timedelta, timezone
from xml.sax.saxutils import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.robots.sitemap import (
    FREQUENCIES,
    MAX_CHILDREN,
    MAX_ENTRIES,
    MAX_LETTERS,
    MAX_WARNINGS,
    Entry,
    Sitemap,
    read_sitemap,
)
from engine.robots.sitemap_items import MAX_DEPTH, MAX_ELEMENTS, MAX_TOKEN_BYTES
from engine.robots.sitemap_source import MAX_MEMBERS, MAX_SITEMAP_BYTES
from engine.url import canonicalize

HOME = "http://h.example/"
URL = "http://h.example/sitemap.xml"
PAGE = f"<url><loc>{HOME}a</loc></url>"
MEBIBYTE = 1024 * 1024
ATTRIBUTES = " ".join(f"a{n}='x'" for n in range(2000))
LAUGHS = "".join(f"<!ENTITY a{n} '{f'&a{n - 1};' * 10}'>" for n in range(1, 10))


@pytest.mark.slow
@pytest.mark.requirement(242)
@pytest.mark.parametrize(
    ("start", "entry", "end"),
    [
        ("<urlset>", f"<url><loc>{HOME}{{}}</loc></url>", "</urlset>"),
        ("", f"{HOME}{{}}\n", ""),
    ],
    ids=["urlset", "list"],
)
def test_50_000_urls_and_no_more(start: str, entry: str, end: str) -> None:
    """Entry 50,001 is ignored, with a warning."""
    entries = [entry.format(number) for number in range(MAX_ENTRIES + 1)]
    full = read_sitemap("".join([start, *entries[:-1], end]).encode(), URL)
    over = read_sitemap("".join([start, *entries, end]).encode(), URL)
    assert (len(full.entries), full.warnings) == (50_000, ())
    assert over.entries == full.entries
    assert "more than 50000 entries" in over.warnings[0]


@pytest.mark.requirement(243)
def test_locs_of_two_thousand_letters_are_not_kept_fifty_thousand_times() -> None:
    """100 MB of URLs are nobody's site."""
    body = "".join(f"{HOME}{number:05}{'x' * 1_978}\n" for number in range(20_000)).encode()
    sitemap = read_sitemap(body, URL)
    assert len(sitemap.entries) == MAX_LETTERS // 2_000
    assert "more than 16000000 letters" in sitemap.warnings[0]


@pytest.mark.slow
@pytest.mark.requirement(247)
def test_50_000_child_maps_and_no_more() -> None:
    """C26."""
    children = [f"<sitemap><loc>{HOME}{number}</loc></sitemap>" for number in range(MAX_CHILDREN + 1)]
    sitemap = read_sitemap("".join(["<sitemapindex>", *children]).encode(), URL)
    assert len(sitemap.sitemaps) == 50_000
    assert "more than 50000 entries" in sitemap.warnings[0]


@pytest.mark.slow
@pytest.mark.requirement(243)
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_reading_stops_at_50_mb(packed: bool) -> None:
    """The complete entries before the limit are kept (C26)."""
    padding = f"<!--{'x' * 1_000_000}-->" * 53
    body = f"<urlset>{PAGE}{padding}<url><loc>{HOME}late</loc></url></urlset>".encode()
    sitemap = read_sitemap(gzip.compress(body, 1) if packed else body, URL)
    assert sitemap.entries == (Entry(f"{HOME}a"),)
    assert f"larger than {MAX_SITEMAP_BYTES} octets" in sitemap.warnings[0]
    assert MAX_SITEMAP_BYTES == 50 * MEBIBYTE


@pytest.mark.slow
@pytest.mark.requirement(249)
@pytest.mark.parametrize(
    ("body", "warning", "why"),
    [
        (f"<urlset>{PAGE}" + "<a>" * (MAX_DEPTH + 2), "inside each other", "depth"),
        (f"<urlset>{PAGE}" + "<a/>" * (MAX_ELEMENTS + 100_000), "elements", "their number"),
        (f"<urlset>{PAGE}<url>" + "&a;" * (MAX_ELEMENTS + 100_000), "entities", "entities nobody declared"),
        (f"<urlset>{PAGE}" + "".join(f"<a{n}/>" for n in range(2000)), "names", "names of elements"),
        (f"<urlset>{PAGE}<a {ATTRIBUTES}/>", "names", "names of attributes"),
        (f"<urlset>{PAGE}<a b='{'x' * 2 * MAX_TOKEN_BYTES}'/>", "a tag", "one long attribute"),
        (f"<urlset>{PAGE}<!--{'x' * 2 * MAX_TOKEN_BYTES}-->", "comment", "one long comment"),
        (f"<urlset>{PAGE}<url><loc>{'x' * MEBIBYTE}", "damaged XML", "one long loc without end"),
        (f"<!DOCTYPE u [{LAUGHS}]><urlset>{PAGE}<url><loc>&a9;</loc></url></urlset>", "entity", "laughs"),
        (f"<!DOCTYPE u [{LAUGHS}]><urlset a='&a9;'>{PAGE}</urlset>", "", "laughs in an attribute"),
    ],
    ids=lambda value: value if len(value) < 30 else "",
)
def test_bombs_in_xml(body: str, warning: str, why: str) -> None:
    """What stands before the bomb is kept."""
    sitemap = read_sitemap(body.encode(), URL)
    assert sitemap.entries == (Entry(f"{HOME}a"),), why
    assert any(warning in said for said in sitemap.warnings) is bool(warning), why


@pytest.mark.requirement(249)
def test_a_gzip_bomb_ends_at_the_limit() -> None:
    """5 GB in 5 MB cost a few MB of memory."""
    bomb = gzip.compress(bytes(50 * MEBIBYTE), 1) * 100
    tracemalloc.start()
    sitemap = read_sitemap(bomb, URL)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert not sitemap.entries
    assert "larger than" in sitemap.warnings[0]
    assert peak < 16 * MEBIBYTE


@pytest.mark.requirement(249)
def test_many_gzip_members_end_at_their_limit() -> None:
    page = gzip.compress(f"{HOME}a\n".encode())
    sitemap = read_sitemap(page + gzip.compress(b"") * 2 * MAX_MEMBERS, URL)
    assert sitemap.entries == (Entry(f"{HOME}a"),)
    assert "gzip members" in sitemap.warnings[0]


def test_warnings_are_few_and_the_file_has_its_own() -> None:
    body = "<urlset>" + "<url><loc>/</loc></url>" * 1000 + PAGE + "<url>"
    sitemap = read_sitemap(body.encode(), URL)
    assert sitemap.entries == (Entry(f"{HOME}a"),)
    assert len(sitemap.warnings) <= MAX_WARNINGS
    assert sitemap.warnings[0].startswith("damaged XML")
    assert sitemap.warnings[-1] == "910 more entries dropped"


times = st.datetimes(
    min_value=datetime(1, 1, 2),
    max_value=datetime(9999, 12, 30),
    timezones=st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes))),
)
entries = st.lists(
    st.builds(
        Entry,
        st.text(st.characters(codec="utf-8", exclude_categories=["Cc"], exclude_characters="\ufffd")).map(
            lambda path: canonicalize(HOME + path)
        ),
        st.none() | times,
        st.sampled_from(["", *FREQUENCIES]),
        st.integers(0, 10).map(lambda tenths: tenths / 10),
    ),
    max_size=4,
)


def written(entry: Entry) -> str:
    date = f"<lastmod>{entry.lastmod.isoformat()}</lastmod>" if entry.lastmod else ""
    frequency = f"<changefreq>{entry.changefreq}</changefreq>" if entry.changefreq else ""
    return (
        f"<url><loc>{escape(entry.loc)}</loc>{date}{frequency}<priority>{entry.priority}</priority>\n</url>\n"
    )


@pytest.mark.requirement(230, 231, 232, 233, 234, 235, 236, 237, 238, 239, 240, 241, 249)
@given(entries, st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]), st.booleans())
@settings(max_examples=50)
def test_what_was_written_is_read(some: list[Entry], charset: str, packed: bool) -> None:
    """The round trip of entries whose URLs are canonical and in scope."""
    body = f"<urlset>\n{''.join(map(written, some))}</urlset>".encode(charset)
    sitemap = read_sitemap(gzip.compress(body) if packed else body, URL)
    assert list(sitemap.entries) == [entry for entry in some if entry.loc.startswith(HOME)]
    assert all(entry.lastmod is None or entry.lastmod.tzinfo is UTC for entry in sitemap.entries)


FORMS = [
    f"<?xml version='1.0' encoding='utf-8'?>\n<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{PAGE}"
    f"<url><loc>{HOME}?b&amp;c</loc><lastmod>2024-05-01</lastmod><priority>.5</priority></url></urlset>",
    f"<!DOCTYPE a [<!ENTITY x 'y'>]><sitemapindex><sitemap><loc>{HOME}&x;</loc></sitemap></sitemapindex>",
    f"<rss><channel><item><link>{HOME}a</link><pubDate>1 May 2024 10:00 GMT</pubDate></item></channel></rss>",
    f"<a:feed xmlns:a='http://www.w3.org/2005/Atom'><a:entry><a:link href='{HOME}a'/></a:entry></a:feed>",
    f"<rdf:RDF xmlns='http://purl.org/rss/1.0/'><item><link>{HOME}a</link><dc:date>2024</dc:date></item></rdf:RDF>",
    f"<opml><body><outline><outline xmlUrl='{HOME}feed'/></outline></body></opml>",
    f"{HOME}a\n{HOME}b\r\n",
]
PIECES = [
    "<url>",
    "</url>",
    "<loc>",
    "</loc>",
    "<urlset>",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<!DOCTYPE a [",
]
PIECES += [
    "]>",
    "&",
    "&x;",
    "&#0;",
    "&#xD800;",
    "\0",
    "\ufffe",
    "<?xml ",
    "?>",
    "'",
    '"',
    "xmlns='x'",
    HOME,
    "\n",
]
octets = st.binary(max_size=30) | st.sampled_from(PIECES).map(str.encode)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A valid sitemap, perhaps packed, in which stretches were replaced by something else."""
    body = draw(st.sampled_from(FORMS)).encode(draw(st.sampled_from(["utf-8", "utf-16", "latin-1"])))
    body = gzip.compress(body) if draw(st.booleans()) else body
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(body)))
        body = body[:start] + draw(octets) + body[start + draw(st.integers(0, 40)) :]
    return body


junk = st.binary() | st.lists(octets).map(b"".join) | st.lists(octets).map(b"".join).map(gzip.compress)


def bounded(sitemap: Sitemap) -> None:
    assert len(sitemap.warnings) <= MAX_WARNINGS
    assert all(len(warning) < 2000 for warning in sitemap.warnings)
    assert sitemap.entries or sitemap.sitemaps or sitemap.warnings
    for entry in (*sitemap.entries, *sitemap.sitemaps):
        assert entry.loc == canonicalize(entry.loc)
        assert entry.loc.startswith("http")
        assert 0 <= entry.priority <= 1
        assert entry.changefreq in ("", *FREQUENCIES)


@given(damaged(), st.sampled_from(["path", "host", "any"]))
@settings(max_examples=300)
def test_a_damaged_sitemap_never_raises(body: bytes, scope: str) -> None:
    bounded(read_sitemap(body, URL, scope=scope))


@given(junk)
@settings(max_examples=200)
def test_any_octets_are_read(body: bytes) -> None:
    bounded(read_sitemap(body, URL, scope="any"))
