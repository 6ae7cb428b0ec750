"""A link that scrolls to the passage, where no anchor is near."""

from dataclasses import replace
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.formats import EPUB, HTML, PDF, PLAIN
from engine.index.query.parser import parse_tree
from engine.index.snippets.matcher import build_matcher
from engine.index.snippets.snippet import Snippet, make_snippet
from engine.index.snippets.text_fragment import LONGEST, SCREEN
from engine.model.page import Page, Section
from engine.robots import Directives
from tests.engine.index.snippets.test_snippet import FILLER, stored

FAR = FILLER * (SCREEN // len(FILLER) + 1)
PAGE = Page("http://a.example/", "Spiders", language="en")


def under(typed: str, *sections: Section, of: Page = PAGE) -> Snippet:
    page = replace(stored(replace(of, sections=sections)), media_type=of.media_type)
    return make_snippet(page, build_matcher(parse_tree(typed, ["en"]), frozenset(["en"])))


def in_first(text: str) -> tuple[Section, ...]:
    return (Section("", "", text),)


QUOTES = [
    (f"{FAR}\nA hub.", "A%20hub.", "a block"),
    (f"{FAR} A hub. {FILLER}", "A%20hub.", "a sentence in one"),
    (f"{FAR}\n--a-b, c & d\t\nA hub", "A%20hub", "a cell, without the sign that its row goes on"),
    (f"{FAR}\n-hub, a & b\nc", "%2Dhub%2C%20a%20%26%20b", "what has a meaning there is escaped"),
    (f"{FAR}\n没有。\n这是 hub。没有。", "%E8%BF%99%E6%98%AF%20hub%E3%80%82", "Chinese: whole sentences"),
    (
        f"{FAR} The hub of a web {'is there ' * 9}where all threads meet again. {FILLER}",
        "The%20hub%20of%20a%20web,where%20all%20threads%20meet%20again.",
        "a long sentence: its first words and its last",
    ),
    (f"{FAR}\nThe hub x {'y = z ' * 30}\nb", "The%20hub%20x%20y%20%3D", "code: its first words"),
    (f"A rim. {FAR}\nOn it:\nA rim. A hub.\nb", "A%20hub.", "other sentences may stand twice"),
    (f"{FAR}\n{'hub' * LONGEST}", "", "what is too long for a link"),
]


@pytest.mark.parametrize(("text", "quoted", "why"), QUOTES, ids=[why for *_, why in QUOTES])
def test_a_passage_is_quoted(text: str, quoted: str, why: str) -> None:
    typed = "hub" if LONGEST * "hub" not in text else "hub" * LONGEST
    assert under(typed, *in_first(text)).text_directive == (quoted and f"text={quoted}"), why


def test_words_before_it_tell_what_stands_twice() -> None:
    once = Section("One", "one", f"Yes, it has.\nA hub.\n{FAR}")
    again = Section("Two", "", f"Spokes as well.\nA hub.\nRims. {FAR}")
    found = under("spokes hub rims", Section("", "", ""), once, again)
    assert found.text_directive == "text=Spokes%20as%20well."
    found = under('"hub rims"', Section("", "", ""), once, again)
    assert found.text_directive == "text=Spokes%20as%20well.-,A%20hub."


HUB = Section("Hubs", "hubs", "A hub.")
NEEDED = [
    ((Section("", "", f"A hub. {FAR}"),), PAGE, False, "at the top"),
    ((Section("", "", f"{FAR} A hub."),), PAGE, True, "more than a screen behind it"),
    ((Section("", "", FAR), HUB), PAGE, False, "behind its anchor"),
    ((Section("", "", FAR), HUB._replace(text=f"{FAR} A hub.")), PAGE, True, "far behind its anchor"),
    ((Section("", "", "A rim."), Section("Hubs", "", "A hub.")), PAGE, True, "a section without an id"),
    ((Section("", "", f"{FAR} A hub."),), replace(PAGE, url="http://a.example/#!x"), False, "a URL with one"),
    ((Section("", "", f"{FAR} A hub."),), replace(PAGE, media_type=HTML), True, "HTML"),
    ((Section("", "", f"{FAR} A hub."),), replace(PAGE, media_type=PLAIN), True, "a plain text"),
    (
        (Section("", "", ""), Section("", "page=2", f"{FAR} A hub.")),
        replace(PAGE, media_type=PDF),
        False,
        "PDF",
    ),
    ((Section("", "", f"{FAR} A hub."),), replace(PAGE, media_type=EPUB), False, "what no browser shows"),
    ((Section("", "", f"{FAR} A hub."),), replace(PAGE, title="Hub"), False, "the lead is shown"),
    (
        (Section("", "", f"{FAR} A hub."),),
        replace(PAGE, directives=Directives(max_snippet=0)),
        False,
        "its owner lets nothing be shown",
    ),
]


@pytest.mark.parametrize(("sections", "of", "is_there", "why"), NEEDED, ids=[why for *_, why in NEEDED])
def test_where_it_is_needed(sections: tuple[Section, ...], of: Page, is_there: bool, why: str) -> None:
    assert under("hub", *sections, of=of).text_directive == ("text=A%20hub." if is_there else ""), why


def decode(directive: str) -> tuple[str, str, str]:
    """Prefix, start and end, as the specification parses them."""
    parts = directive.removeprefix("text=").split(",")
    before = parts.pop(0)[:-1] if parts[0].endswith("-") else ""
    start, end = (*parts, "")[:2]
    return unquote(before), unquote(start), unquote(end)


@settings(max_examples=60)
@given(
    st.lists(st.text("ab-,&%#é。 .", min_size=1, max_size=40).map(str.split).map(" ".join), max_size=9),
    st.text("ab-,&%#é。 .", max_size=120).map(str.split).map(" ".join),
)
def test_it_says_what_stands_on_the_page(lines: list[str], last: str) -> None:
    """A browser that looks for it finds it in the last line, where the passage is, and nowhere before."""
    block = f"{last} hub".strip()
    above = [FAR.strip(), *filter(None, lines)]
    if found := under("hub", *in_first("\n".join([*above, block]))).text_directive:
        before, start, end = decode(found)
        assert start in block
        assert end in block
        assert before or not any(start in line for line in above)
        assert not before or before in (
            above[-1][-len(before) :],
            block[: block.rindex(start)].rstrip()[-len(before) :],
        )
