"""Scores the latest visits to a host, and doubles its pause when they bring nothing new.

Two measures. The score of its new URLs: a duplicate, a soft 404 and an error add one, a page with
a text of its own takes three away. A host is slowed at every 50, and given up for this run at 200.
As breadth first visits pages first and their copies later, a score of 50 is held against all
that the host has ever brought, and what is left over counts in its favour. So

- a site may have three copies of each page (to print, for telephones, in another order) for ever;
- a trap behind N honest pages costs 3 N + 200 requests at most, and 200 in every later run;
- nothing is lost: what was not asked stays queued, and the next crawl goes on with it.

- a site that another one has copied, whole, is crawled nevertheless: 4,000 pages of it in a run.

URLs that were visited before do not count: what was a copy once is one again.

And the errors among its last 50 answers (requirement 86): while they are more than 30 %, one doubling.

The operator's own host is slowed by its distress alone, which are answers of 429 and 5xx (who does not answer
waits in its host_queue): a stale link is the fault of a page. Copies still make it be given up.
"""

from dataclasses import dataclass

STEP = 50  # of the score; each doubles the pause once more
GIVEN_UP = 200  # of the score
NEW_TEXT = 3  # copies that a page with a text of its own makes up for
FOREIGN = 20  # copies of another owner's pages that weigh as one of his own: he may have been copied
WINDOW = 50  # answers
MAX_ERRORS = 15  # among them, 30 %; requirement 86

_ALL = (1 << WINDOW) - 1


@dataclass(slots=True)
class HostRecord:
    """The record of one host: numbers alone, some 100 bytes."""

    score: int = 0
    answers: int = 0
    own: bool = False  # the operator's: only its distress slows it
    failing: bool = False  # more errors among the last answers than a host should have
    _errors: int = 0  # a bit for each of the last answers, the newest lowest

    def add(self, *, error: bool, weight: int) -> None:
        """Counts one answer, and adds to the score."""
        self.answers += 1
        self._errors = (self._errors << 1 | error) & _ALL
        self.failing = self.answers >= WINDOW and self._errors.bit_count() > MAX_ERRORS
        self.score = max(self.score + weight, min(self.score, 0))

    @property
    def recent(self) -> tuple[int, int]:
        """The errors among the last answers, and how many these are, WINDOW at most."""
        return self._errors.bit_count(), min(self.answers, WINDOW)

    def cap_score(self, pages: int, copies: int) -> None:
        """Caps the score by all visits to the host ever; errors count as copies."""
        self.score = min(self.score, copies - NEW_TEXT * pages)

    @property
    def steps(self) -> int:
        """The number of times the score doubles the pause."""
        return max(self.score // STEP, 0)

    @property
    def doublings(self) -> int:
        """The number of times the pause is doubled."""
        return self.failing + (0 if self.own else self.steps)
