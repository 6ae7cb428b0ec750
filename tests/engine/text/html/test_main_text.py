"""The main text of pages, and what beside it can be seen."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from benchmarks.corpora.gold import HELD_OUT, PRESS, Overlap, compute_overlap, read_test_pages
from engine.model.page import Page
from engine.text.html import split
from engine.text.html.boxes import MAX_PARTS
from engine.text.html.element_roles import ElementRole, classify_box
from engine.text.html.main_text import find_title
from engine.text.html.markup import read_html

MARKED = [
    # folder, its pages, mean precision, recall and F1, least F1 of a page
    ("", 30, 0.97, 0.99, 0.98, 0.85),
    (PRESS, 40, 0.94, 0.99, 0.96, 0.25),
    (HELD_OUT, 30, 0.88, 0.98, 0.91, 0.0),
]
PROSE = "Eight months after the accident the bridge was opened again, and the first to cross were two buses. "
MENU = "<ul><li><a href=/a>One thing</a><li><a href=/b>Another</a><li><a href=/c>A third</a></ul>"


def read(html: str) -> Page:
    return read_html(html.encode(), "http://h/dir/page.html", "text/html; charset=utf-8", [])


@pytest.mark.parametrize(("folder", "count", "precision", "recall", "f1", "least"), MARKED)
def test_the_marked_pages(
    folder: str, count: int, precision: float, recall: float, f1: float, least: float
) -> None:
    """Of the held-out ones only the means are told, so that nobody tunes to one of them."""
    pages = list(read_test_pages(folder))
    assert len(pages) == count
    found = {
        page.name: compute_overlap(read_html(page.html, "http://h/", "", []).text, page.main)
        for page in pages
    }
    means = Overlap(*(sum(figures) / count for figures in zip(*found.values(), strict=True)))
    assert means.precision >= precision, means
    assert means.recall >= recall, means
    assert means.f1 >= f1, means
    assert all(page.f1 >= least for page in found.values()), found


MAIN = [
    (f"<div class=menu>{MENU}</div><p>{PROSE}", "", "a menu by its name"),
    (f"{MENU}<div><p>{PROSE}<p>{PROSE}</div>", "", "a list of links without a name"),
    (f"<main>{PROSE}<div class=related-posts>{MENU}</div></main>", "", "furniture in the main element"),
    (f"<div role=banner>{MENU}</div><p>{PROSE}", "", "by its role"),
    (f"<p>{PROSE}<div id=cookie-bar>We use cookies</div>", "We use", "a cookie banner"),
    (f"<p>{PROSE}<form>Your name <input></form>", "Your name", "a form without a name is text"),
    (f"<article><p>{PROSE * 8}</article><div id=comments>Me too</div>", "Me too", "comments"),
    (
        f"<main><p>{PROSE * 8}<article class='comment first'>Me too</article></main>",
        "Me too",
        "comments that are articles",
    ),
    (
        f"<main><p>{PROSE * 8}<div class=comments>Me too</div></main>",
        "Me too",
        "comments in the main element",
    ),
    (
        f"<div><p>{PROSE * 8}<div class=comments>Me too</div></div>",
        "Me too",
        "comments in a box with the text",
    ),
    (f"<p>{PROSE}<p>© 2024 The Tide", "2024", "a copyright notice"),
]


@pytest.mark.parametrize(("html", "words", "why"), MAIN)
def test_furniture_is_no_main_text(html: str, words: str, why: str) -> None:
    page = read(html)
    wanted = words or "Another"
    if why.endswith("is text"):
        assert wanted in page.text, why
        return
    assert wanted not in page.text, why
    assert wanted in page.rest, why
    assert PROSE.strip() in page.text, why


KEPT = [
    (f"<div class=sidebar>{PROSE * 4}</div><p>x", "what holds most of the text is no sidebar"),
    (f"<div class=banner>{PROSE * 3}</div><p>{'so ' * 80}", "nor a banner, beside text that would be enough"),
    (f"<div class=widget>{PROSE * 3}</div>" * 4, "a page of boxes that all call themselves furniture"),
    (f"<form class=search>{PROSE * 4}<input></form>", "a server that puts its pages into a form"),
    (f"<div class='page-with-sidebar'><p>{PROSE}</div>{MENU}", "a frame that is named for what is in it"),
    (f"<div class=comment><p>{PROSE}</div><div class=comment><p>{PROSE}</div>", "a forum"),
    (f"<div class=sidebar>{PROSE}</div><p>{PROSE * 3}", "a remark beside the text, without links"),
    (f"<main></main><p>{PROSE}", "an empty main element"),
    (f"<main>Read</main><p>{PROSE * 20}", "a main element with next to nothing in it"),
    (f"<section id=cookies><h2>Cookies</h2><p>{PROSE}</section><p>{PROSE * 2}", "a section about cookies"),
    (f"<main><aside class='admonition note'>{PROSE}</aside><p>{PROSE * 2}</main>", "a note"),
    (
        f"<p>{PROSE}<a href=/a>Joins</a>, <a href=/b>views</a> and <a href=/c>triggers of tables</a>.",
        "a sentence that is mostly links",
    ),
    (f"<article><header><h1>x</h1><p>{PROSE}</header><p>{PROSE * 2}</article>", "an article's header"),
]


@pytest.mark.parametrize(("html", "why"), KEPT)
def test_text_is_not_lost(html: str, why: str) -> None:
    assert PROSE.strip() in read(html).text, why


LEADS = [
    (
        f"<title>mv(1)</title><div id=header><h1>mv(1) Manual</h1><h2>NAME</h2>"
        f"<div><p>mv - move or rename a file</p></div></div>"
        f"<div id=content>{PROSE * 3}</div><div id=footer>Last updated</div>",
        "mv - move or rename a file",
        "beside a title in a box that is called a header",
    ),
    (
        f"<title>Bridges - Us</title><div class=intro><h3>Bridges</h3><p>Why they move</div>"
        f"<div class=content><p>{PROSE * 3}</div>",
        "Why they move",
        "beside a title that is no H1",
    ),
    (
        f"<title>Bridges - Us</title><div><h1>Bridges</h1></div><p>Why they move</p>"
        "<ul><li><a href=/a>One</a></ul>"
        f"<div class=content><p>{PROSE * 3}</div>",
        "Why they move",
        "between the title and the text",
    ),
]


@pytest.mark.parametrize(("html", "lead", "why"), LEADS, ids=[why for *_, why in LEADS])
def test_a_lead_stands_in_the_text(html: str, lead: str, why: str) -> None:
    page = read(html)
    assert lead in page.text, why
    assert page.text.count(PROSE.strip()) == 3
    assert "One" not in page.text
    assert "Last updated" not in page.text


OUTSIDE = [
    ("<header><h1>Bridges</h1><p>Why they move</p></header>", "Bridges\nWhy they move\n", "with its lead"),
    ("<header><h1>Bridges</h1><a href=/>Us</a></header>", "Bridges\n", "without links beside it"),
    ("<div><div><h1>Bridges</h1></div><p>Us</div>", "Bridges\n", "without what is around its box"),
    ("<h1><a href=/>Us</a></h1>", "", "not the site"),
    ("<h1>Us</h1><h1>More</h1>", "", "not one of several"),
    ("<nav><h1>Menu</h1></nav>", "", "not of a menu"),
]


@pytest.mark.parametrize(("html", "title", "why"), OUTSIDE, ids=[why for *_, why in OUTSIDE])
def test_a_title_outside_of_the_main_element(html: str, title: str, why: str) -> None:
    page = read(f"{html}<main><p>{PROSE * 3}</main>")
    assert page.text.strip() == f"{title}{PROSE * 3}".strip(), why
    assert len(page.links) == html.count("<a ")


def test_the_other_of_two_sections_is_kept() -> None:
    page = read(f"<div><div><h2>One</h2><p>{PROSE * 20}</div><div><h2>Other</h2><p>{PROSE}</div></div>")
    assert "Other" in page.text


def test_a_remark_beside_the_text_may_have_links() -> None:
    remark = (
        f"<div class=sidebar><h3>Snake oil</h3><div>{PROSE}{PROSE}<a href=/a>More about it</a></div></div>"
    )
    assert "Snake oil" in read(f"<div><p>{PROSE * 3}</p>{remark}<p>{PROSE * 3}</p></div>").text


TITLES = [
    ("<h1>Us</h1><h2>Bridges of the north</h2>", "Bridges of the north - Us", 1, "the longest in the title"),
    ("<h1>Us</h1><h2>More</h2>", "Bridges of the north", 0, "the only H1"),
    (
        "<h1><a href=/>Us</a></h1><h2>More</h2>",
        "Bridges of the north",
        None,
        "a link home is the site",
    ),
    ("<h1><a href=/b>Bridges</a></h1><h2>More</h2>", "Bridges - Us", 0, "a link to itself is not"),
    ("<h1>Bridges</h1><h1>More</h1>", "", None, "two H1, and no title to tell"),
    ("<h1>mv(1) Manual</h1><h2>mv</h2>", "mv(1)", 0, "an H1 that has the title in it"),
    ("", "Bridges", None, "no heading"),
]


@pytest.mark.parametrize(("html", "title", "number", "why"), TITLES, ids=[why for *_, why in TITLES])
def test_the_title_of_a_page(html: str, title: str, number: int | None, why: str) -> None:
    body = LexborHTMLParser(f"<body>{html}").body
    assert body is not None
    headings = body.css("h1,h2")
    found = find_title(headings, body, title)
    assert (found and found.mem_id) == (None if number is None else headings[number].mem_id), why


def test_a_guessed_main_part_has_whole_lines() -> None:
    page = read(
        f"<div class=sidebar>x</div><div class=content>a <b>b</b> c<p>d <i>e</i> f</p><p>{PROSE}</div>"
    )
    assert page.text.startswith("a b c\nd e f\n")


def test_a_page_of_links_is_about_its_links() -> None:
    assert "Another" in read(f"<h1>All of them</h1>{MENU}").text


def test_so_is_one_whose_only_prose_says_so() -> None:
    lists = "".join(f"<h2>{letter}</h2>{MENU * 9}" for letter in "ABC")
    page = read(f"<div><div><p>{PROSE}</div>{lists}</div><div>Made by us</div>")
    assert "Another" in page.text
    assert PROSE.strip() in page.text


@pytest.mark.parametrize("empty", ["<div></div>", "<div class=content></div>", "<article></article>"])
def test_an_empty_box_is_not_what_a_page_of_links_is_about(empty: str) -> None:
    assert "Another" in read(f"{empty}{MENU}").text


HIDDEN = [
    ("<p hidden>x</p>", "by its attribute"),
    ("<p style='display: none'>x</p>", "by its style"),
    ("<h2 hidden>x</h2>", "a heading"),
    ("<div><noscript><nav>x</nav></noscript></div>", "for browsers without scripts"),
    ("<nav hidden>x</nav>", "navigation"),
    ("<div class=menu><ul hidden><li>x</ul>y</div>", "in navigation"),
    ("<template>x</template>", "a template"),
]


@pytest.mark.parametrize(("html", "why"), HIDDEN)
def test_hidden_text_is_nowhere(html: str, why: str) -> None:
    page = read(f"{html}<p>{PROSE}")
    assert "x" not in (page.text + page.rest).replace(PROSE.strip(), ""), why


def test_the_rest_has_a_line_for_each_block() -> None:
    page = read(f"<nav>a <b>b</b><p>c <i>d</i> e</nav><main>{PROSE}</main><footer>f</footer>")
    assert page.rest.split("\n") == ["a b", "c d e", "f"]


def test_the_rest_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(split, "MAX_REST", 100)
    assert len(read(f"<nav>{'word ' * 200}</nav><p>{PROSE}").rest) <= 100


def test_pieces_are_bounded() -> None:
    page = read("<nav>x</nav>" * (MAX_PARTS + 9) + f"<p>{PROSE}")
    assert len(page.rest.split("\n")) == MAX_PARTS


NAMES = [
    ("site-footer", ElementRole.FURNITURE, "parted by a hyphen"),
    ("siteFooter", ElementRole.FURNITURE, "by a capital"),
    ("COOKIE_BANNER", ElementRole.FURNITURE, "in capitals"),
    ("topnav", ElementRole.FURNITURE, "a compound"),
    ("has-sidebar", ElementRole.PLAIN, "named for what it has"),
    ("content-sidebar-wrap", ElementRole.PLAIN, "a frame around both"),
    ("elementor-widget", ElementRole.PLAIN, "a system in which everything is a widget"),
    ("entry-content", ElementRole.CONTENT, "the text"),
    ("comment-list", ElementRole.TALK, "what readers write"),
    ("comment-body", ElementRole.TALK, "one of them"),
    ("deprecation-comment", ElementRole.PLAIN, "a remark of the author's"),
    ("table-header", ElementRole.PLAIN, "of a table, not of the page"),
    ("col-md-8", ElementRole.PLAIN, "says nothing"),
    ("x" * 10_000, ElementRole.PLAIN, "made by a program"),
    ("", ElementRole.PLAIN, "no name"),
]


@pytest.mark.parametrize(("names", "part", "why"), NAMES, ids=[why for _, _, why in NAMES])
def test_names(names: str, part: ElementRole, why: str) -> None:
    assert classify_box(names) is part, why


PIECES = """
    <nav> </nav> <main> </main> <div|class=sidebar> <div|class=content> <article> </article> </div> <a|href=x>
    </a> <table> <td> <p> <form> <h1> <h2|id=y> <ul> <li> <aside> <header> <footer> <p|hidden> word <b> </b>
"""


@settings(max_examples=100)
@given(st.lists(st.sampled_from(PIECES.split()).map(lambda tag: tag.replace("|", " ")), max_size=30))
def test_what_is_seen_is_main_text_or_rest(pieces: list[str]) -> None:
    """Each word once, wherever it stands."""
    number = iter(range(99))
    html = " ".join(f"word{next(number)}" if piece == "word" else piece for piece in pieces)
    page = read(html)
    seen = f"{page.text} {page.rest}".split()
    assert len([word for word in seen if word.startswith("word")]) == len(
        {word for word in seen if word.startswith("word")}
    )
    if "hidden" not in html:
        assert set(seen) == {word for word in html.split() if word.startswith("word")}
