"""Read and META gate: bytes become a page, once, and its owner's wish counts before anything is kept."""

from dataclasses import replace

from engine.errors import PageError
from engine.page import State, Visit
from engine.text import read


class Read:
    """Pipeline station: gives a visit its page, or the reason why there is none."""

    def process_item(self, visit: Visit) -> Visit:
        """The visit with its page."""
        if visit.state is not State.STORED or visit.unchanged:
            return visit
        fetch = visit.fetch
        try:
            page = read(fetch.body, fetch.claim.url, fetch.header("content-type"), fetch.headers)
        except PageError as error:
            return replace(visit, state=State.SKIPPED, reason=error.kind)
        if not page.directives.index:
            # Kept for its links alone: the store writes no text of it.
            return replace(visit, state=State.NOINDEX, reason="noindex", page=page)
        return replace(visit, page=page)
