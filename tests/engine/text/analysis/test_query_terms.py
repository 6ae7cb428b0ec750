"""The words of a query, which is read the short way where that gives the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text.analysis.analyzer import analyse
from engine.text.analysis.query_terms import (
    MAX_ASKED,
    MAX_REMEMBERED,
    _analyse_query_chunk_cached,
    _expand_compound,
    analyse_query,
)
from engine.text.analysis.stemming import stemming_language
from engine.text.analysis.tokenizer import tokenize_chunk

LANGUAGES = st.frozensets(st.sampled_from(["", "de", "en", "fr", "tr", "xx"]))


@given(st.from_regex(r"[A-Za-z]{1,6}|I[a-z]?|v[0-9a-z]+|[a-z]'t|\w{1,4}", fullmatch=True), LANGUAGES)
def test_a_plain_word_is_what_any_chunk_would_be(word: str, languages: frozenset[str]) -> None:
    ways = sorted({"", *map(stemming_language, languages)})
    assert analyse_query(word, languages) == [_expand_compound(one, ways) for one in tokenize_chunk(word)]


def test_what_is_remembered_is_bounded() -> None:
    """In chunks, and in characters of each."""
    before = _analyse_query_chunk_cached.cache_info()
    for number in range(20):
        assert analyse_query(f"{'long' * MAX_ASKED}{number}", ["en"]) == analyse_query(
            f"{'long' * MAX_ASKED}{number}", ["en"]
        )
    assert _analyse_query_chunk_cached.cache_info() == before
    assert before.maxsize == MAX_REMEMBERED


def test_a_word_is_remembered_by_its_languages() -> None:
    (stemmed,), (plain,) = analyse_query("running", ["en"]), analyse_query("running", [])
    assert (stemmed.parts[0].terms, plain.parts[0].terms) == (
        frozenset(["run", "running"]),
        frozenset(["running"]),
    )
    assert analyse_query("running", iter(["en"])) == [stemmed]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("veriIndir", "no capital to Turkish, but one to a query"),
        ("aIv1", "a letter beyond ASCII to Turkish alone"),
        ("aİv1", "within ASCII to Turkish alone"),
        ("İv1", "a number behind it"),
        ("İndirGez", "a second part behind it"),
        ("SIKKimlik", "more than one of them in capitals"),
    ],
)
@pytest.mark.parametrize("language", ["tr", "az", "en"])
def test_a_capital_i_tells_parts_apart_as_in_a_query(text: str, language: str, why: str) -> None:
    (asked,) = analyse_query(text, ["tr", "az", "en"])
    places = analyse(text, language)
    assert len(asked.parts) == len(places), why
    assert all(
        (part.terms | part.variants) & {*place} for part, place in zip(asked.parts, places, strict=True)
    )
