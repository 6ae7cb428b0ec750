"""The front of a stored page is read by where its lines begin, whatever they say."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from engine.index.stored_pages.page_front import FrontFacts, unpack_front
from engine.model import Flag, Page, Section, SectionAnchor
from engine.packing import texts
from engine.robots import Directives

URL = "http://h.example/"
# What stands before the parts of a line, and what ends a line: in a stranger's words as in ours.
WORDS = st.lists(
    st.sampled_from(
        [
            '"',
            ",",
            '","archive":true',
            ',"anchors":',
            ',"keywords":',
            ',"published":',
            '"]',
            "\\",
            "\n",
            "é",
            "[1",
        ]
    )
).map("".join)
ANCHORS = st.lists(st.builds(SectionAnchor, st.integers(0, 9), WORDS), max_size=3).map(tuple)
DATES = st.none() | st.floats(0, 4e9)


@given(
    st.lists(st.builds(Section, WORDS, WORDS, WORDS, ANCHORS), max_size=3),
    st.tuples(WORDS, WORDS, WORDS, WORDS),
    st.builds(FrontFacts, st.booleans(), DATES, DATES, st.none() | st.sampled_from(Flag)),
    st.none() | st.integers(0, 500),
)
def test_it_is_what_was_packed(
    sections: list[Section], said: tuple[str, str, str, str], about: FrontFacts, longest: int | None
) -> None:
    title, description, keywords, rest = said
    page = Page(
        URL,
        title,
        description,
        sections=tuple(sections),
        directives=Directives(archive=about.archive, max_snippet=longest),
        keywords=keywords,
        rest=rest,
        published=about.published,
        modified=about.modified,
        flag=about.flag,
    )
    front = unpack_front(texts.pack(page))
    assert (front.title, front.description, front.max_snippet) == (title, description, longest)
    assert front.fragments == [section.fragment for section in page.sections]
    for number, section in enumerate(page.sections):
        assert front.section_anchors(number) == [*section.anchors]
    assert front.lengths == [
        len(part) for section in page.sections for part in (section.heading, section.text)
    ]
    assert front.about == about
    assert front.text.octets.decode() == page.text


def test_a_page_that_an_older_lycosa_packed_has_no_anchors() -> None:
    front = unpack_front(texts.pack(Page(URL, sections=(Section("", "x", "a"),))))
    older = replace(front, rest=front.rest.replace(b',"anchors":[]', b""))
    assert older.rest != front.rest
    assert (older.fragments, older.section_anchors(0)) == (["x"], [])
