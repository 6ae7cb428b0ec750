"""What HEAD and the headers say."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.model.page import Page
from engine.robots import Directives
from engine.text.html import head as room
from engine.text.html.markup import read_html

URL = "http://www.example.org/dir/page.html"
SITE = "http://www.example.org"
DAY = 86_400.0

Headers = list[tuple[str, str]]


def read(html: str, *headers: tuple[str, str], url: str = URL) -> Page:
    return read_html(html.encode(errors="replace"), url, "text/html; charset=utf-8", headers)


HEADS = [
    ("<title> A\n <b>b</b> </title>", "title", "A <b>b</b>", "requirement 229; a title holds no markup"),
    ("<title>a</title><title>b</title>", "title", "a", "the first of several"),
    ("<title>" + "x" * 400, "title", "x" * 300, "cut"),
    ("<svg><title>x</title></svg>", "title", "", "the title of a drawing"),
    ("<meta name=Description content=' a\n b '>", "description", "a b", "requirement 222"),
    ("<meta name=' description' content=a><meta name=description content=b>", "description", "a", "first"),
    ("<meta name=description content='a <b>b</b>, <I CLASS=x>c'>", "description", "a b, c", "222: no markup"),
    ("<meta name=description content='<p>a</p><p>b<br/>c'>", "description", "a b c", "222: blocks"),
    ("<meta name=description content='<b>a&amp;b'>", "description", "a&b", "222: characters are characters"),
    (
        "<meta name=description content='a<b, List&lt;String&gt;>'>",
        "description",
        "a<b, List<String>>",
        "222",
    ),
    (f"<meta name=description content={'x' * 2000}>", "description", "x" * 1000, "222: cut"),
    ("<body><meta name=description content=a>", "description", "", "in BODY"),
    ("<meta name=Keywords content=' a\n b,c ,, D '>", "keywords", "a b, c, D", "requirement 221"),
    ("<meta name=keywords content='a、b，c;d'>", "keywords", "a, b, c, d", "221: commas of the world"),
    (f"<meta name=keywords content='{'x,' * 500}'>", "keywords", ", ".join("x" * 20), "303: so many phrases"),
    (f"<meta name=keywords content='{'x' * 500}'>", "keywords", "x" * 60, "303: and so long"),
    ("<html lang=de-AT>x", "language", "de", "the language of the root"),
    ("<html xml:lang=de>x", "language", "de", "as XHTML has it"),
    ("<meta http-equiv=Content-Language content=de>x", "language", "de", "228: as a META"),
]


@pytest.mark.requirement(221, 222, 229)
@pytest.mark.parametrize(("html", "name", "value", "why"), HEADS)
def test_what_head_says(html: str, name: str, value: str, why: str) -> None:
    assert getattr(read(html), name) == value, why


def test_language_from_the_header() -> None:
    assert read("x", ("content-language", "de")).language == "de"


ROBOTS = [
    ("<META NAME='ROBOTS' CONTENT='NOINDEX'>", Directives(index=False), "requirement 197, 200, 206"),
    ("<meta name=robots content=nofollow>", Directives(follow=False), "requirement 201, 213"),
    (
        "<meta name=robots content=noindex /><meta name=robots content=nofollow>",
        Directives(False, False),
        "requirement 220",
    ),
    ("<meta name=lycosa content=noarchive>", Directives(archive=False), "our own name, requirement 217"),
    ("<meta name=robots content='max-snippet:7'>", Directives(max_snippet=7), "the length of a snippet"),
    (
        "<meta name=robots content='unavailable_after: 25 Jun 2010 15:00:00 PST'>",
        Directives(index=False, unavailable_after=1277506800.0),
        "a date that has passed",
    ),
    ("<body><meta name=robots content=noindex>", Directives(), "in BODY: requirement 215"),
    ("<p>x<head><meta name=robots content=noindex>", Directives(), "in BODY, as a parser sees it (C24)"),
    ("<noscript><meta name=robots content=noindex></noscript>", Directives(index=False), "we run no scripts"),
    ("<!-- <meta name=robots content=noindex> -->", Directives(), "in a comment"),
    ("<template><meta name=robots content=noindex></template>", Directives(), "in a template"),
    ("<script>'<meta name=robots content=noindex>'</script>", Directives(), "in a script"),
]


@pytest.mark.requirement(197, 200, 201, 206, 213, 215, 217, 220)
@pytest.mark.parametrize(("html", "directives", "why"), ROBOTS)
def test_directives(html: str, directives: Directives, why: str) -> None:
    """What from_page finds for others, the page has from its own parse."""
    assert read(html).directives == directives, why
    assert Directives.from_page(html, [], "Lycosa") == directives, why


@pytest.mark.requirement(218)
def test_directives_of_the_header() -> None:
    assert read("x", ("X-Robots-Tag", "noindex")).directives == Directives(index=False)


REFRESHES = [
    ("1;URL=x", f"{SITE}/dir/x", "requirement 82"),
    ("1, URL=x", f"{SITE}/dir/x", "requirement 83: a comma"),
    ("1;uRl = x", f"{SITE}/dir/x", "requirement 83: letter case, spaces"),
    ('1;url="x"', f"{SITE}/dir/x", "requirement 83: quotes"),
    ("0; url='x'y", f"{SITE}/dir/x", "requirement 83: other quotes, and what stands behind them"),
    ("1.5;URL=x", f"{SITE}/dir/x", "a fraction"),
    (".5;URL=x", f"{SITE}/dir/x", "less than a second"),
    ("0 x y", f"{SITE}/dir/x%20y", "as browsers read it"),
    ("0;http://other.example/", "http://other.example/", "another site"),
    ("10;URL=x", f"{SITE}/dir/x", "C39: up to ten seconds"),
    ("11;URL=x", "", "C39: more is a link"),
    ("99999999999999999999;URL=x", "", "C39: for ever"),
    ("0;URL=#x", "", "a place in the page itself"),
    ("0;URL=page.html", "", "to itself, with its name"),
    ("0;URL=", "", "to itself, without"),
    ("30", "", "a page that reloads itself"),
    ("0;url=http://[", "", "no URL"),
    ("0;url=mailto:a@b", "", "another scheme"),
    ("0;url=http://u:p@h/", "", "a password"),
    ("x;url=y", "", "no number"),
    (";url=y", "", "no number at all"),
    ("1" * 4_000 + "x", "", "no end of a number"),
]


@pytest.mark.requirement(82, 83, 228)
@pytest.mark.parametrize(("content", "moved_to", "why"), REFRESHES)
def test_a_quick_refresh_is_a_redirect(content: str, moved_to: str, why: str) -> None:
    """A META is as good as a header."""
    quoted = content.replace('"', "&quot;")
    assert read(f'<meta http-equiv=Refresh content="{quoted}">').moved_to == moved_to, why
    assert read("x", ("Refresh", content)).moved_to == moved_to, why


def test_a_slow_refresh_is_a_link() -> None:
    """C39."""
    page = read("<meta http-equiv=refresh content='60;url=x'>")
    assert page.moved_to == ""
    assert [link.url for link in page.links] == [f"{SITE}/dir/x"]


@pytest.mark.requirement(84)
def test_the_header_is_not_applied_twice() -> None:
    page = read("<meta http-equiv=refresh content='0;url=y'>", ("refresh", "0;url=x"))
    assert page.moved_to == f"{SITE}/dir/x"
    assert [link.url for link in page.links] == [f"{SITE}/dir/x"]


def test_nofollow_stops_a_refresh() -> None:
    """C39."""
    assert read("<meta http-equiv=refresh content='0;url=x'>", ("x-robots-tag", "nofollow")).moved_to == ""


def test_a_refresh_in_body_is_none() -> None:
    assert read("<p><meta http-equiv=refresh content='0;url=x'>").moved_to == ""


def test_a_refresh_refers_to_base() -> None:
    assert read("<base href=/z/><meta http-equiv=refresh content='0;url=x'>").moved_to == f"{SITE}/z/x"
    assert read(f"<base href=/z/><meta http-equiv=refresh content='0;url={URL}'>").moved_to == ""


LINK = "<link rel=canonical href='{}'>".format
CANONICALS = [
    (LINK("/x"), [], f"{SITE}/x", "requirement 60"),
    ("<LINK REL='nofollow Canonical' HREF=' /x#y '>", [], f"{SITE}/x", "any case, one of several words"),
    ("<link rel=canonical-not href=/x>", [], "", "another word"),
    ("<base href=/z/>" + LINK("x"), [], f"{SITE}/z/x", "it refers to BASE"),
    (LINK("https://example.org/x"), [], "https://example.org/x", "another host of the same site"),
    (LINK("http://other.example/x"), [], "", "another site is not believed"),
    (LINK(URL), [], "", "this one"),
    (LINK("%70age.html"), [], "", "this one, spelt otherwise"),
    (LINK("/x") + LINK("/x"), [], f"{SITE}/x", "said twice"),
    (LINK("/x") + LINK("/y"), [("link", "</x>; rel=canonical")], "", "contradictions: neither"),
    (LINK("/"), [], "", "the front page, on a page below"),
    (LINK("https://example.org/"), [], "", "that of another host"),
    (LINK("/?p=1"), [], f"{SITE}/?p=1", "a page behind the front page's path"),
    (LINK(""), [], "", "none at all"),
    (LINK("http://["), [], "", "no URL"),
    (LINK("/" + "x" * 5_000), [], "", "far too long to be fetched"),
    ("<body>" + LINK("/x"), [], "", "in BODY"),
    ("<meta name=URL content=/x>", [], f"{SITE}/x", "requirement 226"),
    ("<meta name=url content='http://other.example/x'>", [], "", "requirement 226: same site only"),
    ("<meta name=url content=/y>" + LINK("/x"), [], f"{SITE}/x", "LINK comes first"),
    ("<meta name=url content=/y>", [("Link", "</x>; rel=canonical")], f"{SITE}/x", "then the header"),
    (LINK("/x"), [("Link", "</y>; rel=canonical")], f"{SITE}/x", "LINK before the header"),
    ("", [("LINK", '<x>;title="a, <b>; rel=next" ; REL="start Canonical"')], f"{SITE}/dir/x", "RFC 8288, 3"),
    ("", [("link", "</a>; rel=next, </x>; rel=canonical")], f"{SITE}/x", "the second of two"),
    ("", [("link", "</a>; rel=next"), ("link", "</x>;rel=canonical")], f"{SITE}/x", "two headers"),
    ("", [("link", "</x>; rel=canonical; anchor=/y")], "", "of another page: RFC 8288, 3.2"),
    ("", [("link", "</x>; rel"), ("link", '<<<;>;;=",rel=canonical')], "", "junk"),
    ("", [("content-location", "/x")], "", "another header"),
]


@pytest.mark.requirement(60, 226)
@pytest.mark.parametrize(("html", "headers", "canonical", "why"), CANONICALS)
def test_the_url_that_the_owner_prefers(html: str, headers: Headers, canonical: str, why: str) -> None:
    assert read(html, *headers).canonical == canonical, why


@pytest.mark.parametrize("path", ["/?q", "/index.html", "/INDEX.php?id=1", "/default.aspx", "/home"])
def test_the_front_page_may_be_a_page_s_better_name(path: str) -> None:
    assert read(LINK("/"), url=SITE + path).canonical == f"{SITE}/"


@pytest.mark.requirement(226)
def test_a_site_of_a_service_is_no_part_of_another() -> None:
    """Whose names end alike need not be one owner."""
    assert read(LINK("http://b.github.io/x"), url="http://a.github.io/x").canonical == ""
    assert read(LINK("http://127.0.0.1:81/x"), url="http://127.0.0.1:82/x").canonical == ""


REVISITS = [
    ("revisit-after", "10 days", 10 * DAY, "requirement 224"),
    ("Revisit-After", "1 Day", DAY, "224: one"),
    ("revisit-after", "7days.", 7 * DAY, "224: no space, a full stop"),
    ("revisit-after", "3", 3 * DAY, "224: days"),
    ("revisit-after", "2 weeks", 14 * DAY, "224: weeks"),
    ("revisit-after", "1 month", 30 * DAY, "224: months"),
    ("revisit-after", "12 hours", DAY / 2, "224: hours"),
    ("revisit-after", "0 days", DAY / 24, "224: an hour at least"),
    ("revisit-after", "99 years", 365 * DAY, "224: a year at most"),
    ("revisit-after", "9999999 days", None, "224: no number of days"),
    ("revisit-after", "-1 days", None, "224: bad"),
    ("revisit-after", "soon", None, "224: bad"),
    ("revisit-after", "10 parsecs", None, "224: bad"),
    ("revisit-after", "", None, "224: nothing"),
    ("document-state", "Dynamic", DAY, "requirement 225, C35"),
    ("document-state", "static", None, "225: the default"),
]


@pytest.mark.requirement(224, 225)
@pytest.mark.parametrize(("name", "content", "seconds", "why"), REVISITS)
def test_when_the_owner_wants_us_back(name: str, content: str, seconds: float | None, why: str) -> None:
    assert read(f"<meta name={name} content='{content}'>").revisit_seconds == seconds, why


@pytest.mark.requirement(225)
@pytest.mark.parametrize(("wish", "seconds"), [("10 days", DAY), ("2 hours", DAY / 12), ("0", DAY / 24)])
def test_a_changing_page_is_read_once_a_day_at_least(wish: str, seconds: float) -> None:
    """C35."""
    metas = f"<meta name=document-state content=dynamic><meta name=revisit-after content='{wish}'>"
    assert read(metas).revisit_seconds == seconds


@pytest.mark.requirement(227)
def test_a_script_s_page_is_a_page() -> None:
    """Whether it is crawled at all is for the frontier to say (C34)."""
    assert read("<title>x</title>", url=f"{SITE}/cgi-bin/x").title == "x"


contents = st.text(max_size=60) | st.lists(
    st.sampled_from(["0", "9", ";", "url=", "'", '"', "<", ">", "rel=", "canonical", "/", "x", ",", " "])
).map("".join)


@given(
    st.sampled_from(["description", "keywords", "url", "revisit-after", "document-state"]),
    contents,
    contents,
    contents,
)
@example("description", "\ud800", "", "<" * 99)
def test_anything_in_head_is_a_page(name: str, content: str, refresh: str, link: str) -> None:
    escaped = content.replace("&", "&amp;").replace('"', "&quot;")
    html = f'<meta name={name} content="{escaped}"><meta http-equiv=refresh content="{escaped}">'
    page = read(html, ("refresh", refresh), ("link", link))
    assert len(page.description) <= room.MAX_DESCRIPTION
    assert page.keywords.count(", ") < room.MAX_KEYWORDS
    assert page.revisit_seconds is None or room.MIN_REVISIT <= page.revisit_seconds <= room.MAX_REVISIT
    assert page.canonical != URL
    assert page.moved_to != URL
