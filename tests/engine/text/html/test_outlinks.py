"""Where the links of a page go."""

import pytest

from engine.model.page import Link
from engine.text.html import outlinks as room
from engine.text.html.markup import read_html

pytestmark = pytest.mark.requirement(11, 201)

URL = "http://h/dir/page.html?q"

LINKS = [
    ("<a href=x>A</a>", [("http://h/dir/x", "A", False)], "requirement 12"),
    (
        "<a href='../c?x#y'>A</a>",
        [("http://h/c?x", "A", False)],
        "requirement 12: the fragment is none of it",
    ),
    ("<base href=/z/><a href=q>A</a>", [("http://h/z/q", "A", False)], "requirement 13"),
    ("<base href=' http://o/z/ '><a href=q>A</a>", [("http://o/z/q", "A", False)], "a base elsewhere"),
    (
        "<base target=_top><base href=/z/><a href=q>A</a>",
        [("http://h/z/q", "A", False)],
        "the first with href",
    ),
    ("<base href><base href=/z/><a href=q>A</a>", [("http://h/dir/q", "A", False)], "even an empty one"),
    ("<body><p>x<BASE HREF=/z/><a href=q>A</a>", [("http://h/z/q", "A", False)], "a base in the body"),
    ("<base href='data:x'><a href=q>A</a>", [("http://h/dir/q", "A", False)], "a base that is none"),
    ("<a href='?a'>A</a>", [("http://h/dir/page.html?a", "A", False)], "a query belongs to the page"),
    ("<a href='//o/'>A</a>", [("http://o/", "A", False)], "the same scheme"),
    ("<a href=' x\n'>A</a>", [("http://h/dir/x", "A", False)], "white space around"),
    ("<a href='\x01 x \x1f'>A</a>", [("http://h/dir/x", "A", False)], "URL Standard, 4.4: C0 and space"),
    ("<a href='x&nbsp;'>A</a>", [("http://h/dir/x%C2%A0", "A", False)], "other spaces are of the path"),
    ("<a href='x\u3000'>A</a>", [("http://h/dir/x%E3%80%80", "A", False)], "the same"),
    ("<a href='&#x2003;x?y&nbsp;'>A</a>", [("http://h/dir/%E2%80%83x?y%C2%A0", "A", False)], "the same"),
    ("<base href='/z&nbsp;/'><a href=q>A</a>", [("http://h/z%C2%A0/q", "A", False)], "the same"),
    ("<a href='#x'>A</a><a href=''>A</a><a name=x>A</a>", [], "places in the page itself"),
    (
        "<a href='mailto:a@b'>A</a><a href='javascript:x'>A</a><a href='ftp://h/'>A</a>",
        [],
        "other schemes (C20)",
    ),
    ("<a href='http://u:p@h/'>A</a>", [], "links with a password (requirement 283)"),
    (f"<a href=/{'x' * 5000}>A</a>", [], "far too long to be fetched"),
    ("<a href=x> A\n <b>b</b>c</a>", [("http://h/dir/x", "A bc", False)], "the words as a person sees them"),
    ("<a href=x><h3>A</h3><p>b</p></a>", [("http://h/dir/x", "A b", False)], "blocks in a link"),
    (
        "<a href=x><span>A<div>b</div></span><b>c</b>d</a>",
        [("http://h/dir/x", "A b cd", False)],
        "blocks within inline elements in a link",
    ),
    ("<a href=x><img alt=' A b'></a>", [("http://h/dir/x", "A b", False)], "a picture's words"),
    ("<a href=x><img></a>", [("http://h/dir/x", "", False)], "no words at all"),
    (f"<a href=x>{'A' * 300}</a>", [("http://h/dir/x", "A" * 200, False)], "long words are cut"),
    ("<area href=x alt=A>", [("http://h/dir/x", "A", False)], "an area of a picture"),
    (
        "<link rel='alternate' hreflang=de href=de/x><link rel=alternate href=feed><a href=y>A</a>",
        [("http://h/dir/y", "A", False), ("http://h/dir/de/x", "", False, False)],
        "the page in another language, not its feed",
    ),
    ("<link rel=Alternate hreflang=de href='mailto:x'>", [], "nor what is no page"),
    ("<iframe src=x title=A></iframe>", [("http://h/dir/x", "A", False)], "a page in the page"),
    ("<frameset><frame src=x></frameset>", [("http://h/dir/x", "", False)], "frames"),
    (
        "<nav><a href=x>A</a></nav>",
        [("http://h/dir/x", "A", False, False)],
        "navigation is no text, but links",
    ),
    (
        "<nav><a href=x>A</a></nav><p>a <a href=x>A</a>",
        [("http://h/dir/x", "A", False, True)],
        "the same words in the main text",
    ),
    (
        "<a href=y>B</a><main>a <a href=x>A</a></main>",
        [("http://h/dir/x", "A", False, True), ("http://h/dir/y", "B", False, False)],
        "the links of the main element come first",
    ),
    ("<form action=x><input type=submit></form>", [], "requirement 287: forms are never sent"),
    ("<img src=x><link href=x><script src=x></script>", [], "requirement 3: media are no pages"),
    ("<a href=x rel='UGC me'>A</a>", [("http://h/dir/x", "A", True)], "rel, in any case"),
    ("<a href=x rel=sponsored>A</a>", [("http://h/dir/x", "A", True)], "rel"),
    ("<a href=x rel=me>A</a>", [("http://h/dir/x", "A", False)], "another rel"),
    ("<a href=x>A</a><a href=x#y>A</a>", [("http://h/dir/x", "A", False)], "twice on the same words is once"),
    (
        "<a href=x>A</a><a href=x>B</a>",
        [("http://h/dir/x", "A", False), ("http://h/dir/x", "B", False)],
        "other words count: they are what others call it",
    ),
    ("<a href=x rel=nofollow>A</a><a href=x>A</a>", [("http://h/dir/x", "A", False)], "one may be followed"),
    ("<a href=x>A</a><a href=x rel=nofollow>A</a>", [("http://h/dir/x", "A", False)], "in either order"),
    ("<a href=z>A</a><meta http-equiv=refresh content='1;URL=x'>", [("http://h/dir/z", "A", False)], "BODY"),
    (
        "<meta http-equiv=refresh content='1;URL=x'><a href=z>A</a>",
        [("http://h/dir/z", "A", False), ("http://h/dir/x", "", False)],
        "requirement 82: a refresh is the last of the links",
    ),
    (
        "<meta http-equiv=refresh content='1;URL=x'><a href=x rel=nofollow></a>",
        [("http://h/dir/x", "", True)],
        "a refresh adds nothing to a link",
    ),
]


