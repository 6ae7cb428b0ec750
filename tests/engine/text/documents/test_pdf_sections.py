"""Where the sections of a PDF begin and end, by its outline and its lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.model.page import Section
from engine.model.section_anchor import SectionAnchor
from engine.text.documents.pdf_sections import OutlineTarget, PageText, build_sections

LINES = ["before", "1 Webs", "of webs", "2 Silk", "of silk"]


def page(
    *lines: str, to: list[tuple[str, str]] | None = None, alternatives: tuple[str, ...] = ()
) -> PageText:
    """A page with these lines; `to`: headings, and the lines to which they lead."""
    return PageText(
        lines, [OutlineTarget(heading, [line] if line else []) for heading, line in to or ()], alternatives
    )


def told(*pages: PageText) -> list[tuple[str, str, str]]:
    return [section[:3] for section in build_sections(pages)]


ONE_PAGE: list[tuple[str, list[tuple[str, str]], list[tuple[str, str]]]] = [
    ("no entry", [], [("", "\n".join(LINES))]),
    ("the line that says it", [("1 Webs", "")], [("", "before"), ("1 Webs", "of webs\n2 Silk\nof silk")]),
    (
        "several on one page",
        [("1 Webs", ""), ("2 Silk", "")],
        [("", "before"), ("1 Webs", "of webs"), ("2 Silk", "of silk")],
    ),
    (
        "in another order",
        [("2 Silk", "2 Silk"), ("1 Webs", "1 Webs")],
        [("", "before"), ("1 Webs", "of webs"), ("2 Silk", "of silk")],
    ),
    ("other capitals and blanks", [("1.WEBS", "")], [("", "before"), ("1.WEBS", "of webs\n2 Silk\nof silk")]),
    ("the page has its number", [("Silk", "")], [("", "before\n1 Webs\nof webs"), ("Silk", "of silk")]),
    ("the outline has its number", [("7 Before", "")], [("", ""), ("7 Before", "\n".join(LINES[1:]))]),
    (
        "the line to which it leads",
        [("Spun", "2 Silk")],
        [("", "\n".join(LINES[:3])), ("Spun", "2 Silk\nof silk")],
    ),
    ("near that line", [("2 Silk", "of webs")], [("", "\n".join(LINES[:3])), ("2 Silk", "of silk")]),
    ("neither: all of the page", [("Spun", "")], [("", ""), ("Spun", "\n".join(LINES))]),
    (
        "a second one that is nowhere",
        [("1 Webs", ""), ("1.1 Hubs", "")],
        [("", "before"), ("1 Webs", "of webs\n2 Silk\nof silk"), ("1.1 Hubs", "")],
    ),
    (
        "a part and its first chapter at one line",
        [("Part I", "1 Webs"), ("1 Webs", "1 Webs")],
        [("", "before"), ("Part I", ""), ("1 Webs", "of webs\n2 Silk\nof silk")],
    ),
    (
        "two that say the same",
        [("1 Webs", ""), ("Webs", "")],
        [("", "before"), ("1 Webs", ""), ("Webs", "of webs\n2 Silk\nof silk")],
    ),
    ("over two lines", [("1 Webs of webs", "")], [("", "before"), ("1 Webs of webs", "2 Silk\nof silk")]),
    ("no letter in it", [("\N{BULLET}", "")], [("", ""), ("\N{BULLET}", "\n".join(LINES))]),
]


@pytest.mark.parametrize(("why", "to", "expected"), ONE_PAGE, ids=[why for why, *_ in ONE_PAGE])
def test_a_page_is_cut(why: str, to: list[tuple[str, str]], expected: list[tuple[str, str]]) -> None:
    assert told(page(*LINES, to=to)) == [(heading, "page=1", text) for heading, text in expected], why


def test_of_lines_that_say_a_heading_the_nearest_is_it() -> None:
    again = ["Silk", "a", "b", "c", "d", "Silk", "e"]
    assert told(page(*again, to=[("Silk", "d")])) == [
        ("", "page=1", "Silk\na\nb\nc\nd"),
        ("Silk", "page=1", "e"),
    ]


def test_parts_of_letters_above_a_destination_are_no_line() -> None:
    target = OutlineTarget("Spun", ["g p", "2 Silk"])
    assert told(PageText(LINES, [target], ()))[1] == ("Spun", "page=1", "2 Silk\nof silk")


def test_a_line_far_from_the_destination_is_not_the_heading() -> None:
    lines = ["Silk", "a", "b", "c", "d", "e"]
    assert told(page(*lines, to=[("Silk", "e")])) == [
        ("", "page=1", "Silk\na\nb\nc\nd"),
        ("Silk", "page=1", "e"),
    ]


def test_a_section_goes_on_over_pages() -> None:
    """Each is an anchor in it: a hit opens at the page on which it stands."""
    pages = [
        page("cover"),
        page(),
        page("notes"),
        page("Webs", "a", to=[("Webs", "")]),
        page("b"),
        page(),
        page("c"),
    ]
    assert [*build_sections(pages)] == [
        Section("", "page=1", "cover"),
        Section("", "page=3", "notes"),
        Section("Webs", "page=4", "a\nb\nc", (SectionAnchor(2, "page=5"), SectionAnchor(4, "page=7"))),
    ]


def test_a_heading_at_the_end_of_a_page() -> None:
    assert [*build_sections([page("Webs", to=[("Webs", "")]), page("a")])] == [
        Section("", "page=1", ""),
        Section("Webs", "page=1", "a", (SectionAnchor(0, "page=2"),)),
    ]


def test_alternative_texts_stand_at_the_end_of_their_page() -> None:
    pages = [
        page("Webs", "a", to=[("Webs", "")], alternatives=("an orb",)),
        page("b", alternatives=("a hub",)),
    ]
    assert [*build_sections(pages)][1] == Section(
        "Webs", "page=1", "a\nan orb\nb\na hub", (SectionAnchor(9, "page=2"),)
    )


def test_without_pages_there_is_a_section() -> None:
    assert told() == [("", "page=1", "")]


WORD = st.sampled_from(["Webs", "1 Webs", "silk", "of", "\N{BULLET}", "1", ""])
PAGES = st.lists(
    st.builds(
        PageText,
        st.lists(WORD.filter(bool), max_size=6),
        st.lists(st.builds(OutlineTarget, WORD.filter(bool), st.lists(WORD, max_size=2)), max_size=5),
        st.lists(WORD.filter(bool), max_size=1),
    ),
    max_size=4,
)


@given(PAGES)
def test_every_line_is_in_a_section_once_and_in_order(pages: list[PageText]) -> None:
    """As its text, or as its heading; and each anchor leads to where a page begins."""
    sections = [*build_sections(pages)]
    assert sections[0].heading == ""
    numbers = [int(section.fragment.removeprefix("page=")) for section in sections]
    assert numbers == sorted(numbers)
    for section in sections:
        assert all(place == 0 or section.text[place - 1] == "\n" for place, _ in section.anchors)
    said = iter([line for section in sections for line in section.text.splitlines()])
    wanted = [line for one in pages for line in (*one.lines, *one.alternatives)]
    texts = [*said]
    at = 0
    for line in wanted:  # what is in no text is a heading
        if at < len(texts) and texts[at] == line:
            at += 1
    assert at == len(texts)
