"""Near duplicates: pages that differ in dates, counters and adverts only, and pages that differ in more."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.model.page import Link, Page, Section
from engine.text.duplicates.fingerprint import compute_digests
from engine.text.duplicates.near_duplicates import MOST_CHANGED, are_near_duplicates
from engine.text.duplicates.sketch import BANDS, FEWEST
from engine.text.duplicates.variable_text import count_changed_numbers, mask_variable_words
from tests.web.scripted import prose

LINES = [prose(f"line {n}") for n in range(6)]
BODY = "\n".join(LINES)


def page(text: str = BODY, title: str = "Title", heading: str = "Heading", **more: object) -> Page:
    sections = (Section(heading, "", text),)
    return replace(Page("http://h.example/", title, sections=sections), **more)  # type: ignore[arg-type]


def with_line(line: str, at: int = 3) -> str:
    return "\n".join([*LINES[:at], line, *LINES[at:]])


ADVERT = "Buy three hats and pay for two, only this week and only at the hat shop"
COPIES = [
    (page(f"{BODY}\nVisitors: 1,234"), page(f"{BODY}\nVisitors: 1,235"), "a visit counter (requirement 58)"),
    (page(f"{BODY}\nVisitors: 1,234"), page(), "a counter on one of them only"),
    (page(f"{BODY} 17 visits"), page(f"{BODY} 18 visits"), "within a line"),
    (page(f"{BODY} You are visitor 9."), page(), "a counter behind the last line, on one only"),
    (page(with_line("3 May 2024")), page(with_line("17 June 2025")), "a date"),
    (
        page(with_line("Mon May 3 17:49:19 2024")),
        page(with_line("Sat Nov 21 7:05:00 2025")),
        "as C writes it",
    ),
    (page(with_line("3 maja 2024 r.")), page(with_line("17 czerwca 2025 r.")), "in Polish"),
    (page(with_line("2026年11月21日")), page(with_line("2025年1月2日")), "in Chinese"),
    (page(with_line("On 2026-11-21T17:49:19Z")), page(with_line("On 2025-01-02T03:04:05Z")), "ISO 8601"),
    (page(with_line("9 minutes ago")), page(with_line("1 hour ago")), "how long ago"),
    (page(with_line("May 3rd, 5 pm")), page(with_line("June 21st, 10 am")), "ordinals and halves of the day"),
    (page(with_line("۱۲۳ بازدید")), page(with_line("۹ بازدید")), "digits of other scripts"),
    (page(with_line(ADVERT)), page(), "an advert"),
    (page(with_line(ADVERT, 2)), page(with_line("Coats are cheap now", 5)), "two adverts at two places"),
    (page(with_line("今天只有三顶帽子的价格")), page(), "in Chinese"),
    (page(f"{ADVERT}\n{BODY}"), page(f"{BODY}\n7 users online"), "one at the beginning, one at the end"),
]
DIFFERENT = [
    (page(with_line("No usage of java.util.Map")), page(with_line("No usage of java.util.Set")), "a name"),
    (page(with_line("Red hat")), page(with_line("Blue coat")), "one line for another: pages of a template"),
    (page(with_line("sha256")), page(with_line("sha512")), "a name with digits"),
    (page(with_line("java-17 is best")), page(with_line("java-21 is best")), "another"),
    (page(title="Chapter 1"), page(title="Chapter 2"), "a number in the title is meant"),
    (page(title="", heading="Chapter 1"), page(title="", heading="Chapter 2"), "so it is in a heading"),
    (page(), page(f"{BODY}\n{prose('more')}\n{prose('and more')}\n{prose('still')}"), "a third is new"),
    (page(), page(with_line("x", 0) + "\n" + prose("a") + "\n" + prose("b")), "two lines and a third"),
    (
        page(with_line(" ".join(map(str, range(20))))),
        page(with_line(" ".join(map(str, range(30, 50))))),
        "a table of figures",
    ),
    (page("\n".join(LINES)), page("\n".join(reversed(LINES))), "another order"),
    (page(with_line("const")), page(), "a word alone: overloads of a function"),
    (page(with_line("std\n::\nnullptr_t\n,", 2)), page(with_line("std\n::\nnullptr_t\n,", 4)), "a place"),
    (page(f"{BODY} const"), page(), "a word behind the last line"),
    (page("\n".join(f"{line}\nsome words here" for line in LINES)), page(), "more at many places"),
]


@pytest.mark.requirement(58)
@pytest.mark.parametrize(("one", "other", "why"), COPIES)
def test_near_duplicates_are_found_and_proved(one: Page, other: Page, why: str) -> None:
    assert compute_digests(one).fingerprint != compute_digests(other).fingerprint, "distinct in exact mode"
    assert set(compute_digests(one).near) & set(compute_digests(other).near), why
    assert are_near_duplicates(one, other), why
    assert are_near_duplicates(other, one), why


@pytest.mark.parametrize(("one", "other", "why"), DIFFERENT)
def test_pages_that_say_something_else_are_none(one: Page, other: Page, why: str) -> None:
    assert not are_near_duplicates(one, other), why
    assert not are_near_duplicates(other, one), why


def test_short_pages_take_no_part() -> None:
    words = prose("short").split()
    assert not compute_digests(page(" ".join(words[: FEWEST - 4]))).near
    assert len(compute_digests(page(f"{BODY}")).near) == 1 + BANDS
    assert not compute_digests(page("", heading="")).near
    assert not compute_digests(page(" ".join(map(str, range(400))))).near, "a table of figures has no words"


def test_texts_without_spaces_take_part() -> None:
    text = "".join(chr(0x4E00 + n * 97 % 5000) for n in range(300))
    keys = set(compute_digests(page(f"{text}\n2026年11月21日")).near)
    assert keys & set(compute_digests(page(f"{text}\n2025年1月2日")).near)
    assert not keys & set(compute_digests(page(text[::-1])).near)


@pytest.mark.requirement(58)
def test_keys_only_where_they_are_wanted() -> None:
    """In exact mode there are none."""
    assert compute_digests(page(), near=False).near == ()


@pytest.mark.requirement(57)
def test_links_count_for_keys_where_they_count() -> None:
    """What differs in href values alone is no near duplicate then."""
    one, other = (page(links=(Link(f"http://h.example/{n}", "x"),)) for n in range(2))
    assert compute_digests(one).near == compute_digests(other).near
    assert not set(compute_digests(one, links=True).near) & set(compute_digests(other, links=True).near)


@given(st.lists(st.text("ab1 \n", max_size=9), max_size=30), st.lists(st.text("ab1 \n", max_size=9)))
def test_each_is_alike_itself_and_both_say_the_same_of_each_other(one: list[str], other: list[str]) -> None:
    mine, theirs = page("\n".join(one)), page("\n".join(other))
    assert are_near_duplicates(mine, mine)
    assert are_near_duplicates(mine, theirs) == are_near_duplicates(theirs, mine)


@given(st.text(), st.integers(0, 40))
def test_any_text_has_keys_or_none(text: str, times: int) -> None:
    assert len(compute_digests(page((text + " ") * times)).near) in (0, 1 + BANDS)


@given(st.text("abc1.,: -", max_size=30))
def test_what_lasts_lasts(line: str) -> None:
    assert mask_variable_words(mask_variable_words(line)) == mask_variable_words(line)
    assert count_changed_numbers(line, line) == 0


def test_pages_of_one_line_repeated_come_to_an_end() -> None:
    """However hostile: the looks ahead are counted."""
    one = "\n".join("a" * (n % 2 + 1) for n in range(100_000))
    other = "\n".join("a" * (n % 3 + 1) for n in range(100_000))
    assert not are_near_duplicates(page(one), page(other))


def test_so_many_numbers_may_differ() -> None:
    for more, same in ((0, True), (1, False)):
        numbers = range(MOST_CHANGED + more)
        lines = [with_line(" ".join(str(n + by) for n in numbers)) for by in (100, 200)]
        assert are_near_duplicates(page(lines[0]), page(lines[1])) == same
