"""Forms of words: what is kept of them, and what they do to the order."""

from collections import Counter
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.index.forms import BEGINNING, MAX_COUNT, MAX_FORMS, amounts, numbers, packed
from engine.index.query import any_word
from engine.index.scoring import Ranking
from tests.index.source import WORDS
from tests.index.test_proximity import opened


def wanted(*words: str) -> list[int]:
    return [number for word in words for number in numbers(word)]


@given(words=st.lists(st.sampled_from([*WORDS, "żółw", "Работа", "ΣΟΦΟΣ"])), sought=st.sampled_from(WORDS))
def test_what_is_packed_is_counted(words: list[str], sought: str) -> None:
    kept = packed(" ".join(words))
    assert amounts(kept, np.array(wanted(sought), np.uint32)).tolist() == [words.count(sought)]


def test_a_beginning_is_that_of_all_words_with_it() -> None:
    kept = packed("Running, runners; run. 100000 runs of running")
    form, begins = wanted("running")
    counts = amounts(kept, np.array([form, begins, *wanted("100000"), *wanted("run")], np.uint32))
    assert counts.tolist() == [2, 2, 1, 1], "runne is another beginning than runni"


@pytest.mark.parametrize(
    ("word", "count", "why"),
    [
        ("short", 1, f"{BEGINNING} letters are all of it"),
        ("longer", 2, "one more is a beginning"),
        ("123456", 1, "numbers are no family"),
        ("东京大学", 0, "what is a word in it is not known"),
        ("", 0, "a part of a compound was not typed so"),
    ],
)
def test_numbers(word: str, count: int, why: str) -> None:
    assert len(numbers(word)) == count, why


def test_what_is_kept_of_one_document_is_bounded() -> None:
    """Requirement 302: no more than so many forms, none counted for ever."""
    kept = packed(" ".join(f"{n}x" for n in range(2 * MAX_FORMS)) + " stuffed" * 1_000)
    assert len(kept) == MAX_FORMS * 5
    assert amounts(kept, np.array(wanted("stuffed"), np.uint32)).tolist() == [MAX_COUNT] * 2


@pytest.mark.parametrize("kept", [b"", packed("")])
def test_a_document_without_forms_has_none(kept: bytes) -> None:
    assert amounts(kept, np.array(wanted("running"), np.uint32)).tolist() == [0, 0]


FILLING = [f"others {number} say nothing" for number in range(9)]


@pytest.mark.parametrize(
    ("typed", "better", "worse", "why"),
    [
        ("arguing", "they were arguing there", "they had argued there", "one stem, the very form first"),
        ("alpha governing", "alpha governess", "alpha nothing", "another stem, one family: better than none"),
        (
            "alpha governing",
            "alpha governing",
            "alpha governess",
            "the word itself is better than its family",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_requirement_299_forms_order_what_stems_find(
    tmp_path: Path, typed: str, better: str, worse: str, why: str
) -> None:
    with closing(opened(tmp_path, worse, better, *FILLING, language="en")) as snapshot:
        hits = snapshot.ranked(snapshot.find(any_word(typed, ["en"])), 10)
    assert [hit.url[-1] for hit in hits] == ["1", "0"], why
    assert hits[0].score > hits[1].score, why


def test_forms_find_nothing_themselves(tmp_path: Path) -> None:
    with closing(opened(tmp_path, "the governess", *FILLING, language="en")) as snapshot:
        assert not snapshot.find(any_word("governing", ["en"])).found.any()


def test_requirement_305_shares_of_nothing_change_nothing(tmp_path: Path) -> None:
    ranking = replace(Ranking(), exact=0, beginning=0, proximity=0)
    with closing(opened(tmp_path, "arguing", "argued", *FILLING, ranking=ranking, language="en")) as snapshot:
        query = any_word("arguing", ["en"])
        assert snapshot.find(query).scores.tolist() == snapshot.evaluate(query).scores.tolist()


@given(text=st.text())
def test_any_text_can_be_packed(text: str) -> None:
    kept = packed(text)
    counted = amounts(
        kept, np.array([number for number, _ in Counter(wanted(*text.split())).items()], np.uint32)
    )
    assert counted.max(initial=0) <= MAX_COUNT
