"""META robots and X-Robots-Tag."""

from dataclasses import asdict

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from engine.robots import Directives, directives
from engine.robots import meta as room
from tests.tables import table

NOW = 1_577_836_800.0  # the first second of 2020
NOINDEX = "<meta name=robots content=noindex>"

Pairs = list[tuple[str, str]]
WORDS = """
    robots ours noindex nofollow none all x-robots-tag é nosnippet max-snippet:5 max-snippet:-1 2010-06-25
    unavailable_after: max-snippet otherbot Wednesday 25-Jun-10 Jun 15:00:00 PST noarchive : , ; *
"""
words = st.lists(st.sampled_from([*WORDS.split(), " "]), max_size=8).map("".join)
pairs = st.lists(st.tuples(st.sampled_from(["robots", "ours", "x-robots-tag"]) | words, words), max_size=4)
texts = st.text(max_size=80)


@pytest.mark.requirement(202, 203, 205, 206, 207, 208, 209, 210, 211, 212, 213, 214, 217, 218, 220)
@pytest.mark.parametrize(("metas", "headers", "expected", "why"), table("meta_robots.json"))
def test_what_the_owner_asks(
    metas: Pairs, headers: Pairs, expected: list[bool | int | None], why: str
) -> None:
    assert directives(metas, headers, "Ours/1.0", NOW) == Directives(*expected), why  # type: ignore[arg-type]


def test_a_page_becomes_unavailable_at_its_moment() -> None:
    metas = [("robots", "unavailable_after: 2020-01-01T00:00:00Z")]
    assert directives(metas, [], "ours", NOW - 1).index
    assert not directives(metas, [], "ours", NOW).index


@pytest.mark.requirement(204)
def test_all_and_none_are_short_for_two_words() -> None:
    for short, long in (("all", "index,follow"), ("none", "noindex,nofollow")):
        assert directives([("robots", short)], [], "ours", NOW) == directives(
            [("robots", long)], [], "ours", NOW
        )


PAGES = [
    ("<html><head>" + NOINDEX + "</head><body>x", False, "requirement 197: in HEAD"),
    (NOINDEX, False, "requirement 220: elements that nobody wrote are there all the same"),
    ("<META NAME='RoBoTs' CONTENT=\"NoIndex\">", False, "requirement 206: letter case"),
    ("<meta content=noindex name=robots />", False, "requirement 220: XHTML, no quotes, any order"),
    ("<meta\n name = 'robots'\n content = 'noindex'>", False, "requirement 207: white space"),
    ("<meta name=robots content='no&#105;ndex'>", False, "a character reference"),
    ("<meta name=robots content=all><meta name=ours content=noindex>", False, "requirement 217: our name"),
    ("<meta name=robots content=index><meta name=robots content=noindex>", False, "requirement 220: several"),
    ("<meta http-equiv=robots content=noindex>", True, "requirement 197: not its name"),
    ("<body>" + NOINDEX, True, "requirement 215: in BODY"),
    ("<p>x</p>" + NOINDEX, True, "C24: a paragraph begins BODY"),
    ("x" + NOINDEX, True, "C24: so does text"),
    ("<head><img>" + NOINDEX + "</head>", True, "C24: and a picture, whatever HEAD was meant to hold"),
    ("<br/>" + NOINDEX, True, "C24: and a line break"),
    ("</br>" + NOINDEX, True, "C24: in this spelling as well"),
    ("</p></head>" + NOINDEX + "<body>", False, "C24: behind HEAD, before BODY"),
    ("<!doctype html><!-- x --> \n" + NOINDEX, False, "C24: what comes before HEAD ends nothing"),
    ("<title>a <b></title><base href=x><link href='<body>'>" + NOINDEX, False, "what HEAD may hold"),
    ("<!-- " + NOINDEX + " -->", True, "in a comment"),
    ("<!-->" + NOINDEX + "<!-- -->", False, "an empty comment"),
    ("<!--" + NOINDEX, True, "in a comment without end"),
    ("<script>'" + NOINDEX + "'</script>", True, "in a script"),
    ("<script src='>'></script  >" + NOINDEX, False, "behind a script"),
    ("<script>'<body><!--'</script>" + NOINDEX, False, "behind a script that writes tags"),
    ("<style>" + NOINDEX + "</STYLE><title>" + NOINDEX + "</title>", True, "in a style and a title"),
    ("<template><p>" + NOINDEX + "</template>", True, "in a template"),
    ("<template><p></template>" + NOINDEX, False, "behind a template"),
    ("<meta name=x content='The <script> tag'>" + NOINDEX, False, "a tag in an attribute"),
    ("<meta name=x content=don't>" + NOINDEX + "<meta content='x'>", False, "an apostrophe in a value"),
    ("<noscript>" + NOINDEX + "</noscript>", False, "we run no scripts"),
    ("<noscript><img></noscript>" + NOINDEX, True, "C24: without scripts the picture begins BODY"),
    ("\ufeff\0" + NOINDEX, False, "a byte order mark, and U+0000"),
    ("", True, "requirement 205: nothing"),
]


