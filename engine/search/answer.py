"""Answers a query: parsed, relaxed, matched and ranked, with notes on how it was read."""

from collections.abc import Iterator, Sequence

from engine.index.query import Query, collect_prefixes, collect_words, parse_query, relax, to_disjunction
from engine.index.reader import Documents
from engine.index.scoring import MAX_BEGUN, Best, is_prefix_too_frequent
from engine.index.searching import Snapshot
from engine.model import Note, NoteKind
from engine.suggest import Synonyms, synonyms


def answer_query(
    snapshot: Snapshot,
    typed: str,
    count: int,
    known: Synonyms = synonyms.NONE,
    only: Documents | None = None,
) -> tuple[Query, Best, Sequence[Note]]:
    """Answers a query: returns it parsed, the top `count` matches (of these), and notes on how it
    was read.
    """
    languages = snapshot.reader.languages
    parsed, notes = parse_query(typed, languages, snapshot.numbers)
    many = [one.beginning for one in collect_prefixes(parsed) if is_prefix_too_frequent(snapshot.reader, one)]
    notes = (*notes, *(Note(NoteKind.TOO_MANY_EXPANSIONS, one, MAX_BEGUN) for one in many))
    query = relax(known.expand(parsed, languages), languages, snapshot.ranking.stopword)
    best = snapshot.find(query, count, only)
    if not best.total and len(collect_words(parsed)) + len(collect_prefixes(parsed)) > 1:
        query = known.expand(to_disjunction(parsed), languages)
        best = snapshot.find(query, count, only)
        return query, best, (*notes, Note(NoteKind.PARTIAL_MATCHES)) if best.total else notes
    return query, best, (*notes, *_note_missing(best, count))


def _note_missing(best: Best, count: int) -> Iterator[Note]:
    """Notes where hits that will be shown have not all words."""
    having_all = best.total - best.partial
    if best.partial and not having_all:
        yield Note(NoteKind.PARTIAL_MATCHES)
    elif best.partial and having_all < count:
        yield Note(NoteKind.PARTIAL_MATCHES_AFTER, limit=having_all)
