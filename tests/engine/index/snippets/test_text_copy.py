"""Which texts may be read here, and what stands in a copy."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from engine.index.indexing.follow import Follower
from engine.index.snippets.text_copy import MAX_COPY, NoCopy, TextCopy
from engine.model.page import Flag, Page, Section
from engine.robots import Directives
from engine.search.search import SearchService
from tests.engine.index.source import Memory, page

PLAIN = page("http://a.example/plain", "Amber rooms.\n\nAmber.", "Rooms", language="en")
UNARCHIVED = replace(PLAIN, directives=Directives(archive=False))
CASES = [
    (PLAIN, None, "its owner asks nothing"),
    (UNARCHIVED, NoCopy.OWNER, "requirement 203: noarchive"),
    (replace(PLAIN, directives=Directives(max_snippet=0)), NoCopy.OWNER, "nosnippet"),
    (replace(PLAIN, directives=Directives(max_snippet=200)), NoCopy.OWNER, "so much may be shown, no more"),
    (replace(PLAIN, flag=Flag.PARKED), NoCopy.NOTHING, "flagged: it has nothing to say"),
    (replace(PLAIN, sections=()), NoCopy.NOTHING, "no text"),
]


@pytest.fixture
def search(tmp_path: Path) -> Iterator[SearchService]:
    with closing(SearchService(tmp_path)) as search:
        yield search


def copied(search: SearchService, folder: Path, of: Page, typed: str = "", *others: Page) -> TextCopy:
    Follower(Memory(of, *others), folder).catch_up()
    copy = search.copy_text(of.url, typed)
    assert isinstance(copy, TextCopy)
    return copy


@pytest.mark.requirement(203)
@pytest.mark.parametrize(("of", "refused", "why"), CASES, ids=[why for *_, why in CASES])
def test_whose_text_may_be_read(
    search: SearchService, tmp_path: Path, of: Page, refused: NoCopy | None, why: str
) -> None:
    """The page is found, and its text is not served; the hit offers what there is."""
    Follower(Memory(of), tmp_path).catch_up()
    copy = search.copy_text(of.url, "")
    assert (copy if isinstance(copy, NoCopy) else None) is refused, why
    assert [hit.has_copy for hit in search.search("rooms").hits] == [refused is None], why


def test_a_removed_page_has_no_copy(search: SearchService, tmp_path: Path) -> None:
    memory = Memory(PLAIN, page("http://a.example/other"))
    Follower(memory, tmp_path).catch_up()
    memory.remove(PLAIN.url)
    Follower(memory, tmp_path).catch_up()
    assert search.copy_text(PLAIN.url, "") is NoCopy.UNKNOWN
    assert search.copy_text("http://a.example/never-read", "") is NoCopy.UNKNOWN


def test_sections_and_lines_with_the_words_that_were_sought(search: SearchService, tmp_path: Path) -> None:
    sections = (Section("", "", "Of amber.\n \nAnd basil"), Section("Rooms of Amber", "x", "Cedar."))
    other = page("http://b.example/", "amber and cedar")  # which the words find without the other
    copy = copied(search, tmp_path, replace(PLAIN, sections=sections), "amber cedar -basil", other)
    said = [(part.heading.text, [line.text for line in part.lines]) for part in copy.parts]
    assert said == [("", ["Of amber.", "And basil"]), ("Rooms of Amber", ["Cedar."])]
    assert [part.heading.marks for part in copy.parts] == [(), ((9, 14),)]
    assert [line.marks for part in copy.parts for line in part.lines] == [((3, 8),), (), ((0, 5),)]


@pytest.mark.parametrize(("length", "why"), [(100, "the limit itself"), (101, "one character more")])
def test_a_long_text_is_cut(search: SearchService, tmp_path: Path, length: int, why: str) -> None:
    lines = "\n".join(["x" * 99] * (MAX_COPY // 100 - 1))
    sections = [Section("", "", lines), Section("", "", "y" * length), Section("Last", "", "z")]
    copy = copied(search, tmp_path, replace(PLAIN, sections=sections[:2] if length <= 100 else sections))
    *_, last = [line.text for part in copy.parts for line in part.lines]
    assert (last, copy.is_cut) == ("y" * 100, length > 100), why


def test_characters_that_turn_a_text_round_are_left_out(search: SearchService, tmp_path: Path) -> None:
    """UAX 9: an override in a stranger's text would turn round what stands behind it."""
    hostile = replace(PLAIN, title="a\u202eb", sections=(Section("c\u2066d", "", "e\u202ef"),))
    copy = copied(search, tmp_path, hostile)
    (part,) = copy.parts
    assert (copy.title, part.heading.text, part.lines[0].text) == ("ab", "cd", "ef")


FETCHED = 1_700_000_001.0  # 2023-11-14, as tests.engine.index.source has it


@pytest.mark.parametrize(
    ("modified", "published", "day", "why"),
    [
        (None, None, "", "it does not say"),
        (None, 1_600_000_000.0, "2020-09-13", "published"),
        (1_650_000_000.0, 1_600_000_000.0, "2022-04-15", "changed since"),
        (FETCHED + 90_000, 1_600_000_000.0, "2020-09-13", "a day that had not come"),
        (-1e18, None, "", "in no calendar"),
    ],
)
def test_the_day_is_the_pages_own(
    search: SearchService, tmp_path: Path, modified: float | None, published: float | None, day: str, why: str
) -> None:
    copy = copied(search, tmp_path, replace(PLAIN, modified=modified, published=published))
    assert (copy.day, copy.fetched_at) == (day, "2023-11-14T22:13:21+00:00"), why
    assert [hit.date for hit in search.search("rooms").hits] == [day], why