@pytest.mark.requirement(197, 205, 206, 207, 215, 217, 220)
@pytest.mark.parametrize(("html", "index", "why"), PAGES)
def test_head_is_what_an_html5_parser_sees(html: str, index: bool, why: str) -> None:
    assert Directives.from_page(html, [], "Ours").index is index, why
    assert Directives.from_page(html.encode(), [], "Ours").index is index, why


@pytest.mark.parametrize("charset", ["utf-16", "utf-8-sig", "cp1252", "utf-16-le"])
def test_bytes_in_any_charset(charset: str) -> None:
    html = f"<title>é</title>{NOINDEX}".encode(charset)
    assert not Directives.from_page(html, [], "Ours").index


@pytest.mark.requirement(218)
def test_headers_of_a_page_in_any_case() -> None:
    headers = [("X-ROBOTS-TAG", "ours: nofollow"), ("Robots-Tag", "noarchive")]
    page = Directives.from_page(NOINDEX, headers, "Ours/2.0")
    assert page == Directives(index=False, follow=False, archive=False)


def test_a_page_is_asked_at_this_moment_unless_another_is_given() -> None:
    html = "<meta name=robots content='unavailable_after: 1 Jan 2020 00:00:00 GMT'>"
    assert not Directives.from_page(html, [], "ours").index
    assert Directives.from_page(html, [], "ours", NOW - 1).index


HOSTILE = [
    "<div>",
    "<template><div>",
    "<font size=1><p><font size=2><p>",
    "<html a{}>",
    "<meta a{}",
    "<!--",
    "<script",
    "x<noscript>",
    '<meta "=',
    "<meta name=robots content='unavailable_after: 25 Jun 2010 x,",
]


