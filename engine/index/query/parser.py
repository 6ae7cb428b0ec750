"""Parses what a person typed into a query tree, with notes on what was ignored or read as words.

All words are wanted; filters (engine.index.query.operators) narrow what is found and add nothing to a
score. What is malformed is words, with a note; nothing raises (requirement 296).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, assert_never

from engine.index.query.clauses import is_filter
from engine.index.query.forms import form_of
from engine.index.query.lexer import (
    CONNECTIVES,
    AndGroup,
    Negation,
    OperatorText,
    OrGroup,
    PrefixText,
    QuotedText,
    SyntaxNode,
    parse_syntax,
)
from engine.index.query.operators import OPERATORS, KeyFilter, KeyRange, LinkFilter, Operator, TextFilter
from engine.index.query.tree import (
    NOTHING,
    AllOf,
    AnyOf,
    Compound,
    Every,
    Field,
    Phrase,
    Prefix,
    Query,
    Range,
    Word,
)
from engine.index.schema import FORMS, PHRASE_FIELDS
from engine.model import Message, Note, NoteKind
from engine.text.analysis import QueryTerms, TypedWord, analyse_query, has_spaceless, normalize_term

MAX_QUERY_TERMS = 32  # words and filters; no person types more; bounds the work of one search
MAX_QUERY_CHARS = 1_000  # as typed; 32 long words
MIN_BEGINNING = 2  # letters; with one, a tenth of all words would be looked for
_BETWEEN = ("AND", "OR")


LinkNumbers = Callable[[Sequence[str]], Sequence[int]]
"""URLs -> their numbers in the key `link`."""
UNKNOWN = 0  # the number of no URL


class ParsedQuery(NamedTuple):
    """A parsed query, and notes on how it was read."""

    query: Query
    notes: Sequence[Note]


def parse_tree(typed: str, languages: Iterable[str]) -> Query:
    """Parses a query into its tree alone, where no links are known."""
    return parse_query(typed, languages, lambda urls: ()).query


def parse_any_word(text: str, languages: Iterable[str]) -> Query:
    """Parses plain words, however many, any of them enough; one that is repeated counts as often."""
    found = [
        terms
        for word in analyse_query(text, languages)
        for terms in (*word.parts, *([word.whole] if word.whole else ()))
    ]
    return AnyOf(tuple(Word(*terms) for terms in found))


def parse_query(typed: str, languages: Iterable[str], numbers: LinkNumbers) -> ParsedQuery:
    """Parses a query of at most MAX_QUERY_TERMS terms; never raises, whatever was typed."""
    builder = _TreeBuilder(frozenset(languages), numbers)
    if len(typed) > MAX_QUERY_CHARS:
        typed = typed[:MAX_QUERY_CHARS]
        builder.note(NoteKind.QUERY_TOO_LONG, limit=MAX_QUERY_CHARS)
    _note_syntax(typed, builder.note)
    return ParsedQuery(builder.read(parse_syntax(typed)) or NOTHING, tuple(builder.notes))


def _note_syntax(typed: str, note: Callable[[NoteKind, str], None]) -> None:
    """Notes a quotation mark alone, and operators that have nothing on one side."""
    parts = typed.split('"')
    if len(parts) % 2 == 0:
        note(NoteKind.UNBALANCED_QUOTE, "")
    tokens = [token for at, part in enumerate(parts) for token in (part.split() if at % 2 == 0 else ['"'])]
    for operator in _find_loose_operators(tokens):
        note(NoteKind.DANGLING_OPERATOR, operator)


def _find_loose_operators(tokens: Sequence[str]) -> Iterator[str]:
    """Yields the operators that miss a side: OR and AND have two, NOT one behind it."""
    for at, token in enumerate(tokens):
        behind = tokens[at + 1] if at + 1 < len(tokens) else "OR"
        if token in CONNECTIVES and (behind in _BETWEEN or (at == 0 and token in _BETWEEN)):
            yield token


class _TreeBuilder:
    """Builds the tree of one query: counts the terms that it may still have, and gathers notes."""

    def __init__(self, languages: frozenset[str], numbers: LinkNumbers) -> None:
        self._languages, self._numbers = languages, numbers
        self._left = MAX_QUERY_TERMS
        self.notes: dict[Note, None] = {}

    def note(self, kind: str, said: str = "", limit: int = 0, template: Message | None = None) -> None:
        """Adds a note, once."""
        self.notes[Note(kind, said, limit, template)] = None

    def read(self, typed: SyntaxNode | None) -> Query | None:
        """Reads a parsed query into a tree; None where nothing is left."""
        match typed:
            case str():
                return _all_of([self._read_word(asked) for asked in self._analyse(typed)])
            case QuotedText():
                return self._read_quoted(self._analyse(" ".join(typed.words)))
            case OperatorText():
                return self._read_operator(OPERATORS[typed.operator], typed.value)
            case PrefixText():
                return self._read_prefix(typed.prefix)
            case OrGroup():
                return self._read_any(typed.parts)
            case AndGroup():
                return self._read_all(typed.parts)
            case Negation():
                return self._read_all((typed,))
            case None:
                return None
            case _:
                assert_never(typed)

    def _read_all(self, parts: Sequence[SyntaxNode]) -> Query | None:
        """Reads a group; where nothing is wanted, what has a minus is, filters apart."""
        wanted = self._read_parts(part for part in parts if not isinstance(part, Negation))
        unwanted = self._read_parts(part.part for part in parts if isinstance(part, Negation))
        if not wanted and not all(map(is_filter, unwanted)):
            self.note(NoteKind.ONLY_NEGATIVE)
            wanted = tuple(part for part in unwanted if not is_filter(part))
            unwanted = tuple(filter(is_filter, unwanted))
        if not wanted and not unwanted:
            return None
        if not unwanted and len(wanted) == 1:
            return wanted[0]
        only = tuple(filter(is_filter, wanted))
        scored = tuple(part for part in wanted if not is_filter(part))
        return AllOf(scored if wanted else (Every(),), unwanted, only)

    def _read_any(self, parts: Sequence[SyntaxNode]) -> Query:
        """Reads alternatives; what has a minus is none, but where all have one."""
        unwanted = [part.part for part in parts if isinstance(part, Negation)]
        if unwanted:
            self.note(NoteKind.NEGATIVE_IN_OR)
        return AnyOf(self._read_parts([part for part in parts if not isinstance(part, Negation)] or unwanted))

    def _read_parts(self, parts: Iterable[SyntaxNode]) -> tuple[Query, ...]:
        trees = map(self.read, parts)
        return tuple(tree for tree in trees if tree is not None)

    def _read_operator(self, operator: Operator, value: str) -> Query | None:
        """Reads a filter, or words in one of the texts; where the value is malformed, words."""
        match operator.value:
            case TextFilter(text):
                return self._read_in_text(operator, text, value)
            case KeyFilter(parse):
                keys = parse(value.strip('"'))
                if not keys:
                    return self._read_as_words(operator, value)
                return _any_of([match_keys(one) for one in keys]) if self._take_terms(1) else None
            case LinkFilter(field, parse):
                urls = parse(value.strip('"'))
                if not urls:
                    return self._read_as_words(operator, value)
                return self._read_link(field, urls) if self._take_terms(1) else None
            case _:
                assert_never(operator.value)

    def _read_link(self, field: str, urls: Sequence[str]) -> Query:
        """Reads a filter of the pages that link to URLs, or to one that they represent.

        It looks the same where none of them is known: who may not see them learns nothing of them.
        """
        numbers = self._numbers(urls) or (UNKNOWN,)
        return AnyOf((AnyOf(tuple(Field(field, str(number), urls[0]) for number in numbers)),))

    def _read_as_words(self, operator: Operator, value: str) -> Query | None:
        typed, malformed = f"{operator.word}:{value}", operator.malformed
        self.note(malformed.kind, typed, template=malformed.sentence)
        return self.read(typed.replace('"', " "))

    def _read_in_text(self, operator: Operator, name: str, value: str) -> Query | None:
        """Reads words in one text; those within quotation marks stand side by side, if it has positions."""
        typed_words = self._analyse(value.replace('"', " "))
        if not typed_words:
            return self._read_as_words(operator, value)
        found = _all_of([self._read_word_in(name, one) for one in typed_words])
        words = tuple(Word(*part) for one in typed_words for part in one.parts)
        if not (found and value.startswith('"') and len(words) > 1):
            return found
        if name in PHRASE_FIELDS:
            return AllOf((found,), only=(Phrase(words, text=name),))
        self.note(NoteKind.ORDER_IGNORED, f"{operator.word}:{value}")
        return found

    def _read_word_in(self, name: str, typed: TypedWord) -> Query | None:
        """Reads a word that stands in a text whole or, all of them, in parts."""
        parts = _all_of([_field_query(name, part) for part in typed.parts if self._take_terms(1)])
        if typed.whole is None or parts is None:
            return parts
        return AnyOf((_field_query(name, typed.whole), parts))

    def _read_prefix(self, typed: str) -> Query | None:
        """Reads a prefix; of a compound the whole, and what stands before its last word as it is."""
        words = self._analyse(typed)
        if not words:
            return None
        *before, last = words
        prefix = normalize_term((last.whole or last.parts[-1]).typed)
        if len(prefix) < MIN_BEGINNING and not has_spaceless(prefix):
            self.note(NoteKind.SHORT_PREFIX, f"{typed}*", MIN_BEGINNING)
            return self.read(typed)
        rest = [self._read_word(one) for one in before]
        if last.whole is None:
            rest += [_all_of(self._make_words(last.parts[:-1]))]
        return _all_of([*rest, Prefix(prefix) if self._take_terms(1) else None])

    def _analyse(self, typed: str) -> list[TypedWord]:
        return analyse_query(typed, self._languages)

    def _read_word(self, typed: TypedWord) -> Query | None:
        """Reads a word that was typed, None where there is no room left for it."""
        parts = self._read_phrase([typed])
        whole = self._make_words([typed.whole]) if typed.whole else ()
        return Compound(whole[0], parts) if whole and parts else parts

    def _read_phrase(self, typed: Sequence[TypedWord]) -> Word | Phrase | None:
        """Reads what was typed, part by part, side by side."""
        words = self._make_words([part for asked in typed for part in asked.parts])
        if len(words) > 1:
            return Phrase(words)
        return words[0] if words else None

    def _read_quoted(self, typed: Sequence[TypedWord]) -> Query | None:
        """Reads words side by side; one alone as it is, not in another form: its page says it itself."""
        if len(typed) == 1:
            word = self._read_word(typed[0])
            form = form_of(word.surface) if isinstance(word, Word) else ""
            return word and AllOf((word,), only=(Field(FORMS, form) if form else word,))
        quoted = self._read_phrase(typed)
        return replace(quoted, quoted=True) if isinstance(quoted, Phrase) else quoted

    def _make_words(self, terms: Sequence[QueryTerms]) -> tuple[Word, ...]:
        return tuple(Word(*one) for one in terms[: self._take_terms(len(terms))])

    def _take_terms(self, count: int) -> int:
        """Takes room for so many terms, or for as many as there still is; what is left out is noted."""
        taken = min(count, self._left)
        self._left -= taken
        if taken < count:
            self.note(NoteKind.TOO_MANY_WORDS, limit=MAX_QUERY_TERMS)
        return taken


def _field_query(name: str, word: QueryTerms) -> Query:
    """Makes a query for a word in one field, in any of its spellings."""
    return _any_of([Field(name, term) for term in sorted(word.terms | word.variants)])


def match_keys(keys: KeyRange) -> Query:
    """Makes a query for the documents that have one of the keys."""
    return Field(keys.field, keys.first) if keys.first == keys.last else Range(*keys)


def _any_of(parts: Sequence[Query]) -> Query:
    """Joins alternatives, where there are several."""
    return AnyOf(tuple(parts)) if len(parts) > 1 else parts[0]


def _all_of(parts: Iterable[Query | None]) -> Query | None:
    """Joins the parts of a group, where there are several."""
    wanted = tuple(part for part in parts if part is not None)
    return AllOf(wanted) if len(wanted) > 1 else next(iter(wanted), None)
