"""What is pruned from pages that are dated, and what is not."""

import pytest

from engine.model.page import Page
from engine.text.html.markup import read_html

P = "Eight months after the accident the bridge was opened again, and the first to cross were two buses."
DATED = '<meta property="article:published_time" content="2024-03-12"><title>The bridge is open - Us</title>'
TITLE = "<h1>The bridge is open</h1>"
TEXT = f"<p>{P}</p>" * 8
CARD = "<div class=c><h3><a href=/a>A headline of another page</a></h3><p>And what it says.</p></div>"
COMMENT = "<li><b>Maud</b> <i>yesterday</i><p>I would never have found that, and I am glad you did.</p></li>"
GONE = "GONE"


def read(body: str, head: str = DATED) -> Page:
    html = f"<!doctype html><html><head>{head}</head><body>{body}</body></html>"
    return read_html(html.encode(), "http://h/page", "text/html; charset=utf-8", [])


BESIDE = [
    ("<div><a href=/t>GONE</a> <a href=/u>and more</a></div>", "a box of links"),
    (f"<div>GONE{CARD * 3}</div>", "cards of other pages"),
    ("<section>GONE<ul>" + COMMENT * 3 + "</ul></section>", "comments, whatever they are called"),
    (
        "<div>GONE: get our letter every morning, and be the first to know.<input></div>",
        "a form",
    ),
    ("<div>GONE writes about bridges. <a rel=author href=/x>Ann</a></div>", "about the author"),
    ("<div>GONE <a rel=tag href=/t>bridges</a> <a rel=tag href=/u>buses</a></div>", "tags"),
    ("<figure><img src=/i><figcaption>GONE: the bridge in the morning</figcaption></figure>", "a caption"),
]


WRAPS = [
    "<div>{text}</div>{junk}",
    "<main>{text}{junk}</main>",
    "<div><div>{text}</div><div>{junk}</div></div>",
]


@pytest.mark.parametrize("wrap", WRAPS)
@pytest.mark.parametrize(("junk", "why"), BESIDE, ids=[why for _, why in BESIDE])
def test_what_stands_behind_the_text(junk: str, why: str, wrap: str) -> None:
    page = read(wrap.format(text=f"{TITLE}{TEXT}", junk=junk))
    assert GONE not in page.text, why
    assert GONE in page.rest, why
    assert page.text.count(P) == 8
    assert "The bridge is open" in page.text


BETWEEN = [
    ("<p>GONE also: <a href=/o>Another bridge has fallen down</a></p>", "a link with a label"),
    (
        "<h3>GONE</h3><ul><li><a href=/a>Another bridge</a><li><a href=/b>And a tunnel</a></ul>",
        "a list of links",
    ),
    ("<div>GONE</div>", "a label of an advertisement"),
    ("<div><h3>GONE</h3>Our letter, every morning at six.<form><input></form></div>", "a form"),
    ("<div><img src=/i><p>GONE: the bridge in the morning</p></div>", "a caption"),
    (f"<div><h2>GONE</h2>{CARD * 2}</div>", "cards"),
    ("<table><tr><td>»<td><a href=/x>GONE and some other headlines</a></table>", "a table of links"),
]


@pytest.mark.parametrize(("junk", "why"), BETWEEN, ids=[why for _, why in BETWEEN])
def test_what_stands_between_the_paragraphs(junk: str, why: str) -> None:
    page = read(f"<article>{TITLE}<p>{P}</p>{junk}{TEXT}</article>")
    assert GONE not in page.text, why
    assert GONE in page.rest, why
    assert page.text.count(P) == 9


BEFORE = [
    ("<div><a href=/>Us</a> › <a href=/l>GONE</a> › The bridge is open</div>" + TITLE, "where the page is"),
    (f"{TITLE}<div>GONE, 12 March 2024, 07:40</div>", "when it was written"),
    (f"{TITLE}<p>By GONE <time datetime=2024-03-12>today</time></p>", "by whom"),
    (f"{TITLE}<div><span>GONE</span> <span>4 min</span></div>", "labels"),
]


@pytest.mark.parametrize(("before", "why"), BEFORE, ids=[why for _, why in BEFORE])
def test_what_stands_before_the_text(before: str, why: str) -> None:
    page = read(f"<div>{before}<p>Nobody expected it so soon.</p><div>{TEXT}</div></div>")
    assert GONE not in page.text, why
    assert "Nobody expected it so soon." in page.text, "the deck stays"
    assert "The bridge is open" in page.text


POST = "<div class=post><dl><dt>gasket</dt><dd>Posts: 12</dd></dl><div class=content>{0}</div></div>"
KEPT = [
    ("".join(POST.format(f"KEPT {P}") for _ in range(6)), 6, "posts of a forum"),
    (f"{TEXT}<pre>KEPT</pre><p>And then:</p>{TEXT}", 1, "a listing"),
    (
        f"{TEXT}<ul><li>KEPT<li>KEPT and <a href=/x>more</a> of what they found below the water</ul>{TEXT}",
        2,
        "a list",
    ),
    (f"{TEXT}<table><tr><td>KEPT<td>12</table>{TEXT}", 1, "a table"),
    (f"{TEXT}<h2>KEPT</h2><blockquote>KEPT</blockquote>{TEXT}", 2, "a heading, a quotation"),
    (f"<div class=x>{TEXT}</div><div class=x><h2>KEPT</h2><p>{P}</div>", 1, "another box of the same kind"),
    ("".join(f"<div class=b><p>KEPT {P}</p></div>" for _ in range(9)), 9, "paragraphs in boxes of their own"),
    (f"KEPT {P}<br><br>" * 9, 9, "paragraphs between line breaks"),
    (f"<p>KEPT, who built it, <a href=/x>says</a> that it holds. {P}</p>{TEXT}", 1, "a link in a paragraph"),
]


@pytest.mark.parametrize(("body", "count", "why"), KEPT, ids=[why for *_, why in KEPT])
def test_what_belongs_to_the_text(body: str, count: int, why: str) -> None:
    page = read(f"<div>{TITLE}<div>{body}</div></div>")
    assert page.text.count("KEPT") == count, why


def test_a_page_without_a_date_is_left_alone() -> None:
    body = f"<main>{TITLE}{TEXT}<p>See also: <a href=/o>Another bridge, and how it fell</a></p></main>"
    assert "See also" in read(body, "<title>The bridge is open</title>").text
    assert "See also" not in read(body).text


DATES = [
    ("<p>12 March 2024", "in words"),
    ("<p>12.03.2024, 07:40", "in digits"),
    ("<p>2024-03-12", "in the order of ISO 8601"),
    ("<p>March 12, 2024", "as in America"),
    ("<p>12 de marzo de 2024", "in Spanish"),
    ("<p>12. März 2024", "in German"),
    ("<p>۲۲ اسفند ۱۴۰۲", "in Persian"),
    ("<p>2024年3月12日", "in Chinese"),
    ("<a href='https://www.facebook.com/sharer/sharer.php?u=x'>Share</a>", "it can be shared"),
]


@pytest.mark.parametrize(("sign", "why"), DATES, ids=[why for _, why in DATES])
def test_a_date_above_the_text_will_do(sign: str, why: str) -> None:
    body = f"<div>{TITLE}{sign}</div><div>{TEXT}</div><div>GONE{CARD * 3}</div>"
    assert GONE not in read(body, "<title>The bridge is open</title>").text, why
