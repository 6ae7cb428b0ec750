"""What stands behind an operator, the keys of the index that it means, and what is written of it."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.formats import FILETYPES
from engine.index.query.operators import CHOICES, OPERATORS, KeyFilter, LinkFilter, Operator, TextFilter
from engine.index.query.parser import parse_query, parse_tree
from engine.index.schema.schema import KEYS, TEXT_FIELDS

READ = [
    ("site", "example.org", ["site example.org"], "a name and all hosts below it"),
    ("site", "*.Example.ORG", ["site example.org"], "as others write it"),
    ("site", ".example.org/", ["site example.org"], "an empty path is none"),
    ("site", "example.org:8080", ["site example.org:8080"], "a port"),
    ("site", "https://example.org", ["host https://example.org"], "with a scheme one host"),
    ("site", "żółw.pl", ["site xn--w-uga1v8h.pl"], "letters that DNS has not"),
    ("site", "[::1]", ["site [::1]"], "an address"),
    ("site", "a.org/x", ["url http://a.org/x..", "url https://a.org/x.."], "URLs that begin so"),
    ("site", "http://a.org/x?y", ["url http://a.org/x?y.."], "with a query"),
    ("site", "", [], "nothing"),
    ("site", "/docs", [], "no host"),
    ("site", "ftp://a.org", [], "not the web"),
    ("site", "me@a.org", [], "a mail address"),
    ("site", "a b.org", [], "no name of a host"),
    ("filetype", ".PDF", ["type pdf"], "as files are named"),
    ("filetype", "htm", ["type html"], "the short one"),
    ("filetype", "exe", [], "never indexed"),
    ("filetype", "text/x-markdown", [], "what servers say is not what people type"),
    ("lang", "PL", ["language pl"], "in capitals"),
    ("lang", "en-GB", ["language en"], "a region is not known"),
    ("lang", "english", [], "a name is no code"),
    ("after", "2024", ["day 2024-01-01..9999-12-31"], "from its first day on"),
    ("after", "2024-5", ["day 2024-05-01..9999-12-31"], "a month"),
    ("after", "2024-05-02", ["day 2024-05-02..9999-12-31"], "a day"),
    ("before", "2024-03", ["day ..2024-02-29"], "up to the day before it"),
    ("before", "2024-02-30", [], "no day"),
    ("before", "0001", [], "nothing is before"),
    ("before", "٢٠٢٤", [], "other digits"),
    ("before", "soon", [], "no date"),
]


@pytest.mark.requirement(296)
@pytest.mark.parametrize(("operator", "value", "keys", "why"), READ)
def test_a_value_means_keys(operator: str, value: str, keys: list[str], why: str) -> None:
    meaning = OPERATORS[operator].value
    assert isinstance(meaning, KeyFilter)
    shown = [
        f"{field} {first}"
        if first == last
        else f"{field} {first}..{last.rstrip(chr(0x10FFFF)).removeprefix(first)}"
        for field, first, last in meaning.parse(value)
    ]
    assert shown == keys, why


@settings(max_examples=100)
@given(st.sampled_from([*OPERATORS]), st.text(max_size=20) | st.from_regex(r"[a-z0-9:./%\[-]{0,12}"))
def test_no_value_can_raise(operator: str, value: str) -> None:
    parse_tree(f"{operator}:{value}", {"en"})
    CHOICES["host"](value)


HOSTS = [
    (
        "Docs.Example.org:81",
        ["http://docs.example.org:81", "https://docs.example.org:81"],
        "with both schemes",
    ),
    ("http://a.org", [], "a scheme is asked for by site:"),
    ("a.org/x", [], "addresses that begin so are no host"),
]


@pytest.mark.parametrize(("value", "hosts", "why"), HOSTS)
def test_a_host_that_is_chosen_is_one(value: str, hosts: list[str], why: str) -> None:
    assert [(key.first, key.last) for key in CHOICES["host"](value)] == [(host, host) for host in hosts], why


SYNTAX = (Path(__file__).parents[4] / "docs/query-syntax.md").read_text(encoding="utf-8")
TYPED = re.compile(r"`((\w+):[^`]*)`")
ROWS = [row.split(" | ") for row in SYNTAX.partition("\n\n")[2].partition("\n\n")[0].splitlines()[2:]]


def described() -> Iterator[tuple[str, str, str]]:
    """What docs/query-syntax.md says is typed, with its operator, and what that finds."""
    for typed, found in ROWS:
        yield from ((example, word, found) for example, word in TYPED.findall(typed))


def test_the_page_on_syntax_describes_every_operator_and_no_other() -> None:
    assert {word for _, word, _ in described()} == set(OPERATORS)
    (types,) = {found for _, word, found in described() if word == "filetype"}
    assert re.findall(r"`(\w+)`", types) == list(FILETYPES)


@pytest.mark.parametrize(
    "typed",
    [
        *(typed for typed, _, _ in described()),
        *(typed for operator in OPERATORS.values() for typed, _ in operator.examples),
    ],
)
def test_an_example_is_read_as_it_says(typed: str) -> None:
    assert parse_query(typed, {"en"}, lambda urls: [7]).notes == ()


@pytest.mark.parametrize("operator", OPERATORS.values(), ids=OPERATORS)
def test_a_row_holds(operator: Operator) -> None:
    """It asks for what the index has, is explained by an example, and says what a malformed value is."""
    assert set(asked_for(operator)) <= {*KEYS, *TEXT_FIELDS}
    assert any(f"{operator.word}:" in typed for one in OPERATORS.values() for typed, _ in one.examples)
    (note,) = parse_query(f"{operator.word}:", (), lambda urls: []).notes
    assert (note.kind, note.input) == (operator.malformed.kind, f"{operator.word}:")
    assert str(note).startswith(f"“{operator.word}:” was read as words: ")


def asked_for(operator: Operator) -> Sequence[str]:
    """The fields of the index in which a row looks."""
    match operator.value:
        case TextFilter(text):
            return [text]
        case LinkFilter(field):
            return [field]
        case KeyFilter(parse):
            values = (part.partition(":")[2] for typed, _ in operator.examples for part in typed.split())
            return [keys.field for value in values for keys in parse(value)]
