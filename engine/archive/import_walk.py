"""Decides about captures as a crawl does about visits, and commits them; nothing is requested."""

import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from engine.archive.archived_robots import ArchivedRobots
from engine.archive.capture_index import CaptureIndex
from engine.archive.fetches import DEPTH
from engine.audience import read_audience_rules
from engine.config import Config
from engine.crawl import Limits, apply_directives, build_components, classify_response
from engine.database import connect_to_read, write_transaction
from engine.frontier import NewUrl, Sites, insert_unasked, load_stored_urls
from engine.model import Fetch, State, Visit
from engine.store import LEAVING, Store, requeue_copies
from engine.url import Aliases


@dataclass(frozen=True, slots=True)
class ArchivedUrls(Sites):
    """What an archive has, as the scope of an import: who redirects or prefers another URL may mean these."""

    has: Callable[[str], bool] = lambda url: False

    def refusal(self, url: str) -> str:
        """Returns '' for a URL of the archive, else the name of this rule."""
        return "" if self.has(url) else "not in the archive"


class ImportWalk:
    """The decisions about captures. `own`: robots.txt and noindex do not count."""

    def __init__(
        self, store: Store, captures: CaptureIndex, config: Config, aliases: Aliases, *, own: bool
    ) -> None:
        self._store, self._captures, self._own = store, captures, own
        self._robots = ArchivedRobots(captures, store, config, aliases)
        audiences = read_audience_rules(config)
        sites = ArchivedUrls((), aliases=aliases, has=captures.has, audiences=audiences)
        self._parts = build_components(store, sites, Limits(), time.time, random.random, Counter())
        self._walk = self._parts.build_walk()

    def find_older(self, wanted: Sequence[tuple[str, float]]) -> set[str]:
        """Finds those of the URLs, with the times of their captures, that were visited as late or later."""
        with connect_to_read(self._store.engine) as connection:
            stored = load_stored_urls(connection, [url for url, _ in wanted])
        return {
            url for url, at in wanted if url in stored and (stored[url].visited_at or float("-inf")) >= at
        }

    def begin(self, fetch: Fetch) -> Visit:
        """Makes a visit of a capture; of one that robots.txt forbids there is nothing to be read."""
        refused = None if self._own else self._robots.refusal(fetch.claim.url, fetch.at)
        if refused:
            reason = "robots.txt" if refused is State.DISALLOWED else "noindex"
            return Visit(replace(fetch, body=b"", unpacked=fetch.size), refused, reason=reason)
        return classify_response(fetch)

    def commit(self, visits: Sequence[Visit]) -> list[Visit]:
        """Decides about visits and saves them, in one transaction; returns them as they were saved."""
        now, parts = time.time(), self._parts
        decided = [self._decide(visit, now) for visit in visits]
        parts.pending.take()
        with write_transaction(self._store.engine) as connection:
            parts.permissions.reload_blocklist(connection)
            kept = [one for one in decided if not parts.permissions.is_removed(one.fetch.claim.url)]
            ids = insert_unasked(connection, [NewUrl(one.fetch.claim.url, DEPTH) for one in kept], now)
            numbered = [_with_id(one, ids[one.fetch.claim.url].id) for one in kept]
            self._store.save(connection, numbered)
            parts.quarantine.record_visits(connection, numbered)
            left = [one.fetch.claim.url_id for one in numbered if one.state in LEAVING]
            requeue_copies(connection, left)
        return numbered

    def _decide(self, visit: Visit, now: float) -> Visit:
        if visit.reading and self._own:
            directives = replace(visit.reading.directives, index=True)
            visit = replace(visit, reading=replace(visit.reading, directives=directives))
        visit = apply_directives(visit, indexable=True)
        visit = self._walk.canonical(self._walk.quarantine(visit))
        visit = self._parts.discovery.check_redirect(self._fingerprint(visit))
        self._parts.pending.add(visit, now)
        return visit

    def _fingerprint(self, visit: Visit) -> Visit:
        """Makes a copy an alias. Whose copy it is, one's own archive may say: by its pages alone, in their
        order, others of nearly equal ones would be chosen.
        """
        fetch = visit.fetch
        original = self._captures.find_original(fetch.claim.url, fetch.at) if self._own else None
        if original is None:
            return self._walk.fingerprint(visit)
        return self._parts.canonical_choice.apply_known_copy(visit, original) if original else visit


def _with_id(visit: Visit, number: int) -> Visit:
    return replace(visit, fetch=replace(visit.fetch, claim=replace(visit.fetch.claim, url_id=number)))
