"""Answers a query: parsed, relaxed, matched and ranked, with notes on how it was read."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.index.query import (
    Query,
    collect_prefixes,
    collect_words,
    parse_query,
    relax,
    to_disjunction,
    to_plain_words,
)
from engine.index.scoring import MAX_BEGUN, Best
from engine.index.searching import DocumentFilter, Snapshot
from engine.model import Note, NoteKind
from engine.suggest import Synonyms, synonyms
from engine.text.language import find_stopwords


class QueryReading(NamedTuple):
    """A query as it was parsed, as it was searched for, the best that match, and notes on how it was read."""

    parsed: Query
    query: Query
    best: Best
    notes: Sequence[Note]

    def has_note(self, kind: NoteKind) -> bool:
        """Tells whether there is a note of a kind."""
        return any(note.kind is kind for note in self.notes)


def answer_query(
    snapshot: Snapshot,
    typed: str,
    count: int,
    known: Synonyms = synonyms.NONE,
    only: DocumentFilter | None = None,
) -> tuple[Query, Best, Sequence[Note]]:
    """Answers a query: returns it parsed, the top `count` matches (of these), and notes on how it
    was read.

    Operators that leave nothing to find are plain words, where some page has them all.
    """
    reading = _read(snapshot, typed, count, known, only)
    plain = to_plain_words(typed)
    if plain != typed and _finds_nothing(snapshot, reading):
        as_words = _read(snapshot, plain, count, known, only)
        has_all = as_words.best.total and not as_words.has_note(NoteKind.PARTIAL_MATCHES)
        if has_all and as_words.parsed != reading.parsed:
            notes = Note(NoteKind.OPERATORS_AS_WORDS, typed), *as_words.notes
            return as_words.query, as_words.best, notes
    return reading.query, reading.best, reading.notes


def interpret_query(snapshot: Snapshot, typed: str, known: Synonyms) -> Query:
    """Parses a query, and reads its operators as answer_query() does."""
    if to_plain_words(typed) != typed:
        return answer_query(snapshot, typed, 1, known)[0]
    languages = snapshot.languages
    return known.expand(parse_query(typed, languages, snapshot.numbers).query, languages)


def _read(
    snapshot: Snapshot, typed: str, count: int, known: Synonyms, only: DocumentFilter | None
) -> QueryReading:
    """Reads a query and finds what has all of it, or most; any of its words where no page has."""
    languages = snapshot.languages
    parsed, notes = parse_query(typed, languages, snapshot.numbers)
    many = [one.beginning for one in collect_prefixes(parsed) if snapshot.is_too_frequent(one)]
    notes = (*notes, *(Note(NoteKind.TOO_MANY_EXPANSIONS, one, MAX_BEGUN) for one in many))
    query = relax(known.expand(parsed, languages), languages, snapshot.ranking.stopword)
    best = snapshot.find(query, count, only)
    if not best.total and len(collect_words(parsed)) + len(collect_prefixes(parsed)) > 1:
        query = known.expand(to_disjunction(parsed), languages)
        best = snapshot.find(query, count, only)
        notes = (*notes, Note(NoteKind.PARTIAL_MATCHES)) if best.total else notes
        return QueryReading(parsed, query, best, notes)
    return QueryReading(parsed, query, best, (*notes, *_note_missing(best, count)))


def _finds_nothing(snapshot: Snapshot, reading: QueryReading) -> bool:
    """Tells whether no document matches, or nothing is wanted but stop words: what is found by them is not
    what anybody looks for.
    """
    if not reading.best.total or reading.has_note(NoteKind.ONLY_NEGATIVE):
        return True
    words = {word.surface for word in collect_words(reading.parsed)}
    return bool(words) and words == find_stopwords([*words], snapshot.languages)


def _note_missing(best: Best, count: int) -> Iterator[Note]:
    """Notes where hits that will be shown have not all words."""
    having_all = best.total - best.partial
    if best.partial and not having_all:
        yield Note(NoteKind.PARTIAL_MATCHES)
    elif best.partial and having_all < count:
        yield Note(NoteKind.PARTIAL_MATCHES_AFTER, limit=having_all)
