"""HTML -> Page: what a person reads."""

import re
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.model.page import CELL_END, Page, Section
from engine.text.html import sections as room
from engine.text.html import strip_markup
from engine.text.html.elements import BLOCK, normalize_lines
from engine.text.html.head import MAX_TITLE
from engine.text.html.markup import read_html

URL = "http://h/dir/page.html"


def read(html: str) -> Page:
    return read_html(html.encode(), URL, "text/html; charset=utf-8", [])


TEXTS = [
    ("<b>foo</b>bar", "foobar", "inline elements part no words"),
    (
        "<span>asyncio</span><span>.</span><span>Queue</span>",
        "asyncio.Queue",
        "nor do those of coloured code",
    ),
    ("a<x-y>b</x-y>", "ab", "nor elements that nobody knows"),
    ("<p>a<p>b", "a\nb", "blocks do"),
    ("a<div>b</div>c", "a\nb\nc", "blocks do, at both ends"),
    ("a<br>b<hr>c", "a\nb\nc", "line breaks do"),
    ("<table><tr><td>a</td><td>b</td></tr><tr><th>c</table>", "a\nb\nc", "table cells do"),
    ("<TABLE><TR><TD>a<TD>b</TABLE><P>c</P>", "a\nb\nc", "in old capitals as well"),
    ("<ul><li>a<li>b</ul><dl><dt>c<dd>d</dl>", "a\nb\nc\nd", "lists"),
    ("a \n\t b&nbsp;c\fd", "a b c d", "white space is one space"),
    ("<pre>a\n  b</pre>", "a b", "also in listings"),
    ("&lt;b&gt; &amp; &eacute;", "<b> & é", "entities are characters, never markup"),
    ("a<script>x()</script><style>x{}</style><noscript>x</noscript>b", "ab", "code is not text"),
    ("a<img><wbr>b<b style='color: red'>c</b>", "abc", "nor those without text, or with a style"),
    ("a</div>b", "ab", "nor an end tag of nothing"),
    ("<p>a<P>b<p>c</p>", "a\nb\nc", "capitals now and then"),
    ("a<nav>x</nav>b<span hidden>x</span>c<p hidden>x</p>d", "a\nbc\nd", "what is left out parts as it did"),
    ("<div hidden><main>a</main></div>", "a", "the main part is read, whatever is around it"),
    ("<template>x</template><svg><text>x</text></svg>a", "a", "nor are templates and drawings"),
    ("a<!-- x -->b", "ab", "nor comments"),
    ("<nav>x</nav><aside>x</aside><header>x</header><div><footer>x</footer></div>a", "a", "furniture"),
    ("<article><header>a</header>b<footer>c</footer></article>", "a\nb\nc", "an article's header is its own"),
    ("<div role=navigation>x</div>a", "a", "furniture by its role"),
    ("<nav>x<nav>y</nav></nav>a", "a", "furniture in furniture"),
    (
        "<input value=x><select><option>x</select><textarea>x</textarea><button>x</button>a",
        "a",
        "form controls",
    ),
    (
        "<p hidden>x</p><p style='color: red; DISPLAY : none'>x</p><p style='color: red'>a",
        "a",
        "what nobody sees",
    ),
    ("x<main>a</main>y", "a", "the main part"),
    ("x<div role=main>a</div>y", "a", "the main part by its role"),
    ("<main><script>x</script></main>a", "a", "an empty main part is none: a script fills it"),
    ("<title>T</title><body style='visibility: hidden'>a", "a", "a body that a script will show"),
    ("<frameset><frame src=x></frameset>", "", "no body at all"),
    ("", "", "nothing"),
    ("a\0b", "ab", "no U+0000"),
    ("&#xD800;", "\ufffd", "no lone surrogates"),
]


@pytest.mark.parametrize(("html", "text", "why"), TEXTS)
def test_text_is_what_a_person_sees(html: str, text: str, why: str) -> None:
    assert read(html).text.replace(CELL_END, "") == text, why


IN_MAIN = [
    row for row in TEXTS if row[1] and not re.search("main|<(body|header|html)", row[0], re.IGNORECASE)
]


