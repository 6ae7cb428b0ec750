"""Texts as arrays of numbers: the index rests on them saying just what analyse() says."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text.analysis.analyzer import MAX_CHUNK, analyse, normalize_term
from engine.text.analysis.forms import surface_forms
from engine.text.charset.charset import decode
from engine.text.tokens import numbering
from engine.text.tokens.chunks import ChunkDictionary
from engine.text.tokens.numbering import TermBatch, TermNumbering
from engine.text.tokens.rows import ChunkRows, TokenMemory
from tests.engine.text.analysis.test_analyzer import LANGUAGES, TEXTS

pytestmark = pytest.mark.requirement(291)

ROOT = Path(__file__).parents[4]
# Parts and joints of names, so that chance puts together what no table thinks of.
NAMES = st.lists(
    st.sampled_from(
        [
            *(
                "a",
                "s",
                "x",
                "ly",
                "ing",
                "test",
                "Test",
                "Ingl",
                "getAt",
                "AB",
                "HTTPServer",
                "I",
                "v1",
                "V2",
            ),
            *("3", "11", "000", "utf8", "é", "中", "x" * 70),
            *".-_:,'/+#&@(\"=“—’–",
            "::",
            "__",
            "++",
            " ",
            "\u0338",
        ]
    ),
    max_size=40,
).map("".join)

Entries = list[tuple[int, str]]


def of(batch: TermBatch, known: TermNumbering, text: int) -> tuple[Entries, int, list[str]]:
    """What a batch says of one text: terms with their positions, its length, its forms in order."""
    mine = np.flatnonzero(batch.texts == text)
    terms = [(int(batch.positions[at]), known.terms[batch.terms[at]]) for at in mine]
    typed = [known.forms[number] for number in batch.forms[batch.form_texts == text]]
    return sorted(terms), int(batch.lengths[text]), typed


def analysed(text: str, language: str) -> tuple[Entries, int, list[str]]:
    """The same by analyse() and by forms()."""
    places = analyse(text, language)
    terms = [(position, term) for position, place in enumerate(places) for term in place]
    return sorted(terms), len(places), [normalize_term(form) for form in surface_forms(text)]


def assert_same(known: TermNumbering, texts: Sequence[tuple[str, str]]) -> None:
    batch = known.number_texts(texts)
    for number, (text, language) in enumerate(texts):
        assert of(batch, known, number) == analysed(text, language), text


CASES = [
    ("", "en", "no words at all"),
    (" \n\u2014 ... ", "en", "no words, but chunks"),
    ("Running runs RUN run, (run) run", "en", "what stands around a word is no part of it"),
    ("a.s run.s", "en", "the whole is stemmed to the term that its first part has already"),
    ("TestIng.s TestIngl.y", "en", "what its first part was akin to is the whole itself"),
    ("asyncio.Queue.put_nowait XMLHttpRequest.open", "en", "elements, parts, parts that case shows"),
    ("fe80::1234 1.2.3 2024-01-31 a::1 1_0", "", "numbers keep their joints"),
    ("v1.2.3 foo.v1 foo.v1_2 V2-beta v8", "en", "a v before a number is left out at the beginning only"),
    ("a__b__c __init__ _x foo._bar x__y", "en", "lines that are said"),
    ("don't isn't. user's l'homme AT&T c++ C# .NET (.net) @at", "fr", "what has rules of its own"),
    (".net .Net .getAt .5 .v1 .v1.x .a.b (.tests .ing", "en", "a dot before a word"),
    ("INDEX.Html index.Html ISO-8859", "tr", "a Turkish I is the letter without a dot"),
    (".".join("abcdefghijklmnop"), "", "as many parts as a whole has"),
    (".".join("abcdefghijklmnopq"), "", "and one more, so that there is no whole"),
    (".".join(["get_At"] * 8), "", "as many in elements"),
    ("x" * 65 + " " + "x" * 64 + " " + "Ab" * 40 + ".get", "en", "long words are cut, and have no forms"),
    ("中文(camelCase) camelCase", "zh", "beside letters without spaces case shows nothing"),
    (
        "中中中 中 中文中文 ab中文字cd 東京タワー ดีมาก 한국어Ab",
        "zh",
        "pairs, inside of a stretch and at its end",
    ),
    ("ﾊﾞｶ(camelCase) ㌀.net Ⅷ", "ja", "nor beside what only folds into such letters"),
    ("Iก İ中 İŞIK", "tr", "a Turkish I has no dot, before letters without spaces either"),
    ("a=\u0338b.net ≠.net (.net", "", "a mark makes another sign of the one before it"),
    ("“Łódź” e\u0301t\u00e9–hiver…", "pl", "letters beyond ASCII"),
    ("a\x00b \x1cc\x85d", "", "what controls"),
    ("79.3,-105.1 1,-5 1:+2 3,000,-4 a--b x'-y x::-y a@-b f'@&x", "en", "marks that join no words"),
    ("a...b a,.net x::.y c++-d c++,e c#-d cc#-d +++x a+++b a::b:c", "en", "marks that are part of a name"),
    ("libs/a_b/c.cpp 中文 (camelCase,y) {z} 中/camelCase \u3000ab/cd", "zh", "ASCII beside other letters"),
]


@pytest.mark.parametrize(("text", "language", "why"), CASES)
def test_a_text_has_the_terms_and_forms_that_its_words_have(text: str, language: str, why: str) -> None:
    known = TermNumbering()
    batch = known.number_texts([(text, language)])
    assert of(batch, known, 0) == analysed(text, language), why


def real_texts() -> Iterator[tuple[str, str]]:
    for page in sorted((ROOT / "tests/web/friendly").glob("*-??/*.html")):
        yield decode(page.read_bytes(), "text/html")[0], page.parent.name[-2:]
    for source in (ROOT / "README.md", *sorted((ROOT / "engine/text").rglob("*.py"))):
        yield source.read_text(encoding="utf-8"), "en"


@pytest.mark.slow
def test_real_texts_in_one_batch_and_once_more_when_they_are_known() -> None:
    known, texts = TermNumbering(), list(real_texts())
    assert {language for _, language in texts} >= {"en", "fa", "pl", "ru", "zh"}
    assert_same(known, texts)
    assert_same(known, texts[::-1])


KNOWING = TermNumbering()


@given(st.lists(st.tuples(TEXTS | NAMES, LANGUAGES), max_size=4))
def test_a_batch_is_what_analyse_says_of_each_text(texts: list[tuple[str, str]]) -> None:
    assert_same(TermNumbering(), texts)
    assert_same(KNOWING, texts)  # which has met many of these words, in other company


@given(TEXTS | NAMES)
def test_the_forms_of_a_text_are_those_of_its_chunks(text: str) -> None:
    assert surface_forms(text) == [form for chunk in text.split() for form in surface_forms(chunk)]


def test_a_batch_of_nothing() -> None:
    for texts in ([], [("", "en"), (" ", "")]):
        batch = TermNumbering().number_texts(texts)
        assert [len(column) for column in batch] == [0, 0, 0, len(texts), 0, 0]
        assert {column.dtype for column in batch} == {np.dtype(np.int32)}


def test_what_is_known_is_forgotten_between_batches_when_it_is_too_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(numbering, "MAX_KNOWN", 100)
    known = TermNumbering()
    for begin in range(0, 1000, 10):
        before = known.terms
        spelled = list(before)
        assert_same(known, [(" ".join(f"word{number}" for number in range(begin, begin + 10)), "en")])
        assert list(before)[: len(spelled)] == spelled, "numbers hold for who kept their strings"
        assert len(known.terms) <= 100 + 10 * 3


def test_long_chunks_are_not_remembered() -> None:
    chunks = ChunkRows("en", TokenMemory.empty())
    for chunk in ("x" * MAX_CHUNK, "x" * (MAX_CHUNK + 1), "x" + "." * MAX_CHUNK):
        assert chunks.number(chunk) >= 0
    assert list(chunks) == ["x" * MAX_CHUNK, "x"]
    met = ChunkDictionary()
    for chunk in ("x" * MAX_CHUNK, "x" * (MAX_CHUNK + 1), "ż" * (MAX_CHUNK // 2), "ż" * (MAX_CHUNK // 2 + 1)):
        first, again = (len(met.find_chunks([chunk], [0]).new) for _ in range(2))
        assert (first, again) == (1, int(len(chunk.encode()) > MAX_CHUNK)), chunk


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ([f"w{number}" for number in range(50_000)], "more than there is room for at first, several times"),
        ([f"{number:032x}" * 2 for number in range(9_000)], "octets, too"),
        ([f"{'y' * 70}{number}" for number in range(9_000)], "none of which is kept"),
    ],
)
def test_many_chunks(words: list[str], why: str) -> None:
    met = ChunkDictionary()
    texts = [" ".join(words[start : start + 7]) for start in range(0, len(words), 7)]
    found = met.find_chunks(texts, [0] * len(texts))
    assert found.new == [(word, 0) for word in words], why
    assert found.chunks.tolist() == list(range(len(words))), why
    assert found.begins.tolist() == [*range(0, len(words), 7), len(words)], why
    again = met.find_chunks(texts, [0] * len(texts))
    assert (again.chunks.tolist() == found.chunks.tolist()) is (again.new == []), why


def test_separators_part_ascii_beside_letters_without_spaces() -> None:
    met = ChunkDictionary()
    assert [chunk for chunk, _ in met.find_chunks(["lib/a.c 中c/d lib/b.c"], [0]).new] == [
        *("lib", "a.c", "中c/d", "b.c"),
    ]


def test_one_chunk_in_two_ways_is_two() -> None:
    met = ChunkDictionary()
    assert met.find_chunks(["run run.", "(run"], [0, 1]).new == [("run", 0), ("run", 1)]
    assert met.find_chunks(["run", "run", ""], [1, 0, 0]).chunks.tolist() == [1, 0]


def test_white_space_is_what_python_takes_for_it() -> None:
    for code in range(0x110000):
        if chr(code).isspace():
            text = f"a{chr(code)}b"
            assert [chunk for chunk, _ in ChunkDictionary().find_chunks([text], [0]).new] == ["a", "b"], hex(
                code
            )


HOSTILE = [
    ("x" * 30_000, "one word"),
    ("a." * 10_000, "one name"),
    ("aB" * 10_000, "case"),
    ("." * 30_000 + "a" + "-" * 30_000, "marks"),
    ("a" + "\u0301" * 30_000, "stacked marks"),
    ("((((a" * 5_000, "what parts"),
    ("a_1::" * 5_000 + "!", "joints of a name that is none"),
]


@pytest.mark.parametrize(("text", "why"), HOSTILE)
def test_hostile_texts(text: str, why: str) -> None:
    known = TermNumbering()
    batch = known.number_texts([(text, "en")])
    assert of(batch, known, 0) == analysed(text, "en"), why
