"""The walk over the words of a segment finds what plain arithmetic finds."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.index.lexicon import vocabulary as tested
from engine.index.lexicon.vocabulary import Vocabulary, build_vocabulary

WORDS = st.text("abяż\U0001d4d0", max_size=6)


def distance(one: str, other: str) -> int:
    """Optimal string alignment, the whole table: letters taken away, added, replaced, neighbours swapped."""
    rows = [list(range(len(other) + 1))]
    for at, letter in enumerate(one, 1):
        rows.append([at])
        for to, wanted in enumerate(other, 1):
            best = min(rows[-1][-1] + 1, rows[-2][to] + 1, rows[-2][to - 1] + (letter != wanted))
            if at > 1 and to > 1 and letter == other[to - 2] and one[at - 2] == wanted:
                best = min(best, rows[-3][to - 2] + 1)
            rows[-1].append(best)
    return rows[-1][-1]


def units(text: str) -> str:
    """Each UTF-16 unit as a character: what is past the first plane is two letters to the walk."""
    octets = text.encode("utf-16-le")
    return "".join(chr(octets[at] + 256 * octets[at + 1]) for at in range(0, len(octets), 2))


def of(*words: str) -> Vocabulary:
    return build_vocabulary(sorted(words, key=str.encode), np.arange(1, len(words) + 1))


@given(st.sets(WORDS, max_size=40), WORDS, st.integers(1, 2))
def test_what_is_alike_is_what_the_whole_table_of_distances_says(
    words: set[str], word: str, edits: int
) -> None:
    found = {other: near for other, (near, _) in of(*words).find_similar(word, edits).items()}
    distances = {other: distance(units(other), units(word)) for other in words}
    assert found == {other: near for other, near in distances.items() if near <= edits}


def test_words_come_with_their_numbers_of_documents() -> None:
    assert of("fern", "ferns", "kelp").find_similar("fern", 1) == {"fern": (0, 1), "ferns": (1, 2)}


def test_a_word_longer_than_any_form_is_like_none() -> None:
    assert of("a" * 60).find_similar("a" * 1_000, 2) == {}


def test_no_more_is_found_than_there_is_room_for() -> None:
    letters = [chr(0x4E00 + number) for number in range(tested.MAX_ALIKE + 1)]
    assert len(of(*letters).find_similar("a", 1)) == tested.MAX_ALIKE


def test_an_empty_segment_has_nothing_alike() -> None:
    assert of().find_similar("fern", 2) == {}
