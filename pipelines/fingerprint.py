"""Fingerprint: a page whose text we have under another URL becomes an alias (requirement 55)."""

from dataclasses import replace

from engine.page import State, Visit
from pipelines import Station


class Fingerprint(Station):
    """Finds the URL that stands for a copy."""

    def process_item(self, visit: Visit) -> Visit:
        """The visit; without its reading once it is an alias, so that its links are not crawled."""
        if visit.state is not State.STORED or not (visit.reading and visit.reading.fingerprint):
            return visit
        first = self.crawl.representative(visit.reading.fingerprint, visit.fetch.claim.url)
        if not first:
            return visit
        return replace(visit, state=State.ALIAS, reason="duplicate", target=first, reading=None)
