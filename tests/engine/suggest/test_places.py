"""Where completions lead: to the one page, or the one place on a page, that has the name."""

from pathlib import Path

import pytest

from engine.model.page import Link, Page, Section
from engine.search.search import SearchService
from engine.suggest.past_queries import OFFERED, PastQueries
from tests.engine.index.lexicon.opened import Opener
from tests.engine.index.source import Memory

TAILED = [f"Plant {number} — Herbarium" for number in range(10)]


def headed(number: int, title: str, *headings: tuple[str, str], links: list[Link] | None = None) -> Page:
    sections = tuple(Section(heading, fragment, "words") for heading, fragment in headings)
    return Page(f"http://a.example/{number}", title=title, sections=sections, links=links or [])


DEFINED = (
    Section("", "kelp.Frond.wave", "wave(times)\nMoves the lotus."),
    Section("", "kelp.lotus", "Moves the frond.\nlotus"),
    Section("The lily", "kelp.lily", "words"),
    Section("", "kelp.pin", "pinned, unpin"),
    Section("", "method-kelp.moss", "moss()"),
    Section("", "kelp.Pine.oak", "kelp.Pine.oak"),
)
PAGES = [
    headed(1, "Amber fern", ("Amber fern", "top"), ("Bark  beetles", "bark"), ("Cedar", "")),
    headed(
        2, "Dew", ("Elm «tree»", "elm tree\u00e9"), ("Fog", "fog"), links=[Link("http://a.example/1", "gold")]
    ),
    headed(3, "Gorse", ("Fog", "fog-2"), ("Elm", "elm-2")),
    headed(4, "Heather"),
    headed(5, "HEATHER"),
    headed(6, "Ivy", ("Asked before", "asked")),
    headed(7, "Juniper", ("Gorse", "gorse")),
    Page("http://a.example/8", title="Kelp", sections=DEFINED),
    headed(9, "Herbarium: Larch", ("LARCH", "larch"), ("Needles", "needles"), ("The Larch", "more")),
    headed(10, "Maple leaf (The tree manual)", ("4.3 Maple  leaf", "Maple-leaf")),
    headed(11, "Nettle", ("nettle.sting", "sting"), ("Sap:", "sap")),
    *(
        Page(f"http://c.example/{at}", links=[Link("http://a.example/11", text)])
        for at, text in enumerate(("nettle.sting()", "Sap"))
    ),
    *(
        Page(f"http://d.example/{at}", links=[Link("http://a.example/8", text)])
        for at, text in enumerate(("Frond.wave()", "kelp()"))
    ),
    *(Page(f"http://b.example/{at}", title=title) for at, title in enumerate(TAILED)),
]


@pytest.fixture(scope="module")
def search(open_search: Opener, tmp_path_factory: pytest.TempPathFactory) -> SearchService:
    folder = tmp_path_factory.mktemp("places")
    search = open_search(folder, Memory(*PAGES), [PastQueries(folder / "past", lambda: 0.0)])
    for client in range(OFFERED):
        search.record_query("gone by", 3, client)
        search.record_query("ivy", 3, client)
    return search


@pytest.mark.parametrize(
    ("typed", "address", "why"),
    [
        ("amber", "http://a.example/1", "a title is the page, also where its first heading says the same"),
        ("bark", "http://a.example/1#bark", "a heading is its place"),
        ("ceda", "http://a.example/1", "a heading that no link reaches"),
        ("gold", "http://a.example/1", "what links say"),
        ("elm «", "http://a.example/2#elm%20tree%C3%A9", "an id is escaped"),
        ("fog", "", "two pages have this heading"),
        ("gors", "", "a title of one page, a heading of another: the hits have both"),
        ("heat", "", "but for capitals two pages are called so"),
        ("frond.w", "http://a.example/8#kelp.Frond.wave", "what is defined on a page"),
        ("kelp.pine", "http://a.example/8#kelp.Pine.oak", "what is called by its full name"),
        ("gone", "", "a query leads to its hits"),
        ("ivy", "http://a.example/6", "a query that is a page's name leads to the page"),
        ("plant 3", "http://b.example/3", "without the name of the site"),
        (
            "LARCH",
            "http://a.example/9",
            "the first heading is the page where the title says it behind another name",
        ),
        ("the larch", "http://a.example/9#more", "a later one is its place"),
        ("maple", "http://a.example/10", "the number of a chapter says nothing"),
        ("4.3", "http://a.example/10", "whatever of it is typed"),
        (
            "nettle.s",
            "http://a.example/11#sting",
            "a link to a function has brackets that its heading has not",
        ),
        ("frond.wave(", "http://a.example/8#kelp.Frond.wave", "what is defined there by its full name"),
        ("kelp()", "http://a.example/8", "no id ends so"),
        ("sap", "http://a.example/11#sap", "nor has it the colon"),
    ],
)
def test_where_a_completion_leads(search: SearchService, typed: str, address: str, why: str) -> None:
    first, *_ = search.complete(typed)
    assert first.address == address, why
    assert search.complete(typed)[0].address == address, "asked again"


@pytest.mark.parametrize(
    ("typed", "offered", "why"),
    [
        ("larch", ["Herbarium: Larch", "The Larch"], "a title, and the first heading with words of it"),
        ("maple", ["Maple leaf (The tree manual)"], "the same with a number"),
        ("nettle.", ["nettle.sting()"], "the words of a link and of a heading"),
        ("sap", ["Sap"], "with and without a colon"),
        ("frond", ["Frond.wave()"], "a link to what has a longer name there"),
        ("fog", ["Fog"], "two pages in the same words are one query"),
        ("elm", ["Elm", "Elm «tree»"], "other words of another page"),
    ],
)
def test_a_page_comes_once_for_the_same_words(
    search: SearchService, typed: str, offered: list[str], why: str
) -> None:
    assert [one.text for one in search.complete(typed)] == offered, why


def test_it_leads_where_the_name_is_now(open_search: Opener, tmp_path: Path) -> None:
    """Segments and their numbers come and go."""
    source = Memory(headed(1, "Moss"), headed(2, "Moss"))
    before = open_search(tmp_path, source)
    assert [tuple(one) for one in before.complete("mos")] == [("Moss", "", "")]
    source.remove("http://a.example/1")
    source.put(headed(3, "Reed", ("Mosses", "m")))
    found = [tuple(one) for one in open_search(tmp_path, source).complete("mos")]
    assert found == [("Moss", "http://a.example/2", ""), ("Mosses", "http://a.example/3#m", "Reed")]


def test_only_what_a_section_begins_with_is_defined_there(search: SearchService) -> None:
    assert [one.text for one in search.complete("kelp.")] == ["kelp.Pine.oak", "kelp.Frond.wave"]
    assert [one.text for one in search.complete("lotu")] == []
