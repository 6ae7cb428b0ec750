"""Explains a URL's rank for a query, for programs and for people (requirement 309)."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from engine.index.query import Role
from engine.index.searching.score_explanation import ClauseExplanation, ScoreExplanation
from engine.linkgraph import Inlinks
from engine.model import Note
from engine.ranking import RERANK_SIGNALS

SCORED = (Role.MUST, Role.ANY_OF, Role.SHOULD)


@dataclass(frozen=True, slots=True)
class RankExplanation:
    """The account of a URL for what was typed, as a person who types it finds it."""

    url: str
    typed: str
    explanation: ScoreExplanation
    rank: int  # on the pages of hits
    uncollapsed_rank: (
        int  # the same where no host's hits are folded; both as ScoreExplanation.place, with what is pinned
    )
    total: int  # hits, likewise
    pinned: bool
    inlinks: Inlinks  # what the link graph counts now
    notes: Sequence[Note]

    def as_object(self) -> dict[str, object]:
        """Returns the JSON shape, for `/api/explain` and `scrapy explain --query --json` alike."""
        account = self.explanation
        numbers = {name: value for name, value in asdict(account).items() if name not in ("clauses", "rank")}
        return {
            "url": self.url,
            "query": self.typed,
            "rank": self.rank,
            "uncollapsed_rank": self.uncollapsed_rank,
            "total": self.total,
            "pinned": self.pinned,
            **numbers,
            "missing": account.missing,
            "excluded_by": account.excluded_by,
            "clauses": [_clause_object(part) for part in account.clauses],
            "inlinks": self.inlinks._asdict(),
            "notes": [note.as_object() for note in self.notes],
        }

    def lines(self) -> Iterator[str]:
        """Formats the same for people: what adds up to the score, and below it what each part is made of."""
        account = self.explanation
        yield f"For {self.typed!r}: {self._format_place()}"
        yield from (f"  {note}" for note in self.notes)
        yield from (line for part in account.clauses for line in _clause_lines(part))
        if account.matched:
            yield from (f"{value:>10.3f}  {name}" for name, value in self._list_sums())

    def _format_place(self) -> str:
        account = self.explanation
        if self.pinned:
            return f"place {self.rank} of {self.total:,}, pinned there"
        if account.matched:
            place = f"place {self.rank:,}" if self.rank else "far behind"
            moved = (
                f" ({self.uncollapsed_rank:,} if no host's hits were folded)"
                if self.uncollapsed_rank != self.rank
                else ""
            )
            return f"{place} of {self.total:,}{moved}, score {account.score:.3f}"
        missing = f"lacks {', '.join(account.missing)}" if account.missing else ""
        against = f"kept out by {', '.join(account.excluded_by)}" if account.excluded_by else ""
        return "not found: " + ("; ".join(filter(None, (missing, against))) or "it asks for nothing")

    def _list_sums(self) -> Iterator[tuple[str, float]]:
        account, inlinks = self.explanation, self.inlinks
        less = (
            f", of which {account.page_factor:g} is left as it has nothing to say"
            if account.page_factor < 1
            else ""
        )
        yield f"by its text{less}", account.text
        outside = "" if account.in_rerank_window else ", for which its text is too far behind"
        for signal in RERANK_SIGNALS:
            yield f"for {signal.label}{outside}", account.gains[signal.name]
        for name, gain in account.signals.items():
            yield f"for {name}, a signal of yours", gain
        yield (
            f"for links: {account.votes:.2f} votes (pages: {inlinks.pages:,}, voters: {inlinks.voters:,}); "
            "its own links and nofollow do not count",
            account.inlink_boost,
        )
        yield "together", account.score


def _clause_lines(part: ClauseExplanation) -> Iterator[str]:
    """Formats a part of the query: what it scores or loses, and its words."""
    state = "" if part.matched else ", which it lacks"
    if part.role in SCORED:
        yield f"{part.score - part.penalty:>10.3f}  {part.role} {part.text}{state}"
    else:
        yield f"{'':>10}  {part.role} {part.text}{state}"
    for word in part.words:
        pages = f"{word.document_frequency:,} pages ({word.own_document_frequency:,} without menus)"
        yield f"{'':>12}{word.text}: {word.score:.3f}; in {pages}, idf {word.idf:.3f}"
        for term in word.terms:
            boost = f", boost {term.boost:g}" if term.boost < 1 else ""
            frequency = f"{term.frequency:,} of {term.length:,} words"
            yield f"{'':>14}{term.field}: {term.term}, {frequency}, weight {term.weight:.3f}{boost}"


def _clause_object(part: ClauseExplanation) -> dict[str, object]:
    of_words = [word._asdict() | {"terms": [term._asdict() for term in word.terms]} for word in part.words]
    return part._asdict() | {"words": of_words}
