"""The lines under a hit: the best passage, marked."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.index.parse import parse
from engine.index.query import words
from engine.index.shown import shown
from engine.index.snippet import LENGTH, Snippet, snippet
from engine.page import Page, Section
from engine.robots import Directives
from engine.store.texts import pack

FILLER = "Nothing of interest stands in this sentence at all. "


def of(typed: str, text: str, language: str = "en", description: str = "") -> Snippet:
    page = Page(
        "http://a.example/", language=language, description=description, sections=(Section("", "", text),)
    )
    return under(page, typed, language)


def under(page: Page, typed: str, language: str = "en") -> Snippet:
    stored = {
        "url": page.url,
        "language": language,
        "media_type": "",
        "fetched_at": 0.0,
        "content": pack(page),
    }
    return snippet(shown(stored), words(parse(typed, [language])))


def marked(found: Snippet) -> list[str]:
    return [found.text[start:end] for start, end in found.marks]


PASSAGES = [
    ("loop", "A loop.", ["loop"], "en", "the text itself"),
    (
        "event loop",
        FILLER * 9 + "One loop. " + FILLER * 9 + "The event loop runs.",
        ["event", "loop"],
        "en",
        "both words",
    ),
    ("running", FILLER * 9 + "He runs, they run.", ["runs", "run"], "en", "another form of the word"),
    ("Straße", FILLER * 9 + "In der STRASSE.", ["STRASSE"], "de", "folded letters"),
    (
        "搜索引擎",
        "没有。" * 200 + "这是一个搜索引擎。" + "没有。" * 200,
        ["搜索引擎"],
        "zh",
        "no spaces: one mark",
    ),
    ("کتاب", "چیزی نیست. " * 60 + "این کتاب است.", ["کتاب"], "fa", "right to left"),
    ("книги", "Ничего нет. " * 60 + "Вот книга.", ["книга"], "ru", "an inflected word"),
    ("lodz", "Nic tu nie ma. " * 30 + "Miasto Łódź.", ["Łódź"], "pl", "typed without its accents"),
    ("script", FILLER * 9 + "In JavaScript.", ["Script"], "en", "a part that case shows"),
    ("put_nowait", FILLER * 9 + "Or q.put_nowait(x).", ["put_nowait"], "en", "a whole is one mark"),
    ("put nowait", FILLER * 9 + "Or put_nowait(x).", ["put", "nowait"], "en", "its parts are two"),
    ("كتاب", "چیزی نیست. " * 60 + "این کتاب است.", ["کتاب"], "fa", "letters of another keyboard"),
    ("absent", "A loop.", [], "en", "nothing to mark: the beginning"),
]


@pytest.mark.parametrize(("typed", "text", "marks", "language", "why"), PASSAGES)
def test_the_passage_shows_the_words(
    typed: str, text: str, marks: list[str], language: str, why: str
) -> None:
    found = of(typed, text, language)
    assert marked(found) == marks, why
    assert len(found.text) <= LENGTH + 4, why


def test_words_near_each_other_are_better_than_words_far_apart() -> None:
    text = f"A loop. {FILLER * 9} An event. {FILLER * 9} The event loop. {FILLER * 9}"
    assert marked(of("event loop", text)) == ["event", "loop"]


def test_the_passage_is_cut_between_words() -> None:
    found = of("loop", FILLER * 20 + "The loop. " + FILLER * 20)
    assert found.text.startswith("… ")
    assert found.text.endswith(" …")
    assert set(found.text.strip("… ").split()) <= {*FILLER.split(), "The", "loop."}


def test_requirement_222_the_description_where_the_body_has_no_word() -> None:
    found = of("loop", "Nothing.", description="About the loop.")
    assert (found.text, marked(found)) == ("About the loop.", ["loop"])


@pytest.mark.parametrize(("limit", "text"), [(0, ""), (6, "A loop"), (None, "A loop runs.")])
def test_no_more_is_shown_than_the_owner_permits(limit: int | None, text: str) -> None:
    """Google's nosnippet and max-snippet."""
    sections = (Section("", "", "A loop runs."),)
    page = Page(
        "http://a.example/", description="About", sections=sections, directives=Directives(max_snippet=limit)
    )
    for typed in ("runs", "absent"):
        assert under(page, typed).text in (text, "About"[:limit])


def test_without_any_text_there_is_none() -> None:
    assert of("loop", "") == Snippet("")


@settings(max_examples=60)
@given(typed=st.text(max_size=20), text=st.text(max_size=600))
def test_marks_lie_in_order_inside_the_passage(typed: str, text: str) -> None:
    found = of(typed, text)
    edges = [edge for mark in found.marks for edge in mark]
    assert edges == sorted(edges)
    assert all(start < end <= len(found.text) for start, end in found.marks)
