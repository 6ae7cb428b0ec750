"""Chooses the URL that represents a page: its owner's rel=canonical, or the first with the same text."""

from collections import Counter, OrderedDict
from collections.abc import Sequence
from dataclasses import replace

import sqlalchemy as sa

from engine.crawl.discovery import Discovery
from engine.crawl.pending import PendingVisits, page_of
from engine.crawl.permissions import Permissions
from engine.frontier import Frontier
from engine.model import COPY, NEAR_COPY, State, Visit
from engine.store import (
    LEAVING,
    TWIN,
    Store,
    find_fingerprint,
    find_near_duplicates,
    find_representative,
    find_shared,
    requeue_copies,
)
from engine.text.duplicates import are_near_duplicates
from engine.url import host_of, registrable_domain

MAX_COPIED = 4_096  # pages copied by other owners that are remembered, the latest; 1 MB, at most 20


class CanonicalChoice:
    """Chooses among the pages in the database and those on their way into it."""

    def __init__(
        self,
        store: Store,
        discovery: Discovery,
        frontier: Frontier,
        permissions: Permissions,
        pending: PendingVisits,
    ) -> None:
        self._store = store
        self._discovery = discovery
        self._permissions = permissions
        self._pending = pending
        self._frontier = frontier
        self._leading: OrderedDict[tuple[str, str], str] = OrderedDict()  # by owner and what he has a copy of

    def keep_apart(self, visit: Visit) -> Visit:
        """Keeps a page apart from equal ones that others may see: none of them is its copy."""
        audiences = self._discovery.sites.audiences
        if not visit.reading or not audiences.rules:
            return visit
        return replace(visit, reading=audiences.seal(visit.reading, visit.fetch.claim.url))

    def apply_canonical(self, visit: Visit) -> Visit:
        """Makes a visit an alias when its owner prefers a URL that may represent it (requirement 226)."""
        url = visit.reading.canonical if visit.reading and visit.state is State.STORED else ""
        sites = self._discovery.sites
        url = sites.aliases.resolve(url) if url else ""
        own = visit.fetch.claim.url
        if url in ("", own) or sites.refusal(url) or self._permissions.forbids(url):
            return visit
        if sites.audiences.are_apart(url, own):
            return visit
        if self._pending.state_of(url) not in (None, State.STORED) or not self._store.may_represent(url):
            return visit
        reading = visit.reading.strip() if visit.reading else None
        return replace(visit, state=State.ALIAS, reason="canonical", target=url, reading=reading)

    def apply_duplicate(self, visit: Visit) -> Visit:
        """Makes a visit an alias when another URL has the same text, or nearly so (requirements 55, 58)."""
        if not _fingerprint(visit):
            return visit
        return self._as_copy(self._store.lookup, visit, self._pending)

    def apply_known_copy(self, visit: Visit, original: str) -> Visit:
        """Makes a visit an alias of the page whose copy it is known to be; where that is not there, or for
        others to see, of one that it is like.
        """
        text, url, first = _fingerprint(visit), visit.fetch.claim.url, self._pending.find(original)
        found = _fingerprint(first) if first else find_fingerprint(self._store.lookup, original)
        if not text or not found or self._discovery.sites.audiences.are_apart(original, url):
            return self.apply_duplicate(visit)
        return self._as_alias(visit, original, COPY if found == text else NEAR_COPY)

    def recheck_duplicates(self, connection: sa.Connection, visits: Sequence[Visit]) -> list[Visit]:
        """Makes visits aliases where another run has stored the same text meanwhile."""
        texts = {one.fetch.claim.url_id: text for one in visits if (text := _fingerprint(one))}
        near = {one.fetch.claim.url_id: one.reading.near if one.reading else () for one in visits}
        shared = find_shared(connection, texts, near)
        return [
            self._as_copy(connection, one, PendingVisits()) if one.fetch.claim.url_id in shared else one
            for one in visits
        ]

    def requeue_copies_of_departed(self, connection: sa.Connection, visits: Sequence[Visit]) -> None:
        """Queues the copies of pages that have just left: one may take their place."""
        left = [
            visit.fetch.claim.url_id for visit in visits if visit.state in LEAVING and visit.reason != TWIN
        ]
        back = requeue_copies(connection, left) if left else []
        for host, number in Counter(map(host_of, back)).items():
            self._frontier.record_requeued(connection, host, number)

    def _as_copy(self, connection: sa.Connection, visit: Visit, pending: PendingVisits) -> Visit:
        """Makes a visit the copy that it is of one in the database or pending."""
        fingerprint, url = _fingerprint(visit), visit.fetch.claim.url
        if same := pending.find_same_text(fingerprint, url) or find_representative(
            connection, fingerprint, url
        ):
            return self._as_alias(visit, same, COPY)
        keys = visit.reading.near if visit.reading else ()
        candidates = (
            [*find_near_duplicates(connection, keys, url), *pending.find_near(keys, url)] if keys else []
        )
        page = page_of(visit) if candidates else None
        first = next((one.url for one in candidates if page and are_near_duplicates(one, page)), "")
        return self._as_alias(visit, first, NEAR_COPY)

    def _as_alias(self, visit: Visit, first: str, reason: str) -> Visit:
        """Makes a visit the alias of another URL, unless that is about to leave for its twin.

        The links of another owner's copy are crawled: he may be the one who was copied. Those of one only, of
        several that say the same: who answers so at every address would have no end.
        """
        if not first or self._discovery.aliases.twin_of(first):
            return visit
        assert visit.reading
        left = visit.reading if self._follows_links(visit, first) else replace(visit.reading, outlinks=())
        return replace(visit, state=State.ALIAS, reason=reason, target=first, reading=left)

    def _follows_links(self, visit: Visit, first: str) -> bool:
        """Tells whether the links of this copy are crawled."""
        url = visit.fetch.claim.url
        copied = registrable_domain(url), first
        if registrable_domain(first) == copied[0]:
            return False
        leading = self._leading.setdefault(copied, url)
        self._leading.move_to_end(copied)
        if len(self._leading) > MAX_COPIED:
            self._leading.popitem(last=False)
        return leading == url


def _fingerprint(visit: Visit) -> bytes:
    """Returns the fingerprint of a page to be stored, b'' without one."""
    return visit.reading.fingerprint if visit.reading and visit.state is State.STORED else b""
