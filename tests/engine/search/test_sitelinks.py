"""The main sections of a page."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.index.stored_pages import unpack_page
from engine.model.page import Page, Section
from engine.packing import texts
from engine.robots import Directives
from engine.search.sitelinks import MAX_SITELINKS, MAX_TITLE, find_sitelinks

URL = "http://a.example/page"


def titles(*sections: Section, title: str = "Fern", url: str = URL, shown: int | None = None) -> list[str]:
    """The sitelinks of a page; a heading and its fragment part at a bar."""
    page = Page(url, title=title, sections=sections, directives=Directives(max_snippet=shown))
    stored = {"url": url, "language": "", "media_type": "", "fetched_at": 0.0, "content": texts.pack(page)}
    return [f"{link.title}|{link.url.removeprefix(URL)}" for link in find_sitelinks(unpack_page(stored))]


def headed(*headings: str, text: str = "words") -> list[Section]:
    return [Section(heading, heading.lower().replace(" ", "-"), text) for heading in headings]


def test_headings_with_ids_in_the_order_of_the_page() -> None:
    assert titles(Section("", "", "words"), *headed("Fern", "Roots", "Stem and leaf")) == [
        "Roots|#roots",
        "Stem and leaf|#stem-and-leaf",
    ]


LEFT_OUT = [
    (Section("Moss", "", "words"), "no link reaches it"),
    (Section("", "term", "words"), "a term that is defined"),
    (Section("See also", "see", "words"), "what many pages have"),
    (Section("См. также", "see", "words"), "in any language"),
    (Section("1. References", "ref", "words"), "with a number as well"),
    (Section("FERN", "fern", "words"), "the title again"),
    (Section("Fern — a plant", "fern", "words"), "with more of it"),
    (Section("Roots", "roots-2", "words"), "a heading for the second time"),
    (Section("m" * (MAX_TITLE + 1), "long", "words"), "a sentence"),
    (Section("…", "dots", "words"), "the sign of a link"),
]


@pytest.mark.parametrize(("section", "why"), LEFT_OUT)
def test_what_is_no_main_section(section: Section, why: str) -> None:
    found = titles(*headed("Roots", "Leaves"), section, title="Fern — a plant of the woods")
    assert found == ["Roots|#roots", "Leaves|#leaves"], why


def test_of_many_the_longest_stay_with_what_is_defined_in_them() -> None:
    short, long = headed(*"abcdef"), headed("Long", "Longer", text="words " * 9)
    terms = [Section("", f"t{number}", "words " * 5) for number in range(3)]
    found = titles(*long, *short, Section("Terms", "terms", ""), *terms)
    assert len(found) == MAX_SITELINKS
    assert found[:2] == ["Long|#long", "Longer|#longer"]
    assert found[-1] == "Terms|#terms"


def test_of_numbered_headings_those_of_the_first_level() -> None:
    numbered = headed("Preface", "2. Roots", "2.1. Fine ones", "2.2 Others", "3. Leaves", text="words " * 9)
    assert titles(*numbered) == ["Roots|#2.-roots", "Leaves|#3.-leaves"]
    chapter = headed("2. Roots", "2.1. Fine ones", "2.1.1 Hairs", "2.2 Others")
    assert titles(*chapter, title="2. Roots: a book") == ["Fine ones|#2.1.-fine-ones", "Others|#2.2-others"]


NONE = [
    ({}, ["Roots"], "one is no choice"),
    ({"url": f"{URL}#there"}, ["Roots", "Leaves"], "the address has a place already"),
    ({"shown": 0}, ["Roots", "Leaves"], "its owner wants nothing of it shown"),
]


@pytest.mark.parametrize(("given", "headings", "why"), NONE)
def test_pages_without_sitelinks(given: dict[str, str], headings: list[str], why: str) -> None:
    assert titles(*headed(*headings), **given) == [], why  # type: ignore[arg-type]


@given(st.lists(st.tuples(st.text(), st.text(), st.text()), max_size=12), st.text())
def test_whatever_a_page_has(parts: list[tuple[str, str, str]], title: str) -> None:
    sections = [
        Section(*map(_without_surrogates, (heading, fragment, text)))  # type: ignore[arg-type]
        for heading, fragment, text in parts
    ]
    found = titles(*sections, title=_without_surrogates(title))
    assert len(found) <= MAX_SITELINKS
    assert len(found) == len(set(found)) != 1


def _without_surrogates(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
