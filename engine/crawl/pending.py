"""Visits on their way to the next commit."""

from engine.page import State, Visit

BATCH = 50  # visits to a commit: a commit costs as much as storing a page
BATCH_SECONDS = 0.25  # a slow crawl commits at least this often


class Pending:
    """What was visited and is not yet in the database; times are seconds since 1970."""

    def __init__(self) -> None:
        self._visits: list[Visit] = []
        self._fingerprints: dict[bytes, str] = {}
        self._since = 0.0

    def __bool__(self) -> bool:
        return bool(self._visits)

    def add(self, visit: Visit, now: float) -> None:
        """One more."""
        if not self._visits:
            self._since = now
        self._visits.append(visit)
        if visit.reading and visit.reading.fingerprint and visit.state is State.STORED:
            self._fingerprints[visit.reading.fingerprint] = visit.fetch.claim.url

    def full(self, now: float) -> bool:
        """Whether it is time for a commit."""
        return len(self._visits) >= BATCH or now - self._since >= BATCH_SECONDS

    def take(self) -> list[Visit]:
        """All of them, to be committed now."""
        visits = self._visits
        self._visits, self._fingerprints = [], {}
        return visits

    def state(self, url: str) -> State | None:
        """What became of a URL, None when it is not among these."""
        return next((visit.state for visit in self._visits if visit.fetch.claim.url == url), None)

    def same(self, fingerprint: bytes, url: str) -> str:
        """Another URL with the same text, '' without one."""
        first = self._fingerprints.get(fingerprint, "")
        return "" if first == url else first
