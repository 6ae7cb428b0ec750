"""A section that is called what was typed comes before those that speak of it."""

import numpy as np
import pytest

from engine.index.query.parser import parse_tree
from engine.index.snippets.match_positions import find_matches
from engine.index.snippets.matcher import build_matcher
from engine.model.page import Page, Section
from tests.engine.index.snippets.test_snippet import stored

URL = "http://h.example/"
HEADINGS = [
    ("web", "Web", 1_000, "all of it"),
    ("web", "Orb web", 500, "a half"),
    ("webs", "Web", 0, "in another form"),
    ("web", "Webs", 0, "in another form"),
    ("orb web", "Orb web", 1_000, "by two words"),
    ("orb web", "Orb, web", 1_000, "signs are no part of a name"),
    ("spin", "spin(web, silk)", 1_000, "nor is what stands in brackets"),
    ("web", "spin(web, silk)", 0, "what was typed stands in them"),
    ("spin", "(spin)", 1_000, "but a heading in brackets has a name"),
    ("put_nowait", "put_nowait()", 1_000, "a word of several parts"),
    ("put", "put_nowait()", 333, "one of its parts"),
    ("script", "JavaScript", 600, "a part that case shows"),
    ("搜索", "搜索引擎", 0, "without spaces nobody knows where a word ends"),
    ("absent", "Web", 0, "nothing"),
]


def shares(page: Page, typed: str) -> list[int]:
    read, matcher = stored(page), build_matcher(parse_tree(typed, [page.language]), frozenset())
    names = find_matches(read, read.searched_layout, matcher).names
    assert not np.any(names.shares[names.words == 0])
    return [int(share) for share in names.shares]


def page(*sections: Section, title: str = "") -> Page:
    return Page(URL, title, language="en", sections=(Section("", "", "Spiders."), *sections))


@pytest.mark.parametrize(("typed", "heading", "share", "why"), HEADINGS, ids=[why for *_, why in HEADINGS])
def test_a_heading_is_a_name_as_far_as_it_was_typed(typed: str, heading: str, share: int, why: str) -> None:
    assert shares(page(Section(heading, "", "Silk.")), typed) == [0, share], why


IDS = [
    ("web", "web", 1_000, "all of it"),
    ("web", "orb.web", 500, "a part"),
    ("orb web", "orb.web", 1_000, "in two words"),
    ("web orb", "orb.web", 1_000, "in any order"),
    ("orb.web", "orb.web", 1_000, "in one word"),
    ("orb", "orb.web", 0, "without its last part it is the name of something else"),
    ("orb.web spin", "orb.web.spin", 1_000, "its parents in one word"),
    ("web guide", "guide.web", 1_000, "in a title that says the other part"),
    ("web", "guide.web", 1_000, "which then need not be typed"),
    ("webs", "web", 0, "in another form"),
]


@pytest.mark.parametrize(("typed", "fragment", "share", "why"), IDS, ids=[why for *_, why in IDS])
def test_an_id_is_a_name_as_far_as_it_was_typed(typed: str, fragment: str, share: int, why: str) -> None:
    assert shares(page(Section("Silk", fragment, "Silk."), title="A Guide"), typed)[1] == share, why


def test_what_goes_on_behind_a_list_has_no_name() -> None:
    found = page(Section("Webs", "web", "a"), Section("", "hub", "hub"), Section("", "web", "b"))
    assert shares(found, "web") == [0, 1_000, 0, 0]


def test_the_name_of_the_first_section_is_that_of_the_page() -> None:
    sections = (Section("", "", ""), Section("Web", "web", "a"), Section("Web", "web-2", "b"))
    assert shares(Page(URL, "Web", language="en", sections=sections), "web") == [0, 0, 1_000]
