"""Chunks that may say a word, told by its first two letters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text.analysis.analyzer import analyse
from engine.text.analysis.stemming import BEGIN_OTHERWISE, STEMMERS
from engine.text.tokens.pairs import FirstLetters

CHUNKS = [
    (["queue"], "a queue, acquired", ["queue,"], "where a word begins"),
    (["email"], "an e-mail", ["e-mail"], "a mark stands between the two"),
    (["die"], "he is dying", ["dying"], "y counts as i"),
    (["error"], "OSError errs", ["OSError", "errs"], "a part that case shows, another word that begins so"),
    (["c"], "C acc b.c cc", ["C", "b.c", "cc"], "one letter"),
    (["2"], "list2 3.2", ["list2", "3.2"], "a figure behind letters"),
    (["to"], "2to3", ["2to3"], "letters behind a figure"),
    (["lodz"], "Łódź lo", ["Łódź", "lo"], "what is not of ASCII alone may say anything"),
    (["łódź"], "Lodz", ["Lodz"], "letters without accents"),
    (["0ca"], "0_C'A", ["0_C'A"], "an article behind one letter or figure"),
    (["0a"], "0_C'_A 'c', d'e", ["0_C'_A"], "an article behind which a sign stands"),
    (["++"], "a - b", ["a", "b"], "a sign may be anywhere where there is a letter"),
    ([], "a queue", [], "no word"),
    (["a"], "", [], "no text"),
    (["b"], "  b  ", ["b"], "spaces at the edges"),
    (["b"], "\ud800 b", ["\ud800", "b"], "half a character"),
]


@pytest.mark.parametrize(("words", "text", "chunks", "why"), CHUNKS, ids=[why for *_, why in CHUNKS])
def test_chunks_that_may_say_a_word(words: list[str], text: str, chunks: list[str], why: str) -> None:
    assert [text[start:end] for start, end in FirstLetters(words).find_chunks(text)] == chunks, why


@given(
    st.lists(st.text("abcdegijlnostyABCSTY059-_.'+é", min_size=1, max_size=9), max_size=4),
    st.sampled_from([*sorted(set(STEMMERS) - BEGIN_OTHERWISE), ""]),
)
def test_no_chunk_that_says_a_word_is_missed(words: list[str], language: str) -> None:
    text = " ".join(words)
    for word in words:
        for term in {term for place in analyse(word, language) for term in place}:
            assert word in [text[start:end] for start, end in FirstLetters([term]).find_chunks(text)]
