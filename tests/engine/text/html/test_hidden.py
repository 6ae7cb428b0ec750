"""Hidden text: what a person does not see does not help a page."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text.html.hidden import hiding_property
from engine.text.html.markup import read_html

pytestmark = pytest.mark.requirement(302)

URL = "http://h.example/"

STYLES = [
    ("display:none", True, "not drawn"),
    ("color:red; DISPLAY : None !important", True, "in any spelling"),
    ("display: none; display: block", False, "the last word counts"),
    ("display:block", False, "drawn"),
    ("list-style-type: none", False, "no dots, all words"),
    ("visibility:hidden", True, "room without words"),
    ("visibility:collapse", True, "a row without room"),
    ("visibility:visible", False, "seen"),
    ("opacity:0", True, "transparent"),
    ("opacity: 0.0", True, "in any spelling"),
    ("opacity: 0%", True, "in any unit"),
    ("opacity:.5", False, "pale"),
    ("opacity:0;transform:translateY(20px)", False, "about to fade in, as animated pages begin"),
    ("opacity:0;transition:opacity 1s", False, "about to fade in"),
    ("font-size:0", True, "no size"),
    ("font-size: 1px", True, "too small to read"),
    ("font-size: 0.1em", True, "too small to read, in letters"),
    ("font-size:80%", False, "small print is print"),
    ("font-size:9px", False, "small print is print"),
    ("font-size:inherit", False, "no number"),
    ("text-indent:-9999px", True, "out to the left"),
    ("text-indent:-2em", False, "a hanging indent"),
    ("position:absolute;left:-10000px", True, "off the screen"),
    ("position: fixed; top: -100em", True, "above it"),
    ("margin-left:-999em", True, "beside it"),
    ("margin-left:-12px", False, "an ornament"),
    ("left:calc(1px)", False, "arithmetic is not done"),
    ("position:absolute;clip:rect(0,0,0,0)", True, "cut away"),
    ("position:absolute;clip:rect(1px 1px 1px 1px)", True, "cut away, the old way"),
    ("clip:rect(0,0,0,0)", False, "clip holds for what is positioned (CSS Masking 1, 10)"),
    ("clip-path:inset(50%)", True, "cut away"),
    ("height:0;overflow:hidden", True, "a box of no height"),
    ("width:0px; overflow:hidden", True, "a box of no width"),
    ("height:0", False, "what overflows is seen"),
    ("height:20px;overflow:hidden", False, "the first line is seen"),
    ("color:#fff;background-color:white", True, "white on white"),
    ("color:#FFFFFF;background:#fff", True, "white on white"),
    ("color:rgb(255, 255, 255);background:#ffffff", True, "white on white"),
    ("color:gray;background:gray", True, "grey on grey"),
    ("color:white;background:#fff url(night.jpg)", False, "white on a picture"),
    ("color:white;background:#fff;background-image:url(x)", False, "white on a picture"),
    ("color:white;background:black", False, "white on black"),
    ("color:white", False, "on what, another rule says"),
    ("color:transparent", True, "no colour"),
    ("color:transparent;-webkit-background-clip:text", False, "letters cut out of a picture"),
    ("", False, "nothing said"),
    ("color", False, "half a declaration"),
]


@pytest.mark.parametrize(("style", "hides", "why"), STYLES, ids=[style for style, _, _ in STYLES])
def test_styles_that_hide(style: str, hides: bool, why: str) -> None:
    """By the style of the element alone."""
    assert bool(hiding_property(style)) is hides, why
    page = read_html(f"<p>seen<p style='{style}'>word".encode(), URL, "text/html", [])
    assert ("word" in page.text) is not hides, why


PAGES = [
    ("<div hidden>x</div>a", "a", "hidden"),
    ("<div hidden=hidden>x</div>a", "a", "hidden, in words"),
    ("<div hidden=until-found>a</div>", "a", "found by the browser's own search, so by ours"),
    ("<details><summary>a</summary>b</details>", "a\nb", "what a reader unfolds is there for him"),
    ("<p aria-hidden=true>a</p>", "a", "hidden from ears, not from eyes"),
    ("<dialog>x</dialog><dialog open>a</dialog>", "a", "a dialog that nobody has opened"),
    ("<template><p>x</template>a", "a", "a template"),
    ("<!-- x -->a", "a", "a comment"),
    ("<h1 style='display:none'>x</h1>a", "a", "a heading would count double"),
    ("<h1 hidden>x</h1>a", "a", "a heading would count double"),
    ("<div style='display:none'><h1>x</h1><p>x</div>a", "a", "with all that is in it"),
    (
        "<div style='font-size:0'><p style='font-size:13px'>a</p>",
        "a",
        "a box without gaps, as in newsletters",
    ),
    ("<div style='font-size:0'><font size=2>a</font></div>", "a", "a box without gaps, the old way"),
    ("<p style='font-size:0'>x</p>a", "a", "letters of no size"),
    ("a<noscript>x</noscript>", "a", "requirement 85: for browsers without scripts"),
    (
        "a<noframes>your browser does not support frames</noframes>",
        "a",
        "requirements 85, 307: without frames",
    ),
    ("<video>your browser does not support video</video>a", "a", "requirement 85: without films"),
    ("<audio>x</audio><canvas>x</canvas><noembed>x</noembed>a", "a", "requirement 85: without the rest"),
    ("<body style='opacity:0'>a", "a", "a body that a script will show"),
]


@pytest.mark.requirement(85, 307)
@pytest.mark.parametrize(("html", "text", "why"), PAGES)
def test_what_is_not_seen_is_no_text(html: str, text: str, why: str) -> None:
    assert read_html(html.encode(), URL, "text/html", []).text == text, why


@pytest.mark.requirement(85, 307)
def test_a_frameset_leads_to_its_frames_and_says_nothing() -> None:
    """What it says to browsers without frames is not its text."""
    html = b"""<title>T</title><frameset cols="20%,80%"><frame src=menu.html><frame src=text.html>
    <noframes><body>Your browser does not support frames.</body></noframes></frameset>"""
    page = read_html(html, URL, "text/html", [])
    assert (page.title, page.text) == ("T", "")
    assert [link.url for link in page.links] == [f"{URL}menu.html", f"{URL}text.html"]


@given(st.text(st.sampled_from(":;-0.9%#(),pxemclirotfn \0"), max_size=60))
def test_no_style_breaks_it(style: str) -> None:
    assert isinstance(hiding_property(style), str)
