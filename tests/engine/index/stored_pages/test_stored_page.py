"""What a hit shows of a page: all but what its host repeats."""

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.index.documents.document import make_document
from engine.index.documents.template import RepeatedBlocks, move_repeated
from engine.index.stored_pages.stored_page import StoredPage, encode_kept_runs, unpack_page
from engine.model.page import Flag, Page, Section
from engine.packing import compressed, packing
from engine.packing.packing import PackedPage
from engine.store.change import Change

URL = "http://a.example/"


def page(*sections: tuple[str, str]) -> Page:
    return Page(
        URL,
        "Title",
        "About",
        "en",
        sections=tuple(Section(head, head and "id", text) for head, text in sections),
    )


def stored(of: Page, lines: tuple[int, ...] = ()) -> StoredPage:
    """As it comes out of the index."""
    made = make_document(Change(7, of.url, packing.pack_page(of), 5.0), (), RepeatedBlocks(lines))
    return unpack_page(made.stored)


def body_of(page: StoredPage) -> str:
    laid = page.lay_out(10**6)
    return laid.cut_body(0, laid.size)


CASES = [
    (page(("", "A\nB")), (), None, "A\nB", "A\nB", "all of it"),
    (page(("", "A\nB\nC")), (1,), [0, 1, 3, 1], "A\nC", "A\nC", "a line from the middle"),
    (page(("", "A\nB\nC")), (0,), [2, 3], "B\nC", "B\nC", "neighbours are one run"),
    (page(("H", "A\nB"), ("I", "C")), (1,), [0, 3, 3, 3], "H\nA\nI\nC", "A\nC", "headings stay"),
    (page(("H", "A"), ("", ""), ("I", "B")), (2,), [0, 5], "H\nA\nI", "A", "an empty section has a line"),
    (page(("H", "A"), ("I", "B")), (0,), [0, 1, 3, 3], "H\nI\nB", "B", "a section of which nothing stays"),
    (page(("", "A\n"), ("I", "")), (0,), [3, 1], "I", "", "an empty line alone takes no line"),
    (page(("", "A")), (0,), [], "", "", "nothing stays"),
    (
        page(("Ä🐢", "ż\n龟\nя")),
        (1,),
        [0, 4, 3, 1],
        "Ä🐢\nż\nя",
        "ż\nя",
        "characters are counted, not octets",
    ),
]


@pytest.mark.requirement(308)
@pytest.mark.parametrize(
    ("of", "lines", "runs", "text", "body", "why"), CASES, ids=[why for *_, why in CASES]
)
def test_what_is_shown(
    of: Page, lines: tuple[int, ...], runs: list[int] | None, text: str, body: str, why: str
) -> None:
    """What a host repeats is found, but not shown."""
    assert encode_kept_runs(of, lines) == runs, why
    found = stored(of, lines)
    assert (found.text, body_of(found)) == (text, body), why
    assert (found.url, found.title, found.language, found.fetched_at) == (URL, "Title", "en", 5.0), why


def test_a_page_that_is_kept_counts_what_is_made_of_it() -> None:
    """Else memory were not bounded by what is cached: what a host repeats parts a page into spans."""
    text = "\n".join("ab"[number % 2] for number in range(2_000))
    found = stored(page(("", text)), tuple(range(0, 2_000, 2)))
    assert found.kept is not None
    made = (
        found.searched_layout.sections.nbytes
        + found.searched_layout.spans.nbytes
        + sys.getsizeof(list(found.kept))
    )
    assert found.nbytes >= len(text) + made


LINE = st.text(st.sampled_from("aż\n 🐢"), max_size=6)
HEADING = LINE.filter(lambda said: "\n" not in said)
SECTIONS = st.lists(st.builds(lambda head, text: Section(head, head, text), HEADING, LINE), max_size=4)


@settings(max_examples=100)
@given(SECTIONS, st.frozensets(st.integers(0, 12)))
def test_it_is_the_page_without_the_lines_of_its_host(sections: list[Section], lines: frozenset[int]) -> None:
    of = Page(URL, sections=tuple(sections))
    left = move_repeated(of, sorted(lines))
    found = stored(of, tuple(sorted(lines)))
    assert found.text == left.text
    assert body_of(found).split() == " ".join(section.text for section in left.sections).split()


LONG = "f(" + "a, " * 40
TERMS = [
    (("x", "f()\nA"), ("f()", "A"), "the first line is what is defined"),
    (("x", "f()\t\nA"), ("f()", "A"), "its definition is in the next line"),
    (("x", "f()"), ("f()", ""), "nothing is said of it"),
    (("", "f()\nA"), ("", "f()\nA"), "no id"),
    (("h", "f()\nA"), ("", "f()\nA"), "an id that came before: that section goes on"),
    (("x", "[1]\nA"), ("", "[1]\nA"), "no letter, as before a footnote"),
    (("x", "a" * 100), ("a" * 100, ""), "as long as may be"),
    (("x", "a" * 101), ("", "a" * 101), "longer than any name"),
    (("x", f"{LONG})\nA"), ("f", f"{LONG[1:]})\nA"), "a long signature is text"),
    (("x", f"f ({LONG}"), ("f (f", LONG[1:]), "what stands behind a space is none"),
    (("x", "\nA"), ("", "\nA"), "an empty line"),
]


@pytest.mark.parametrize(("section", "laid_out", "why"), TERMS, ids=[why for *_, why in TERMS])
def test_a_term_is_the_heading_of_its_section(
    section: tuple[str, str], laid_out: tuple[str, str], why: str
) -> None:
    of = Page(URL, sections=(Section("H", "h", ""), Section("", *section), Section("I", "i", "")))
    found = stored(of).lay_out(1_000)
    start, end, begin, stop = found.sections[:, 1]
    assert (of.text[start:end], of.text[begin:stop]) == laid_out, why
    assert found.cut_body(0, found.size) == laid_out[1], why


@settings(max_examples=100)
@given(
    st.lists(st.builds(Section, HEADING, st.sampled_from(["", "x", "y"]), LINE), max_size=6),
    st.integers(0, 100),
)
def test_terms_and_what_is_said_of_them_are_the_page(sections: list[Section], limit: int) -> None:
    found = stored(Page(URL, sections=tuple(sections)))
    parts = [
        part
        for start, end, begin, stop in found.lay_out(10**6).sections.T.tolist()
        for part in ((start, end), (begin, stop))
    ]
    assert " ".join(found.text[start:end] for start, end in parts).split() == found.text.split()
    edges = [edge for part in parts for edge in part]
    assert edges == sorted(edges)
    found.lay_out(limit)


def test_a_page_that_an_older_lycosa_has_packed_is_shown() -> None:
    """The crawl database keeps what it has; the index has all pages in one form."""
    fields = {
        "title": "T",
        "description": "",
        "sections": [["H", "", "A\nB"]],
        "archive": True,
        "follow": True,
    }
    old = PackedPage(compressed.dumps({**fields, "links": []}), "en", "text/html")
    made = make_document(Change(1, URL, old), (), RepeatedBlocks((0,)))
    assert (unpack_page(made.stored).title, unpack_page(made.stored).text) == ("T", "H\nB")


@pytest.mark.requirement(307)
def test_of_a_page_that_has_nothing_to_say_only_the_title_is_shown() -> None:
    of = Page(URL, "Title", "About", sections=(Section("", "", "Log in"),), flag=Flag.DENIED)
    found = stored(of)
    assert (found.title, found.text, found.front.description) == ("Title", "", "")
