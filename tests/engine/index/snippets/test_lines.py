"""Lines of a page on one line: nothing runs into what it does not belong to."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.index.snippets.lines import BETWEEN, WITHIN, cut_line, find_word, is_sentence_end, join_lines

JOINED = [
    (
        "--apply\t\nUse applying strategies.",
        "--apply — Use applying strategies.",
        "a term and its definition",
    ),
    ("-O\n--open\t\nOpen it.", "-O · --open — Open it.", "two terms"),
    ("Name\t\nType\t\nDefault\nsize\t\nint\t\n0", "Name — Type — Default · size — int — 0", "a table"),
    ("Apples\nPears", "Apples · Pears", "items of a list"),
    ("It runs.\nThen it ends.", "It runs. Then it ends.", "sentences part themselves"),
    ('He said "no."\nShe', 'He said "no." She', "also where a quotation ends"),
    ("Syntax:\t\nListen port", "Syntax: Listen port", "a colon parts as well"),
    ("one,\ntwo", "one, two", "a comma does"),
    ("a |\nb", "a | b", "the page's own sign"),
    ("a\n| b", "a | b", "at the beginning, too"),
    ("a\n•\nb", "a • b", "on a line of its own"),
    ("这是。\n那是", "这是。 那是", "a Chinese full stop"),
    ("苹果\n梨", "苹果 · 梨", "Chinese items"),
    ("آیا؟\nبله", "آیا؟ بله", "an Arabic question mark"),
    ("git-log(1)\ngit-show(1)", "git-log(1) · git-show(1)", "a bracket ends no sentence"),
    ("\na\n\n b \n", "a · b", "empty lines"),
    ("a\t\n", "a", "a row that does not go on"),
    ("", "", "nothing"),
]


@pytest.mark.parametrize(("text", "joined", "why"), JOINED, ids=[why for *_, why in JOINED])
def test_lines_are_joined(text: str, joined: str, why: str) -> None:
    assert join_lines(text) == joined, why


@given(st.text("ab·—. \t\n|。", max_size=30))
def test_between_words_there_is_one_sign_at_most(text: str) -> None:
    """Never two in a row, none at an edge, and the words are those of the text, in their order."""
    joined = join_lines(text)
    assert joined == " ".join(joined.split())
    own = set("·—|")
    assert [word for word in joined.split() if word not in own] == [
        word for word in text.split() if word not in own
    ]
    if own.isdisjoint(text):
        assert not re.search(r"[·—] [·—]", joined)
        assert not re.search(r"\A[·—]|[·—]\Z|[.。] [·—]", joined)


CUT = [
    ("one two three", 8, "one two\u00a0…", "between words"),
    ("one two. three", 8, "one two.", "a sentence ends there: nothing is cut"),
    ("one two · three", 9, "one two\u00a0…", "no ellipsis beside a sign between lines"),
    ("one two — three", 10, "one two\u00a0…", "nor beside one within a row"),
    ("onetwothree", 6, "onetwo\u00a0…", "a word longer than that"),
    ("这是。那是", 3, "这是。", "a Chinese sentence"),
    (" · a", 2, "", "nothing is left: no lone ellipsis"),
]


@pytest.mark.parametrize(("line", "length", "cut", "why"), CUT, ids=[why for *_, why in CUT])
def test_a_line_is_cut(line: str, length: int, cut: str, why: str) -> None:
    assert cut_line(line, length) == cut, why


@given(st.text("ab·—. 。", max_size=60), st.integers(0, 60))
def test_an_ellipsis_stands_only_behind_a_word(line: str, length: int) -> None:
    cut = cut_line(line, length)
    assert len(cut) <= max(length, len(line) if len(line) <= length else 0) + 2
    if cut.endswith("…"):
        before = cut.removesuffix("\u00a0…")
        assert before
        assert not before.endswith((BETWEEN.strip(), WITHIN.strip()))
        assert not is_sentence_end(before)


WORDS = [
    ("one two", 1, 4, "the next"),
    ("one two", 4, 4, "where one begins"),
    ("a " + "b" * 40, 5, 2, "none is near behind it: the one that goes on there"),
    ("b" * 90, 45, 45, "none is near at all"),
]


@pytest.mark.parametrize(("text", "at", "begin", "why"), WORDS, ids=[why for *_, why in WORDS])
def test_a_word_near_a_place(text: str, at: int, begin: int, why: str) -> None:
    assert find_word(text, at) == begin, why
