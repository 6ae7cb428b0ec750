"""Holds visits until the next commit."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from engine.model import Page, State, Visit
from engine.packing import unpack
from engine.store import MOST_COMPARED

BATCH_VISITS = 50  # visits to a commit: a commit costs as much as storing a page
BATCH_BYTES = 8_000_000  # of packed pages and of URLs; fifty usual pages have half a megabyte
BATCH_URLS = 20_000  # that visits lead to, if all are new: half a second; fifty usual pages have 10,000
BATCH_SECONDS = 0.25  # a slow crawl commits at least this often
LONGEST_BATCH_SECONDS = 2.5  # half of a pause: new URLs of a host that is asked all the time wait no longer


def batch_seconds(runs: int) -> float:
    """Computes the seconds from one commit to the next: so many runs write as often as one alone."""
    return min(BATCH_SECONDS * runs, LONGEST_BATCH_SECONDS)


class PendingVisits:
    """Visits that are not yet in the database; times are seconds since 1970."""

    def __init__(self) -> None:
        self._visits: list[Visit] = []
        self._fingerprints: dict[bytes, str] = {}
        self._near = defaultdict[int, list[Visit]](list)
        self._since = 0.0
        self._bytes = self._urls = 0

    def __bool__(self) -> bool:
        return bool(self._visits)

    def add(self, visit: Visit, now: float) -> None:
        """Adds a visit."""
        if not self._visits:
            self._since = now
        self._visits.append(visit)
        self._bytes += _size(visit)
        self._urls += _count_urls(visit)
        if visit.reading and visit.reading.fingerprint and visit.state is State.STORED:
            self._fingerprints[visit.reading.fingerprint] = visit.fetch.claim.url
            for key in visit.reading.near:
                self._near[key].append(visit)

    def is_full(self, now: float, runs: int) -> bool:
        """Tells whether it is time for a commit, beside so many runs."""
        many = len(self._visits) >= BATCH_VISITS or self._bytes >= BATCH_BYTES or self._urls >= BATCH_URLS
        return many or now - self._since >= batch_seconds(runs)

    def take(self) -> list[Visit]:
        """Removes and returns all of them, to be committed now."""
        visits = self._visits
        self._visits, self._fingerprints = [], {}
        self._near.clear()
        self._bytes = self._urls = 0
        return visits

    def find(self, url: str) -> Visit | None:
        """Finds the visit of a URL, None when it is not among these."""
        return next((visit for visit in self._visits if visit.fetch.claim.url == url), None)

    def state_of(self, url: str) -> State | None:
        """Returns the state of a URL, None when it is not among these."""
        visit = self.find(url)
        return visit.state if visit else None

    def find_same_text(self, fingerprint: bytes, url: str) -> str:
        """Finds another URL with the same text, '' without one."""
        first = self._fingerprints.get(fingerprint, "")
        return "" if first == url else first

    def find_near(self, keys: Sequence[int], url: str) -> list[Page]:
        """Finds other pages that may be near duplicates, as engine.store.copies does: MOST_COMPARED at most,
        those first that share most keys; the last weighs as much as all.
        """
        sharing, weights = dict[str, Visit](), Counter[str]()
        for place, key in enumerate(keys, 1):
            for visit in self._near.get(key, ()):
                sharing[visit.fetch.claim.url] = visit
                weights[visit.fetch.claim.url] += len(keys) if place == len(keys) else 1
        del weights[url]
        return [page_of(sharing[other]) for other, _ in weights.most_common(MOST_COMPARED)]


def _size(visit: Visit) -> int:
    """Estimates the bytes that a visit takes until it is committed."""
    if visit.sitemap:
        return sum(len(one.loc) for one in (*visit.sitemap.entries, *visit.sitemap.sitemaps))
    return len(visit.reading.content) + sum(map(len, visit.reading.outlinks)) if visit.reading else 0


def _count_urls(visit: Visit) -> int:
    """Counts the URLs that a visit leads to."""
    if visit.sitemap:
        return len(visit.sitemap.entries) + len(visit.sitemap.sitemaps)
    return len(visit.reading.outlinks) if visit.reading else 0


def page_of(visit: Visit) -> Page:
    """Returns the page in a visit's reading."""
    assert visit.reading
    columns = {"language": visit.reading.language, "media_type": visit.reading.media_type}
    return unpack(visit.reading.content, {"url": visit.fetch.claim.url, **columns})
