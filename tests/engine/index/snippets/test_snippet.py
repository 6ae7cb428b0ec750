"""The lines under a hit: the best passage, marked."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.index.query.parser import parse_tree
from engine.index.query.tree import Prefix
from engine.index.snippets.matcher import build_matcher
from engine.index.snippets.passage import LENGTH
from engine.index.snippets.snippet import Snippet, make_snippet
from engine.index.stored_pages.page_layout import MAX_TEXT
from engine.index.stored_pages.stored_page import StoredPage, unpack_page
from engine.model.page import Page, Section
from engine.packing.texts import pack
from engine.robots import Directives
from engine.text.analysis.graphemes import is_grapheme_boundary

FILLER = "Nothing of interest stands in this sentence at all. "


def of(typed: str, text: str, language: str = "en", description: str = "") -> Snippet:
    page = Page(
        "http://a.example/", language=language, description=description, sections=(Section("", "", text),)
    )
    return under(page, typed, language)


def under(page: Page, typed: str, language: str = "en") -> Snippet:
    return make_snippet(stored(page), build_matcher(parse_tree(typed, [language]), frozenset()))


def page(text: str) -> StoredPage:
    return stored(Page("http://a.example/", language="en", sections=(Section("", "", text),)))


def stored(page: Page) -> StoredPage:
    """As it comes out of the index."""
    about = {"url": page.url, "language": page.language, "media_type": "", "fetched_at": 0.0}
    return unpack_page({**about, "content": pack(page)})


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
    filler = FILLER.replace(".", "")
    found = of("loop", filler * 20 + "The loop " + filler * 20)
    assert found.text.startswith("…\u00a0")
    assert found.text.endswith("\u00a0…")
    assert set(found.text.strip("…\u00a0").split()) <= {*filler.split(), "The", "loop"}


BEGINNINGS = [
    (FILLER * 20 + "The loop. " + FILLER * 20, "The loop. Nothing", "the sentence of the word"),
    (FILLER * 9 + "Then the loop is run. " + FILLER * 9, "Then the loop", "a sentence begins before it"),
    (
        FILLER * 9 + "e.g. the loop. " + FILLER * 9,
        "Nothing of interest",
        "none begins in small letters",
    ),
    (FILLER * 9 + "Is it?) The loop. " + FILLER * 9, "The loop.", "a bracket closes behind the end"),
    (FILLER * 9 + "\nthe loop " + FILLER * 9, "the loop Nothing", "a line is a block of the page"),
    (FILLER * 9 + "没有。The loop " + FILLER * 9, "The loop Nothing", "a full stop without a space"),
    (FILLER * 20 + "The loop.", "Nothing of interest", "at the end there is room for what is before"),
]


@pytest.mark.parametrize(("text", "beginning", "why"), BEGINNINGS, ids=[why for *_, why in BEGINNINGS])
def test_the_passage_begins_with_a_sentence(text: str, beginning: str, why: str) -> None:
    found = of("loop", text)
    assert found.text.startswith(beginning), why
    assert marked(found) == ["loop"], why


BETTER = [
    ("event loop", "Loop, loop, loop. {} Events. {} The event loop.", "The event loop.", "more of the words"),
    ("the loop", "The the the the the. {} A loop.", "A loop.", "the rare word"),
    ("the loop", "The end. {} So the. {} The the a loop.", "The the a loop.", "the rare word with the other"),
    ("event loop", "Event of some kind or other and a loop. {} The event loop.", "The event loop.", "nearer"),
    ('"event loop"', "Event of a loop. Loop event. {} The event loop.", "The event loop.", "a phrase"),
    (
        '"loop event" event',
        "Event loop event, event. {} A loop-event.",
        "Event loop event",
        "phrase and word",
    ),
    ("os", "Oscillate, osmosis. {} The os.path of it.", "The os.path", "the word, not one that begins so"),
]


@pytest.mark.parametrize(("typed", "text", "beginning", "why"), BETTER, ids=[why for *_, why in BETTER])
def test_the_best_passage(typed: str, text: str, beginning: str, why: str) -> None:
    found = of(typed, text.replace("{}", FILLER * 9) + " " + FILLER * 9)
    assert found.text.startswith(beginning), why


def test_longer_words_are_marked_for_a_beginning() -> None:
    """A prefix is no word: whatever begins with it is meant."""
    of_page = page(FILLER * 9 + "Looping and unlooped loops.")
    assert marked(make_snippet(of_page, build_matcher(Prefix("loo"), frozenset()))) == ["Looping", "loops"]


@pytest.mark.requirement(222)
def test_the_description_where_the_body_has_no_word() -> None:
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


EDGES = [
    (
        "The loop ends. " + "It is " * 37 + "it. So it is.",
        "at",
        "the text begins there; a sentence ends where it is cut",
    ),
    (FILLER * 9 + "\nThe loop", "at", "the text ends there by itself"),
    ("no end " * 20 + "the loop " + "no end " * 40, "within", "a sentence is cut at both ends"),
]


@pytest.mark.parametrize(("text", "place", "why"), EDGES, ids=[why for *_, why in EDGES])
def test_an_ellipsis_is_only_where_a_sentence_is_cut(text: str, place: str, why: str) -> None:
    found = of("loop", text).text
    assert (found.startswith("…\u00a0"), found.endswith("\u00a0…")) == (
        place == "within",
        place == "within",
    ), why


def test_a_row_is_shown_from_its_beginning() -> None:
    """What a word means is nothing without the word."""
    rows = "".join(f"--option{number}\t\nSets another thing of it\n" for number in range(30))
    found = of("loop", f"{rows}--wait\t\nWaits for the loop\n{rows}")
    assert found.text.startswith("--wait — Waits for the loop · --option0 — Sets another thing of it · ")
    assert found.text.endswith("\u00a0…")


LETTERS = st.text(st.sampled_from("a\u0301ab . क\u093f漢字👩\u200d🚀🇵🇱\n\t·—…"), max_size=600)


@settings(max_examples=100)
@given(typed=st.text(max_size=20) | LETTERS, text=st.text(max_size=600) | LETTERS, limit=st.integers(0, 300))
def test_marks_lie_in_order_inside_the_passage(typed: str, text: str, limit: int) -> None:
    """Neither they nor the passage cut what a reader sees as one character; it is as short as it must be."""
    of_page = Page("http://a.example/", language="en", sections=(Section("", "", text),))
    for permitted in (None, limit):
        found = under(replace(of_page, directives=Directives(max_snippet=permitted)), typed)
        edges = [edge for mark in found.marks for edge in mark]
        assert edges == sorted(set(edges))
        assert all(is_grapheme_boundary(found.text, edge) for edge in edges)
        assert all(start < end <= len(found.text) for start, end in found.marks)
        assert len(found.text) <= (LENGTH + 4 if permitted is None else permitted)
        assert found.text.strip() != "…" or "…" in text or permitted is not None


def test_of_a_long_page_the_beginning_is_searched() -> None:
    """Four hundred thousand characters, so that no page takes long."""
    text = FILLER * (MAX_TEXT // len(FILLER) + 1)
    assert marked(of("loop", text + "The loop.")) == []
