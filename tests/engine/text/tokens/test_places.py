"""Where words begin as others do, roughly."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.text.analysis.accents import simplify_letters
from engine.text.tokens.candidates import MAX_TRIPLES
from engine.text.tokens.places import (
    ENDS,
    MAX_PLACES,
    MAX_WORD,
    NUMBERS,
    PARTED,
    STARTS,
    Prefixes,
    find_places,
)
from engine.text.tokens.utf8 import Utf8


def found_in(text: str, *sought: tuple[str, int]) -> NDArray[np.int64]:
    return find_places(Utf8(text.encode(errors="surrogatepass")), Prefixes(sought), 10**6)


CASES: list[tuple[str, list[str], list[tuple[str, int]], str]] = [
    ("A loop, Loops.", ["loop"], [("loop", 0), ("Loops", 0)], "without the marks behind it"),
    ("a sloop", ["loop"], [], "inside of a word"),
    ("JavaScript", ["script"], [("Script", 0)], "a part that case shows"),
    ("put_nowait(x)", ["nowa", "put"], [("put_nowait", 1), ("nowait", 0)], "a part behind a joint"),
    ("getFoo(数据)", ["foo"], [("Foo(数据)", 0)], "letters without spaces part their words otherwise"),
    ("os of", ["o", "of"], [("os", 0), ("of", 0), ("of", 1)], "few letters, and the end of the text"),
    ("Łódź, ŁÓDŹ", ["lodz"], [("Łódź", 0), ("ŁÓDŹ", 0)], "without accents"),
    ("İzmir izmir", ["izm"], [("İzmir", 0), ("izmir", 0)], "a letter that is two in lower case"),
    (
        "这是搜索引擎",
        ["搜索", "引擎"],
        [("搜索引", 0), ("引擎", 1)],
        "letters without spaces: anywhere, three tell",
    ),
    ("किताब", ["ताब"], [], "a vowel sign is inside of a word"),
    ("loop", ["loop", "lo"], [("loop", 0), ("loop", 1)], "two words begin there"),
    ("x" + "a" * 100, ["xa"], [("x" + "a" * (MAX_WORD - 1), 0)], "a long chunk is cut"),
    ("lo", ["loop"], [], "the text ends before it"),
    ("a quiet evening, LOOP it", ["loop"], [("LOOP", 0)], "capitals, after octets that are passed by"),
    ("a quiet evening é loop", ["loop"], [("loop", 0)], "behind a letter that is not ASCII"),
    ("a quiet evening of c", ["c", "of"], [("of", 1), ("c", 0)], "prefixes shorter than what is compared"),
    ("a quiet eveningloop", ["loop"], [], "inside of a word, the first octet that is not passed by"),
    ("a quiet evenin lóóp", ["loop"], [("lóóp", 0)], "the letters behind the first are not ASCII"),
    ("\x00 loop", ["loop"], [("loop", 0)], "U+0000"),
    ("\ud800 loop 🕷", ["loop", "🕷"], [("loop", 0), ("🕷", 1)], "half a character, and one beyond U+FFFF"),
    ("", ["loop"], [], "no text"),
    ("loop", [], [], "nothing to look for"),
    ("loop", [""], [], "an empty beginning"),
]


@pytest.mark.parametrize(("text", "sought", "found", "why"), CASES, ids=[why for *_, why in CASES])
def test_the_places(text: str, sought: list[str], found: list[tuple[str, int]], why: str) -> None:
    places = found_in(text, *((one, number) for number, one in enumerate(sought)))
    rows = places[[STARTS, PARTED, NUMBERS]].T.tolist()
    assert [(text[start:end], number) for start, end, number in rows] == found, why


def test_a_place_knows_its_whole_chunk() -> None:
    assert found_in("a loop(x) b", ("loop", 0))[ENDS].tolist() == [len("a loop(x)")]


def test_two_spellings_of_a_word_are_one_place() -> None:
    assert found_in("loop", ("loop", 0), ("loo", 0))[STARTS].tolist() == [0]


def test_no_more_places_than_tell_one_from_another() -> None:
    found = found_in("the loop " + "the " * 2 * MAX_PLACES + "loop", ("the", 0), ("loop", 1))
    assert found[NUMBERS].tolist().count(0) == MAX_PLACES
    assert found[NUMBERS].tolist().count(1) == 2


@given(st.lists(st.text(min_size=1, max_size=6), max_size=8), st.text(min_size=1, max_size=3))
def test_it_is_a_search_in_simple_letters(words: list[str], sought: str) -> None:
    text, beginning = " ".join(words).replace("\0", "x"), simplify_letters(sought).replace("\0", "x")
    simple = simplify_letters(text)
    found = found_in(text, (beginning, 0))[STARTS].tolist()
    everywhere = [at for at in range(len(text)) if simple.startswith(beginning, at)]
    assert set(found) <= set(everywhere)
    assert {at for at in everywhere if at == 0 or text[at - 1] == " "} <= set(found)


NOWHERE = [
    (f"{one}qqq", 1 + number) for number, one in enumerate("abcdefghijklmnopqrstuvwxyz"[: MAX_TRIPLES + 1])
]


@given(
    st.lists(
        st.sampled_from(["quiet evening ", "loop", "Loop", " lo", "o", "p", " ", "é", "数", "_", "1"]),
        max_size=30,
    ),
    st.sampled_from(["loop", "lo", "l", "ooo", "1", "éo", "数"]),
)
def test_passing_octets_by_loses_no_place(parts: list[str], sought: str) -> None:
    """With more prefixes than octets are compared with, all octets are walked over."""
    text = "".join(parts)
    assert np.array_equal(found_in(text, (sought, 0)), found_in(text, (sought, 0), *NOWHERE))
