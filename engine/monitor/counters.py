"""Counts a crawl's events, and the rate at which pages arrive."""

from collections import Counter, deque

from engine.model import COPIES, Fetch, Purpose, State, Visit, rule_of
from engine.monitor.progress import WINDOW_SECONDS, Progress


class Counters:
    """Counts of one run, over its restarts; names are those of the summary."""

    def __init__(self, before: Counter[str]) -> None:
        self.counts = Counter(before)
        self.asked = 0  # requests since this start, those without an answer and for robots.txt included
        self._stored: deque[tuple[float, int]] = deque()

    def add_exchange(self, fetch: Fetch) -> None:
        """Counts an exchange and its bytes, robots.txt included."""
        self.asked += 1
        self.counts["bytes sent"] += fetch.sent
        self.counts["bytes received"] += fetch.received

    def add_visit(self, visit: Visit) -> None:
        """Counts a visit."""
        counts = self.counts
        counts["fetched"] += visit.fetch.status > 0
        counts["bytes"] += visit.fetch.size
        if visit.again:
            counts["retries"] += 1
        elif visit.fetch.claim.kind is Purpose.SITEMAP:
            self._sitemap(visit)
        elif visit.fetch.claim.kind is Purpose.FEED and (visit.sitemap or visit.unchanged):
            self._feed(visit)
        elif visit.state is State.ALIAS:
            counts["duplicates" if visit.reason in COPIES else "redirects"] += 1
        elif visit.state in (State.FAILED, State.GONE):
            counts["errors"] += 1
            counts[f"errors: {visit.reason}"] += 1
        elif visit.state is State.SKIPPED:
            counts[f"skipped: {rule_of(visit.reason)}"] += 1
        else:
            counts["unchanged" if visit.unchanged else visit.state.value] += 1
            if visit.reading and visit.reading.cut:
                counts["cut short"] += 1

    def add_entries(self, visit: Visit) -> None:
        """Counts entries of a sitemap or feed; a long one comes in parts."""
        if visit.sitemap:
            of_feed = visit.fetch.claim.kind is Purpose.FEED
            self.counts["feed items" if of_feed else "sitemap entries"] += len(visit.sitemap.entries)

    def _sitemap(self, visit: Visit) -> None:
        """Counts a sitemap; a missing one is no error, as most are only guessed."""
        if visit.sitemap:
            self.counts["sitemaps"] += 1
            if visit.fetch.error:
                self.counts[f"sitemaps: {visit.fetch.error}"] += 1
            self.add_entries(visit)
            self.counts["sitemap warnings"] += len(visit.sitemap.warnings)
        elif visit.unchanged:
            self.counts["sitemaps"] += 1

    def _feed(self, visit: Visit) -> None:
        """Counts a feed that was read, or is as it was; others are errors as those of pages are."""
        self.counts["feeds"] += 1
        self.add_entries(visit)
        if visit.sitemap:
            self.counts["feed warnings"] += len(visit.sitemap.warnings)

    @property
    def pages(self) -> int:
        """How many pages were stored or unchanged."""
        return self.counts["stored"] + self.counts["unchanged"]

    def progress(self, now: float, queued: int, to_index: int | None) -> Progress:
        """Returns the crawl's progress."""
        counts = self.counts
        return Progress(True, self.pages, queued, counts["errors"], self.rate(now), to_index)

    def rate(self, now: float) -> float:
        """Computes the stored pages per second over the window; `now` in seconds."""
        self._stored.append((now, self.pages))
        while len(self._stored) > 2 and self._stored[0][0] < now - WINDOW_SECONDS:
            self._stored.popleft()
        (then, before), (_, after) = self._stored[0], self._stored[-1]
        return (after - before) / (now - then) if now > then else 0.0