@pytest.mark.parametrize("part", HOSTILE)
@pytest.mark.timeout(60)
def test_pages_written_to_stop_a_parser(part: str) -> None:
    """A tree of them would take minutes."""
    html = "".join(part.format(number) for number in range(room.MAX_HEAD // len(part)))
    assert Directives.from_page(html, [("x-robots-tag", html)], "ours")


def test_head_is_looked_for_at_the_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MAX_HEAD", 40)
    assert not Directives.from_page(NOINDEX + " " * 40, [], "ours").index
    assert Directives.from_page(" " * 40 + NOINDEX, [], "ours").index


def test_parts_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MAX_PARTS", 3)
    assert not directives([("robots", "a,b,noindex")], [], "ours", NOW).index
    strictest = Directives(index=False, follow=False, archive=False, max_snippet=0)
    for metas, headers, why in (
        ([("robots", "a,b,c,noindex")], [], "in one list"),
        ([("robots", "a")] * 3 + [("robots", "noindex")], [], "in many elements"),
        ([], [("x-robots-tag", "a,b,c,noindex")], "in a header"),
        ([], [("x-robots-tag", "a")] * 3 + [("x-robots-tag", "noindex")], "in many headers"),
        ([("robots", "noindex")], [("x-robots-tag", "a,b,c")], "behind the header's"),
        ([("robots", "a,b,c,d")], [], "what stands behind them need not be known"),
    ):
        assert directives(metas, headers, "ours", NOW) == strictest, why
    assert directives([], [("x-robots-tag", "other: noindex,a,b,c,d")], "ours", NOW).index, "not ours"
    assert directives([("other", "a,b,c,d,noindex")], [], "ours", NOW).index, "not ours"


@pytest.mark.requirement(220)
def test_noindex_behind_a_thousand_directives_is_heard() -> None:
    """A list may be as long as its author likes; the cost of reading it is bounded."""
    for count in (999, 1_000, 1_001, 100_000):
        assert not directives([("robots", "all," * count + "noindex")], [], "ours", NOW).index


@pytest.mark.requirement(209)
@given(pairs, pairs)
def test_every_further_word_can_only_restrict(metas: Pairs, headers: Pairs) -> None:
    """C22: the most restrictive sum."""
    part, whole = directives(metas, [], "ours", NOW), directives(metas, headers, "ours", NOW)
    assert whole.index <= part.index
    assert whole.follow <= part.follow
    assert whole.archive <= part.archive
    for more, less in (
        (whole.max_snippet, part.max_snippet),
        (whole.unavailable_after, part.unavailable_after),
    ):
        assert less is None or (more is not None and more <= less)


@given(pairs, pairs)
def test_a_header_can_ask_for_what_a_page_has_asked(metas: Pairs, others: Pairs) -> None:
    """So that what one reading of a page was told holds for another one as well."""
    told = directives(metas, [], "ours", NOW)
    header = ("x-robots-tag", told.as_header())
    assert directives([], [header], "ours", NOW) == told
    both = directives([*metas, *others], [], "ours", NOW)
    assert directives(others, [header], "ours", NOW) == both


@settings(max_examples=200)
@given(texts | st.binary(max_size=80), texts, words | texts, texts)
@example("", "", "unavailable_after: 1 Jan 99999999 00:00:00 +99999999999999999999", "")
@example("", "", "unavailable_after: 0001-01-01T00:00:00+14:00", "")
@example("\ud800", "x", "", "\ud800")
def test_anything_is_a_page(html: str | bytes, name: str, value: str, agent: str) -> None:
    """No exception, and nothing but bounded plain values."""
    page = Directives.from_page(html, [(name, value), ("x-robots-tag", value)], agent)
    assert asdict(page).keys() == asdict(Directives()).keys()
    assert page.max_snippet is None or 0 <= page.max_snippet < 10**9
    assert page.unavailable_after is None or abs(page.unavailable_after) < 10**12


TAGS = """
    <html> <head> </head> <body> </body> </html> <title> </title> <style> </style> <noscript> </noscript>
    <a <frameset> <link> <base> <!-- --> <!--> <p> </p> </br> </div <img> x <!doctype> <?xml?> <svg> ' " > <
    <LINK|rel=">"> <meta|name=robots|content=noindex> <meta|name=robots|content=nofollow> <p|x='
"""
tags = st.lists(st.sampled_from([" ", *(tag.replace("|", " ") for tag in TAGS.split())]), max_size=10)


@settings(max_examples=300)
@given(tags.map("".join))
@example("</style<p><meta name=robots content=noindex>")
def test_what_is_cut_off_changes_nothing(html: str) -> None:
    """C24: from_page finds what a parse of the whole page finds."""
    head = LexborHTMLParser(html).head
    metas = [node.attributes for node in head.css("meta[name][content]")] if head else []
    whole = directives([(meta["name"] or "", meta["content"] or "") for meta in metas], [], "ours", NOW)
    assert Directives.from_page(html, [], "ours", NOW) == whole


@given(st.lists(st.sampled_from(["unavailable_after:", *"0129:-+,. TZ", "Jun", "GMT", "Mon"])).map("".join))
def test_any_date_is_a_moment_or_none(value: str) -> None:
    page = directives([("robots", f"unavailable_after: {value}")], [], "ours", NOW)
    assert page.unavailable_after is None or isinstance(page.unavailable_after, float)


@pytest.mark.requirement(218)
@given(words)
def test_meta_and_header_say_the_same(value: str) -> None:
    """Where no robot is named."""
    content = value.replace(":", "")
    header = directives([], [("x-robots-tag", content)], "ours", NOW)
    assert header == directives([("robots", content)], [], "ours", NOW)