@pytest.mark.parametrize(("html", "text", "why"), IN_MAIN)
def test_it_is_the_same_in_a_main_part_that_is_taken_out_of_its_page(html: str, text: str, why: str) -> None:
    assert read(f"<nav>Menu</nav><main>{html}</main>").text.replace(CELL_END, "") == text, why


SECTIONS = [
    ("a<h1>H</h1>b", [("", "", "a"), ("H", "", "b")], "text before the first heading has none"),
    ("<h1>H</h1>", [("", "", ""), ("H", "", "")], "the first section is always there"),
    (
        "<div id=x><div><div><h2>H</h2></div></div>b</div>",
        [("", "", ""), ("H", "x", "b")],
        "a block that starts with it, further out",
    ),
    ("<h2 id=x>H</h2>b", [("", "", ""), ("H", "x", "b")], "its own id"),
    ("<h2><a name=x></a>H</h2>b", [("", "", ""), ("H", "x", "b")], "an anchor inside"),
    ("<p>a</p><a name=x></a>\n<h2>H</h2>b", [("", "", "a"), ("H", "x", "b")], "an anchor just before"),
    ("<section id=x><h2>H</h2>b</section>", [("", "", ""), ("H", "x", "b")], "the section's id"),
    ("<section id=x><span></span><h2>H</h2></section>", [("", "", ""), ("H", "x", "")], "behind an alias"),
    ("<div id=x><h2>H</h2>b</div>", [("", "", ""), ("H", "x", "b")], "a block that starts with it"),
    (
        "<div id=x>a<h2>H</h2>b</div>",
        [("", "", "a", ((0, "x"),)), ("H", "", "b")],
        "but not one that it is somewhere in",
    ),
    (f"<h2 id={'x' * 201}>H</h2>", [("", "", ""), ("H", "", "")], "an id too long to be one"),
    ("<h2>H<a class=headerlink href=#x>¶</a></h2>", [("", "", ""), ("H", "x", "")], "a permalink is no word"),
    ("<h2>a<b>b</b> <i>c</i>¶</h2>", [("", "", ""), ("ab c", "", "")], "markup in a heading"),
    ("<h2>a<br><b>b</b>c</h2>", [("", "", ""), ("a bc", "", "")], "lines in a heading"),
    ("<h2><button>H</button></h2>", [("", "", ""), ("H", "", "")], "a heading to unfold"),
    ("<nav><h2>x</h2></nav><h2>H</h2>", [("", "", ""), ("H", "", "")], "headings of furniture"),
    ("<h2 role=navigation>x</h2>a", [("", "", ""), ("x", "", "a")], "a heading that is seen counts as one"),
    ("<h2 hidden>x</h2>a", [("", "", "a")], "words that are not seen do not count as a heading's"),
    ("<h1>A<div><h2>B</h2></div></h1>c", [("", "", ""), ("A B", "", "c")], "a heading in a heading"),
    ("a\ue0007\ue001b", [("", "", "a"), ("", "", "b")], "our own mark on a page harms only that page"),
]


@pytest.mark.parametrize(("html", "sections", "why"), SECTIONS)
def test_text_stands_under_its_heading(html: str, sections: list[tuple[Any, ...]], why: str) -> None:
    assert read(html).sections == tuple(Section(*section) for section in sections), why


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MAX_TEXT", 40)
    monkeypatch.setattr(room, "MAX_SECTIONS", 2)
    page = read("<h1>a</h1>b<h1>c</h1>d<h1>e</h1>" + "f" * 100)
    assert [section.heading for section in page.sections] == ["", "a", "c"]
    assert page.sections[2].text.startswith("d\ne\nfff")
    assert len(page.text) < 50


TAGS = """
    <p> </p> <table> <td> </table> <h1> <h2|id=x> </h1> <main> <nav> </nav> <a|href=x> <a|href='?#\ud800'>
    </a> <b> </b> <form> <script> </script> <!-- --> <svg> <title> </title> <head> <body> <frameset>
    <template> <meta|name=robots|content=none> <header> <button> <select> <option> &#0; &#xD800;
    \ue0001\ue001 " ' < >
"""
MARKUP = st.sampled_from([*TAGS.replace("\n", " ").split(), "\0", "\f", " "]).map(
    lambda tag: tag.replace("|", " ")
)
BODIES = st.lists(MARKUP, max_size=40).map(lambda tags: "".join(tags).encode("utf-8", "surrogatepass"))


