"""Explains a URL's rank for a query, for programs and for people (requirement 309)."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from engine.index.query import Role
from engine.index.searching.score_explanation import ClauseExplanation, ScoreExplanation
from engine.linkgraph import Inlinks
from engine.model import Note

SCORED = (Role.WANTED, Role.EITHER, Role.WELCOME)


@dataclass(frozen=True, slots=True)
class RankExplanation:
    """The account of a URL for what was typed, as a person who types it finds it."""

    url: str
    typed: str
    account: ScoreExplanation
    place: int  # on the pages of hits
    plain: (
        int  # the same where no host's hits are folded; both as ScoreExplanation.place, with what is pinned
    )
    total: int  # hits, likewise
    pinned: bool
    inlinks: Inlinks  # what the link graph counts now
    notes: Sequence[Note]

    def as_object(self) -> dict[str, object]:
        """Returns the JSON shape, for `/api/explain` and `scrapy explain --query --json` alike."""
        account = self.account
        numbers = {name: value for name, value in asdict(account).items() if name not in ("parts", "place")}
        return {
            "url": self.url,
            "query": self.typed,
            "place": self.place,
            "plain": self.plain,
            "total": self.total,
            "pinned": self.pinned,
            **numbers,
            "missing": account.missing,
            "against": account.against,
            "parts": [_clause_object(part) for part in account.parts],
            "inlinks": self.inlinks._asdict(),
            "notes": [note.as_object() for note in self.notes],
        }

    def lines(self) -> Iterator[str]:
        """Formats the same for people: what adds up to the score, and below it what each part is made of."""
        account = self.account
        yield f"For {self.typed!r}: {self._format_place()}"
        yield from (f"  {note}" for note in self.notes)
        yield from (line for part in account.parts for line in _clause_lines(part))
        if account.found:
            yield from (f"{value:>10.3f}  {name}" for name, value in self._list_sums())

    def _format_place(self) -> str:
        account = self.account
        if self.pinned:
            return f"place {self.place} of {self.total:,}, pinned there"
        if account.found:
            place = f"place {self.place:,}" if self.place else "far behind"
            moved = f" ({self.plain:,} if no host's hits were folded)" if self.plain != self.place else ""
            return f"{place} of {self.total:,}{moved}, score {account.score:.3f}"
        missing = f"lacks {', '.join(account.missing)}" if account.missing else ""
        against = f"kept out by {', '.join(account.against)}" if account.against else ""
        return "not found: " + ("; ".join(filter(None, (missing, against))) or "it asks for nothing")

    def _list_sums(self) -> Iterator[tuple[str, float]]:
        account, inlinks = self.account, self.inlinks
        less = f", of which {account.share:g} is left as it has nothing to say" if account.share < 1 else ""
        yield f"by its text{less}", account.text
        outside = "" if account.leads else ", for which its text is too far behind"
        yield f"for words near each other{outside}", account.near
        yield f"for words as they were typed{outside}", account.forms
        yield (
            f"for links: {account.cast:.2f} votes (pages: {inlinks.pages:,}, voters: {inlinks.voters:,}); "
            "its own links and nofollow do not count",
            account.votes,
        )
        yield "together", account.score


def _clause_lines(part: ClauseExplanation) -> Iterator[str]:
    """Formats a part of the query: what it scores or loses, and its words."""
    state = "" if part.there else ", which it lacks"
    if part.role in SCORED:
        yield f"{part.score - part.lost:>10.3f}  {part.role} {part.said}{state}"
    else:
        yield f"{'':>10}  {part.role} {part.said}{state}"
    for word in part.words:
        known = f"pages that have it: {word.documents:,} (by themselves: {word.own:,}), idf {word.idf:.3f}"
        yield f"{'':>12}{word.said}: {word.score:.3f}; {known}"
        for stand in word.stands:
            share = f", of which {stand.share:g} counts" if stand.share < 1 else ""
            often = f"{stand.often:,} of {stand.length:,} words"
            yield f"{'':>14}{stand.text}: {stand.term}, {often}, weighs {stand.weight:.3f}{share}"


def _clause_object(part: ClauseExplanation) -> dict[str, object]:
    of_words = [
        word._asdict() | {"stands": [stand._asdict() for stand in word.stands]} for word in part.words
    ]
    return part._asdict() | {"words": of_words}
