"""With which terms a chunk begins."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text.analysis.analyzer import MAX_CHUNK, analyse
from engine.text.analysis.first_terms import FirstTerms, find_first_terms
from tests.engine.text.analysis.test_analyzer import JOINED, LANGUAGES

BEGUN = [
    ("put_Nowait(x)", ("put",), "putn", "it may be a whole with what it is joined to"),
    ("Running.", ("run",), "", "nothing is joined to it"),
    ("l'homme", ("homm", "~lhomm"), "", "an article is no plain word: all is analysed"),
    ("C++", ("c++", "~c"), "", "a sign belongs to its letter"),
    ("camelCase", ("camelcas", "~camel"), "", "parts that case shows"),
    ("cafe\u0301", ("café", "~cafe"), "", "a mark belongs to its letter"),
    ("--", (), "", "no word"),
    ("a-" * MAX_CHUNK, ("a",), "aa", "too long to be remembered"),
]


@pytest.mark.parametrize(("chunk", "terms", "goes_on", "why"), BEGUN, ids=[why for *_, why in BEGUN])
def test_the_first_terms_of_a_chunk(chunk: str, terms: tuple[str, ...], goes_on: str, why: str) -> None:
    assert find_first_terms(chunk.encode(), "en") == FirstTerms(terms, goes_on), why


@given(st.lists(st.sampled_from(JOINED), min_size=1, max_size=6).map("".join), LANGUAGES)
def test_what_is_not_among_them_goes_on_as_they_say(chunk: str, language: str) -> None:
    terms, goes_on = find_first_terms(chunk.encode(), language)
    first = next(iter(analyse(chunk, language)), ())
    assert set(terms) <= set(first)
    others = set(first) - set(terms)
    assert not others or (goes_on and all(term.strip("~").startswith(goes_on) for term in others))


def test_what_is_no_utf_8_is_text_as_well() -> None:
    assert find_first_terms(b"na\xefve", "en").terms == analyse("na\ufffdve", "en")[0]