@settings(max_examples=200)
@given(st.binary(max_size=300) | BODIES)
@example(b"<title>\xed\xa0\x80</title>")
def test_any_bytes_are_a_page_that_can_be_stored(body: bytes) -> None:
    page = read_html(body, URL, "", [])
    links = [f"{link.url} {link.anchor}" for link in page.links]
    fragments = [section.fragment for section in page.sections]
    assert b"\0" not in "".join([page.title, page.description, page.text, *links, *fragments]).encode()
    assert page.sections[0].heading == ""
    assert len(page.title) <= MAX_TITLE


COLOURED = [
    ("<span class=k>if</span> x", "without quotes"),
    ('<span class="k">if</span>not', "no space between words"),
    ('<span class="c"><span class="k">a</span>b</span>', "a colour in a colour"),
    ('<a name="x"><span class="k">a</span></a><h2>H</h2>', "an anchor before a heading"),
    ('<h2 id="y"><span class="k">H</span>\n2</h2>', "a heading"),
    ('<span class="k" style="display:none"><span class="k">a</span></span>b', "what is hidden"),
    ('<span class="k"><a href="/z"><span class="pre">a</span> b</a></span>', "a link"),
    ('<a href="/z" title=\'<span class="k">a</span>\'></a>', "a title"),
    ('<table><span class="k">a</span><tr><td><span class="k"> b </span></table>', "where none may stand"),
    ('<p><span class="k">a<p>b</span>c', "one that was forgotten"),
    ('<!-- <span class="k"> --> a </span>', "half of one"),
    ('a <<span class="k">b</span> c', "behind what would begin a tag"),
    ('a &<span class="k">copy</span>', "behind what would begin an entity"),
    ('a <span class="o">&</span><span class="k">copy</span>', "an entity in two"),
    ('<span class="n"><span class="pre">a</span></span>b', "a colour in another"),
    ('<span class="n"><span class="pre">&</span></span>copy', "the same in one that would begin an entity"),
    ('<code class="f"><span class="pre">a()</span></code>b', "code"),
    ('<code class="f" hidden><span class="pre">a()</span></code>b', "code that is hidden"),
    ('<code class="f"><span class="pre">a</span> <span class="pre">b</span></code>', "code of two words"),
    (
        '<code style="display:none"><code class="f"><span class="pre">a</span> b</code> c</code>d',
        "code that goes on behind its colour, in code that is hidden",
    ),
    ('<a name="x"><code class="f"><span class="pre">a</span></code></a><h2>H</h2>', "in an anchor"),
    ('a &<code class="f"><span class="pre">copy</span></code>', "code that would end an entity"),
    ('<h2 id="y">H<a class="headerlink" href="#y" title="Here">¶</a></h2>a', "the sign behind a heading"),
    ('a <<a class="headerlink" href="#y" title="Here">¶</a>b>', "a sign behind what would begin a tag"),
    ('<a class="headerlink" href="/z" title="Here">¶</a>', "what is called a sign and leads elsewhere"),
    ('<dl><dt id="f">f<a class="headerlink" href="#f" title="Here">¶</a></dt></dl>', "behind a term"),
]


@pytest.mark.parametrize(("html", "why"), COLOURED, ids=[why for _, why in COLOURED])
def test_colours_are_no_part_of_a_page(html: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that is kept of a page changes when they are taken out before it is parsed."""
    many = '<p><span class="n">open</span><span class="p">(</span></p>' * strip_markup.MANY
    page = f'<title>T</title><a href="/">Up</a><div role="main">{many}{html}</div><p>Imprint'
    without = read(page)
    monkeypatch.setattr(strip_markup, "MANY", 10**6)
    assert without == read(page), why
    assert "open(" in without.text


@given(st.text(alphabet=[*"ab \n\t\r\x1c\xa0\u2003\u2028\u200b\ue000", BLOCK]))
def test_a_block_is_a_line_and_white_space_of_any_kind_one_space(text: str) -> None:
    words = [block.split() for block in text.split(BLOCK)]
    assert normalize_lines(text) == "\n".join(" ".join(line) for line in words if line)