@pytest.mark.requirement(3, 12, 13, 82, 283, 287)
@pytest.mark.parametrize(("html", "links", "why"), LINKS)
def test_links(html: str, links: list[tuple[str, str, bool] | tuple[str, str, bool, bool]], why: str) -> None:
    page = read_html(html.encode(), URL, "text/html; charset=utf-8", [])
    assert page.links == tuple(Link(*link) for link in links), why


ELSEWHERE, HERE = "http://spam.com/", "http://h/dir/x"
SAID = f"<p>I agree. <a href={ELSEWHERE}>A</a> <a href=x>B</a>"
PROSE = "<p>Bread is made of flour and water, and of time, which is what makes the difference. " * 9
TALK = [
    (f"<article>{PROSE}</article><div class=comments>{SAID}</div>", True, "comments below a text"),
    (f"<div>{PROSE}<ol class=commentlist><li>{SAID}</ol></div>", True, "in a box with the text"),
    (f"<main>{PROSE}<div id=comments>{SAID}</div></main>", True, "in the main element"),
    (f"<main>{PROSE}</main><div id=comments>{SAID}</div>", True, "below the main element"),
    (f"<main>{PROSE}</main><div class=Comments>{SAID}</div>", True, "in capitals"),
    (f"<div class=comments-open><div class=post>{PROSE}</div>{SAID}</div>", False, "a frame around the text"),
    (f"<div class=comments-open><main>{PROSE}</main>{SAID}</div>", False, "around the main element"),
    (f"<article>{PROSE}{SAID}</article>", False, "the text itself"),
    (f"<div class=comments>{SAID * 9}</div>", False, "what people come for"),
    (f"<article>{PROSE}{SAID}</article><div class=comments>{SAID}</div>", False, "the text says it, too"),
]


@pytest.mark.parametrize(("html", "nofollow", "why"), TALK, ids=[why for *_, why in TALK])
def test_links_of_readers_to_other_sites_are_not_the_page_s_own(html: str, nofollow: bool, why: str) -> None:
    """As rel=ugc says, which few say; those within the site lead on."""
    links = read_html(html.encode(), URL, "text/html; charset=utf-8", []).links
    assert {link.url: link.nofollow for link in links} == {ELSEWHERE: nofollow, HERE: False}, why


def test_links_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MAX_LINKS", 3)
    html = "".join(f"<a href={number}>A</a>" for number in range(9))
    assert len(read_html(html.encode(), URL, "", []).links) == 3
