"""Text -> terms: words of every alphabet are found."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.text.analysis import analyzer as room
from engine.text.analysis.alphabet import MAX_MARKS, fold
from engine.text.analysis.analyzer import analyse, analyse_with_offsets
from engine.text.analysis.query_terms import analyse_query
from engine.text.analysis.stemming import DOTLESS, STEMMERS

pytestmark = pytest.mark.requirement(297)

# Words of the kinds that fold in different ways, so that chance puts them side by side.
PIECES = st.sampled_from(
    [
        *"aßéИё中かな한ﾊﾞกيك٣½ﬁİµ",
        " ",
        "\n",
        "\u0301",
        "\u200c",
        "\u00ad",
        "™",
        "\u1100",
        "\u1161",
        "\ud800",
        *".'-_+#@&:,/(",
        "C++",
        "x.y",
        "camelCase",
        "v1",
        "l'",
        "'s",
    ]
)
TEXTS = st.text(max_size=60) | st.lists(PIECES, max_size=30).map("".join)
JOINED = [*"lCcI1(é", "foo", "Foo", "FOO", "fooBar", *"'._-:,+#&)", "don", "t", "v", "12", "\u0301", "中文"]
LANGUAGES = st.sampled_from(["", "en", "ru", "fa", "ar", "zh", "de", "tr", "sv", "xx"])

TERMS = [
    ("Running runs", "en", ["run", "run"], "Porter2; the stemmer of Whoosh makes runn of it"),
    ("to be or not", "en", ["to", "be", "or", "not"], "no stop words: phrases are made of them"),
    ("foo_bar", "en", ["foo foobar", "bar"], "an identifier in parts, and whole"),
    ("asyncio.Queue", "", ["asyncio asyncioqueue", "queue"], "an unknown language is folded but not stemmed"),
    ("книгами книга", "ru", ["книг", "книг"], "Russian stems"),
    ("ёлка елка", "ru", ["елк", "елк"], "the dots of yo are optional in print"),
    ("książkami", "pl", ["książk ~ksiazk"], "Polish stems; akin to it what is typed without diacritics"),
    ("Straße STRASSE", "", ["strasse", "strasse"], "case folding is more than lower case"),
    ("ﬁn １２ ｶﾞ", "", ["fin", "12", "ガ"], "compatibility forms are the letters they stand for (NFKC)"),
    ("cafe\u0301 café", "", ["café ~cafe", "café ~cafe"], "composed or not, it is one word"),
    ("İstanbul", "", ["istanbul"], "the dot that folding takes off a Turkish capital is no letter"),
    ("Java™ 17", "", ["java", "17"], "NFKC would make javatm of it"),
    ("soft\u00adware", "", ["software"], "a soft hyphen is invisible"),
    ("كتابي", "", ["کتابی"], "Arabic yeh and kaf are typed for the Persian ones"),
    ("می‌روم", "", ["می میروم", "روم"], "a zero-width non-joiner stands for a space or for nothing"),
    ("كـــتاب كِتاب", "", ["کتاب", "کتاب"], "tatweel and vowel signs are not spelling"),
    ("۱۲ ١٢ १२", "", ["12", "12", "12"], "digits of every alphabet"),
    ("ـ", "", ["ـ"], "what consists of left-out letters alone keeps them: a term is never empty"),
    ("हिन्दी", "", ["हिन्दी"], "combining marks belong to the word"),
    (
        "中华人民",
        "zh",
        ["中华 ~中", "华人 ~华", "人民 ~人 ~民"],
        "Chinese in overlapping pairs, akin to their letters",
    ),
    ("中", "zh", ["中"], "a single character is its own term"),
    ("ab中文cd", "zh", ["ab", "中文 ~中 ~文", "cd"], "scripts part words"),
    ("東京タワー", "ja", ["東京 ~東", "京タ ~京", "タワ", "ワー"], "Japanese likewise"),
    ("I中", "tr", ["ı ~i", "中"], "a Turkish capital I beside them"),
    ("한국어", "ko", ["한국 ~한", "국어 ~국 ~어"], "Hangul likewise"),
    ("ดี มาก", "th", ["ดี", "มา", "าก"], "Thai likewise"),
    ("A\u200c\u0300", "", ["à ~a"], "a joiner between a letter and its accent"),
    ("е\u200d\u0308", "ru", ["е"], "and where the two together have another spelling"),
    ("x" * 80, "", ["x" * 64], "a key or a digest is cut"),
    ("«\u2014»!", "en", [], "punctuation is no term"),
]


@pytest.mark.parametrize(("text", "language", "terms", "why"), TERMS)
def test_terms(text: str, language: str, terms: list[str], why: str) -> None:
    assert [" ".join(place) for place in analyse(text, language)] == terms, why


SPANS = [
    ("A Running dog", "en", [("a", "A"), ("run", "Running"), ("dog", "dog")], "plain text"),
    ("…Straße½ «x»", "", [("strasse1", "Straße½"), ("2", "½"), ("x", "x")], "folding makes it longer"),
    ("cafe\u0301s", "", [("cafés", "cafe\u0301s"), ("~cafes", "cafe\u0301s")], "and shorter"),
    ("ﾊﾞｶ", "", [("バカ", "ﾊﾞｶ")], "a mark of half width belongs to what it voices"),
    (
        "中文字",
        "",
        [("中文", "中文"), ("~中", "中文"), ("文字", "文字"), ("~文", "文字"), ("~字", "文字")],
        "pairs overlap",
    ),
    (
        "(put_Nowait)",
        "",
        [("put", "put"), ("putnowait", "put_Nowait"), ("nowait", "Nowait")],
        "a whole reaches to the end of its last part",
    ),
    (
        "camelCase!",
        "",
        [("camelcase", "camelCase"), ("~camel", "camel"), ("~case", "Case")],
        "parts that case shows",
    ),
    (
        "a" + "\u0301" * 40 + " b",
        "",
        [("á" + "\u0301" * 29, "a" + "\u0301" * 40), ("~a", "a" + "\u0301" * 40), ("b", "b")],
        "stacked marks",
    ),
]


@pytest.mark.parametrize(("text", "language", "marked", "why"), SPANS)
def test_spans_are_places_in_the_original_text(
    text: str, language: str, marked: list[tuple[str, str]], why: str
) -> None:
    assert [(term, text[start:end]) for term, start, end in analyse_with_offsets(text, language)] == marked, (
        why
    )


@given(TEXTS, LANGUAGES)
def test_spans_are_the_terms_of_analyse_where_their_compounds_stand(text: str, language: str) -> None:
    terms = room._MEMORY.load_terms(language)
    there = [
        (
            term,
            chunk.start() + slot.start,
            chunk.start() + dict(terms.wholes_at(compound, at)).get(term, slot.end),
        )
        for chunk in re.finditer(r"\S+", text)
        for compound in terms.tokenize_chunk(chunk[0])
        for at, slot in enumerate(compound.slots)
        for term in terms.terms_at(compound, at)
    ]
    assert list(analyse_with_offsets(text, language)) == there
    assert list(analyse_with_offsets(text, language)) == there, "remembered"
    assert [term for term, _, _ in there] == [term for place in analyse(text, language) for term in place]
    assert all(0 <= start < end <= len(text) for _, start, end in there)


@given(TEXTS, TEXTS, LANGUAGES)
def test_white_space_parts_texts(one: str, other: str, language: str) -> None:
    assert analyse(f"{one}\n{other}", language) == analyse(one, language) + analyse(other, language)


@given(TEXTS)
def test_folding_and_spelling_are_done_once(text: str) -> None:
    words = [term for place in analyse(text, "") for term in place[:1] if term[0] != room.VARIANT_MARK]
    assert [analyse(word, "")[0][0] for word in words] == words


@given(TEXTS, LANGUAGES)
def test_terms_are_neither_empty_nor_long(text: str, language: str) -> None:
    for place in analyse(text, language):
        assert place
        assert all(0 < len(term) <= room.MAX_TERM + len(room.VARIANT_MARK) for term in place)


QUERIES = [
    ("running", ["en", "ru"], [{"run", "running"}], "as each language stems it, and as it is"),
    ("книгами", ["en", "ru"], [{"книг", "книгами"}], "English leaves Cyrillic alone"),
    ("die Queue", ["en", "de"], [{"die"}, {"queue", "queu"}], "one set a word, in order"),
    ("running", [], [{"running"}], "an index without languages"),
    (" - ", ["en"], [], "nothing typed"),
]


@pytest.mark.parametrize(("typed", "languages", "alternatives", "why"), QUERIES)
def test_query_terms(typed: str, languages: list[str], alternatives: list[set[str]], why: str) -> None:
    asked = analyse_query(typed, languages)
    assert [one.parts[0].terms for one in asked] == alternatives, why
    assert all(len(one.parts) == 1 and one.whole is None for one in asked), why


@given(TEXTS, st.lists(LANGUAGES, max_size=3))
def test_whatever_language_indexed_it_the_query_finds_it(text: str, languages: list[str]) -> None:
    parts = [part for asked in analyse_query(text, languages) for part in asked.parts]
    for language in languages:
        places = analyse(text, language)
        assert all((part.terms | part.variants) & {*place} for part, place in zip(parts, places, strict=True))


@given(TEXTS, LANGUAGES)
def test_a_whole_is_found_where_it_begins(text: str, language: str) -> None:
    places = iter(analyse(text, language))
    for asked in analyse_query(text, [language]):
        starts = [next(places) for _ in asked.parts]
        if asked.whole is not None:
            # A capital I that was typed is one letter in Turkish and another elsewhere.
            found = asked.whole.terms | (asked.whole.variants if language in DOTLESS else frozenset())
            assert any(found & {*place} for place in starts)


def test_every_stemmer_named_is_there() -> None:
    assert all(analyse("words", language) for language in STEMMERS)


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MAX_KNOWN", 100)
    memory = room._AnalysisMemory()
    for number in range(50):
        for language in ("en", "ru"):
            assert memory.load_terms(language)[f"word{number}"] == (
                (f"word{number}", "~word"),
                (f"~{number}",),
            )
            assert memory.load_terms(language)["again"] == (("again",),)
        assert sum(len(terms) for terms in memory.languages.values()) <= 20


def test_memory_of_where_words_stand_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MAX_KNOWN", 100)
    terms = room._AnalysisMemory().load_terms("en")
    for number in range(50):
        assert [*terms.offsets(f"Word{number}")] == [0, len(f"Word{number}"), 0, 4, 4, len(f"Word{number}")]
        assert len(terms._offsets) <= 20


HOSTILE = [
    "a.",
    "_",
    "aB",
    "Ab",
    "a'",
    "1,",
    "::",
    "\u200c",
    "می\u200c",
    "中",
    "c++",
    "l'",
    ".a",
    "ﬁ",
    "a/",
    "é-",
    "@",
]


@pytest.mark.slow
@pytest.mark.parametrize("piece", HOSTILE, ids=range(len(HOSTILE)))
def test_a_chunk_has_few_terms_for_its_length(piece: str) -> None:
    """Time and memory grow with the text, whatever it is."""
    text = piece * 20_000
    places = analyse(text, "en")
    assert sum(map(len, places)) <= 3 * len(text)
    assert sum(len(term) for place in places for term in place) <= 8 * len(text)
    assert max(map(len, places), default=0) <= 8


@settings(max_examples=20)
@given(st.sampled_from(["\u0300\u0316", "\uff9e\u0316", "\U0001d165\u0300"]), st.integers(31, 5000))
def test_stacked_marks_are_cut(marks: str, times: int) -> None:
    """UAX #15, 13: normalising them takes the square of their number."""
    assert len(fold("a" + marks * times)) <= 2 * MAX_MARKS + 1
