"""What is typed and malformed is words, and a note says so."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.index.query.collectors import collect_prefixes, collect_words
from engine.index.query.operators import OPERATORS
from engine.index.query.parser import MAX_QUERY_CHARS, MAX_QUERY_TERMS, parse_query, parse_tree
from engine.index.query.relaxation import to_disjunction
from engine.index.query.tree import AllOf, AnyOf, Every, Field, Phrase, Prefix, Query, Range, Word
from engine.model.note import MAX_SAID, Note, NoteKind


def w(*terms: str) -> Word:
    return Word(frozenset(terms), frozenset(f"~{term}" for term in terms))


def very(term: str) -> Query:
    return AllOf((w(term),), only=(Field("forms", term),))


def in_title(term: str) -> Query:
    return AnyOf((Field("title", term), Field("title", f"~{term}")))


def quoted(name: str) -> Query:
    """A name that has no form."""
    found = parse_tree(name, ())
    return AllOf((found,), only=(found,))


A, B = w("amber"), w("basil")
PDF, POLISH = Field("type", "pdf"), Field("language", "pl")

READ: list[tuple[str, Query, str]] = [
    ("amber filetype:pdf", AllOf((A,), (), (PDF,)), "a filter adds nothing to a score"),
    ("FileType:pdf", PDF, "as a telephone writes it"),
    ("filetype:pdf lang:pl", AllOf((), (), (PDF, POLISH)), "filters alone"),
    ("amber -lang:pl", AllOf((A,), (POLISH,)), "a filter with a minus"),
    ("-lang:pl", AllOf((Every(),), (POLISH,)), "all but these"),
    ("-amber -lang:pl", AllOf((A,), (POLISH,)), "a word with a minus alone is a word still"),
    ("amber filetype:pdf OR lang:pl", AllOf((A,), (), (AnyOf((PDF, POLISH)),)), "one of two filters"),
    ("amber OR lang:pl", AnyOf((A, POLISH)), "a filter as an alternative"),
    ("amber before:2024", AllOf((A,), (), (Range("day", "", "2023-12-31"),)), "a range"),
    ("intitle:amber", in_title("amber"), "a word of one text"),
    (
        "intitle:amber-basil",
        AnyOf((in_title("amberbasil"), AllOf((in_title("amber"), in_title("basil"))))),
        "a compound, whole or in its parts",
    ),
    ("amb* basil", AllOf((Prefix("amb"), B)), "a beginning"),
    ("asyncio.Qu*", Prefix("asyncioqu"), "of a compound"),
    ('"filetype:pdf"', Phrase((w("filetype"), w("pdf"))), "within quotation marks words"),
    ('"Amber"', very("amber"), "a word as it is, in any case"),
    ('-"amber" basil', AllOf((B,), (very("amber"),)), "no page with just that word"),
    ('"amber-basil"', quoted("amber-basil"), "a name of several parts is demanded"),
    (
        'intitle:"amber basil"',
        AllOf((AllOf((in_title("amber"), in_title("basil"))),), only=(Phrase((A, B), text="title"),)),
        "side by side in the title",
    ),
    ("before::after", parse_tree("before_after", ()), "two colons are a name"),
    ("link:https://a.org/", AnyOf((AnyOf((Field("link", "7"),)),)), "by the number in the link graph"),
    ("ls -l", AllOf((w("ls"), w("l"))), "an option of one letter is no minus"),
    ("gcc --no-cache", AllOf((w("gcc"), parse_tree("no-cache", ()))), "nor are two"),
    ('gcc "-Wall"', AllOf((w("gcc"), very("wall"))), "nor one within quotation marks"),
    ("gcc -Wall", AllOf((w("gcc"),), (w("wall"),)), "elsewhere it leaves out"),
]


@pytest.mark.requirement(296)
@pytest.mark.parametrize(("typed", "query", "why"), READ)
def test_operators_become_a_query(typed: str, query: Query, why: str) -> None:
    assert parse_query(typed, (), lambda urls: [7]).query == query, why


def malformed(typed: str) -> Note:
    kind, sentence = OPERATORS[typed.partition(":")[0]].malformed
    return Note(kind, typed, template=sentence)


NOTED = [
    ("amber basil", [], "nothing to say"),
    ('amber "basil', [Note(NoteKind.UNBALANCED_QUOTE)], "a quotation mark left open"),
    ("amber OR", [Note(NoteKind.DANGLING_OPERATOR, "OR")], "nothing behind it"),
    ("OR amber", [Note(NoteKind.DANGLING_OPERATOR, "OR")], "nothing before it"),
    ('amber "OR"', [], "a word that was meant as one"),
    ("-amber", [Note(NoteKind.ONLY_NEGATIVE)], "nothing is wanted"),
    ("-lang:pl", [], "but for filters"),
    ("amber OR -basil", [Note(NoteKind.NEGATIVE_IN_OR)], "all pages without a word"),
    ("site:", [malformed("site:")], "an operator alone"),
    ("amber site:/x", [malformed("site:/x")], "no host"),
    ("link:ftp://a/", [malformed("link:ftp://a/")], "not the web"),
    ("filetype:exe", [malformed("filetype:exe")], "never indexed"),
    ("lang:english", [malformed("lang:english")], "no code"),
    ("before:soon", [malformed("before:soon")], "no date"),
    ("intitle:!", [malformed("intitle:!")], "no word"),
    ('inurl:"a b"', [Note(NoteKind.ORDER_IGNORED, 'inurl:"a b"')], "addresses have no phrases"),
    ('inurl:"a" intitle:"a b"', [], "one word, and a text that has phrases"),
    ("a* amber", [Note(NoteKind.SHORT_PREFIX, "a*", 2)], "a tenth of all words"),
    ("搜*", [], "but one letter is a word in Chinese"),
    ("x " * 600, [Note(NoteKind.QUERY_TOO_LONG, limit=MAX_QUERY_CHARS)], "a text for a query"),
    (
        " ".join(f"w{n}x" for n in range(33)),
        [Note(NoteKind.TOO_MANY_WORDS, limit=MAX_QUERY_TERMS)],
        "33 words",
    ),
]


@pytest.mark.requirement(296)
@pytest.mark.parametrize(("typed", "notes", "why"), NOTED)
def test_notes_say_how_it_was_read(typed: str, notes: list[Note], why: str) -> None:
    read = parse_query(typed, (), lambda urls: [])
    assert list(read.notes) == notes, why
    for note in notes:
        assert note.input in str(note), why


@pytest.mark.parametrize("left_out", ["word", "lang:pl", "intitle:word", "link:https://a.org/", "word*"])
def test_what_there_is_no_room_for_changes_nothing(left_out: str) -> None:
    full = " ".join(f"w{n}x" for n in range(MAX_QUERY_TERMS))
    query, notes = parse_query(f"{full} {left_out}", (), lambda urls: [7])
    assert query == parse_tree(full, ())
    assert notes == (Note(NoteKind.TOO_MANY_WORDS, limit=MAX_QUERY_TERMS),)


def test_what_is_malformed_is_words() -> None:
    assert parse_tree("before:soon amber", ()) == AllOf((AllOf((w("before"), w("soon"))), A))


def test_loosened_keeps_filters_and_texts() -> None:
    typed = parse_tree("amber ced* intitle:fern lang:pl -dune", ())
    assert to_disjunction(typed) == AllOf(
        (AnyOf((A, Prefix("ced"))), in_title("fern")), (w("dune"),), (POLISH,)
    )


def test_loosened_keeps_words_in_quotation_marks() -> None:
    typed = parse_tree('amber "basil"', ())
    assert to_disjunction(typed) == AllOf((AnyOf((A, B)),), (), (Field("forms", "basil"),))


PIECES = [
    *(f"{name}:" for name in OPERATORS),
    "-",
    "*",
    '"',
    " ",
    " OR ",
    "NOT ",
    "a",
    "2024",
    "b.org",
    "/",
    "{}",
]


@settings(max_examples=200)
@given(st.text() | st.lists(st.sampled_from(PIECES)).map("".join))
def test_anything_typed_is_a_query_and_notes_that_can_be_printed(typed: str) -> None:
    query, notes = parse_query(typed, {"en", "ru"}, lambda urls: [1])
    assert len(collect_words(query)) + len(collect_prefixes(query)) <= MAX_QUERY_TERMS
    for note in notes:
        said = str(note)
        assert "\n" not in said
        assert all(one.isprintable() or one == "\u200c" for one in said)
        assert len(said) <= 150 + MAX_SAID
        assert note.as_object()["text"] == said
