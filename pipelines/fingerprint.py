"""Fingerprint: a page whose text we have under another URL becomes an alias (requirement 55)."""

from dataclasses import replace

from engine.page import State, Visit
from engine.text import fingerprint
from pipelines import Station


class Fingerprint(Station):
    """Gives a visit its fingerprint, or the URL that stands for it."""

    def process_item(self, visit: Visit) -> Visit:
        """The visit with its fingerprint; without a page once it is an alias."""
        if visit.state is not State.STORED or not visit.page:
            return visit
        digest = fingerprint(visit.page)
        if digest and (first := self.crawl.representative(digest, visit.fetch.claim.url)):
            return replace(visit, state=State.ALIAS, reason="duplicate", target=first, page=None)
        return replace(visit, fingerprint=digest)
