"""Detects soft 404s: hosts that say "not found" in a page of status 200 (requirement 81).

Such pages have one shape (engine.text.duplicates). A host that shows the same shape under three URLs is
asked, once a run, for a page that cannot exist: lycosa- and 16 hex digits, in the folder of the third. If
it answers with a page, pages of that shape are not there; if it says 404, what looked alike are pages.
The question goes through the frontier, so robots.txt, the host's pause and all limits hold for it.

Never taken away are seeds, a host's root, and the page to which a host sends who asks for what is not there.
"""

import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import sqlalchemy as sa

from engine.database import connect_to_read
from engine.frontier import Frontier, Sites, Suspects
from engine.model import Claim, Origin, Purpose, State, Visit
from engine.store import DAY, ErrorPage, drop_pages, load_error_page, save_error_page
from engine.url import host_of

REASON = "soft 404"
MIN_URLS = 3  # URLs of one shape; as many pages of an honest host as may look alike unasked
MAX_SHAPES = 10_000  # under observation, of all hosts together; some 5 MB
MAX_SUSPECTED = 32  # URLs of one host that leave when its answer comes; the others at their next visit
TRUSTED_SECONDS = 30 * DAY  # so long an answer holds; then the host is asked again
DIGITS = 8  # octets, two hex digits each


@dataclass(slots=True)
class _Probe:
    """The URL that a host was asked for, which cannot exist."""

    shape: bytes
    suspected: set[int] = field(default_factory=set)  # ids of URLs that have shown it


class Soft404Detector:
    """The known error pages of all hosts. Times are seconds since 1970."""

    def __init__(
        self,
        database: sa.Engine,
        frontier: Frontier,
        suspects: Suspects,
        sites: Callable[[], Sites],
        apply_duplicate: Callable[[Visit], Visit],
    ) -> None:
        """`apply_duplicate` makes a copy the alias of the page that represents it."""
        self._database = database
        self._frontier = frontier
        self._suspects = suspects
        self._sites = sites
        self._apply_duplicate = apply_duplicate
        self._error_pages: dict[str, ErrorPage | None] = {}  # of earlier runs and this one, by host
        self._probes: dict[str, _Probe] = {}  # by host; each once a run
        self._shapes: OrderedDict[tuple[str, bytes], set[int]] = OrderedDict()  # ids of URLs, the latest last

    def check(self, visit: Visit) -> Visit:
        """Marks a visit as gone when its page is the host's error page."""
        claim, reading = visit.fetch.claim, visit.reading
        if (
            visit.state is not State.STORED
            or claim.kind is not Purpose.PAGE
            or not (reading and reading.shape)
        ):
            return visit
        answer = self._load_error_page(claim.host)
        if answer is None or answer.shape != reading.shape:
            self._observe(claim, reading.shape)
            return visit
        if answer.at + TRUSTED_SECONDS < visit.fetch.at:
            self._probe(claim, reading.shape)
        if claim.depth == 0 or self._is_exempt(claim.url, answer):
            return visit
        if answer.url and self._apply_duplicate(visit).target == answer.url:
            return visit  # a copy of a page that stays
        self._suspects.add_sighting(REASON, claim.url)
        return replace(visit, state=State.GONE, reason=REASON, reading=None)

    def record_probe(self, connection: sa.Connection, visit: Visit) -> None:
        """Records a host's response for a page that cannot exist."""
        claim = visit.fetch.claim
        question = self._probes[claim.host]
        if visit.reason == "redirect" and visit.state is State.ALIAS:
            if host_of(visit.target) == claim.host:  # another host's pages are its own affair
                self._frontier.add_probe(replace(claim, url=visit.target, hops=claim.hops + 1))
            return
        shape = visit.reading.shape if visit.reading else b""
        if visit.state is State.GONE:
            self._save(connection, claim.host, None)
        elif shape == question.shape or (shape and not claim.hops):
            page = claim.url if claim.hops else ""
            self._save(connection, claim.host, ErrorPage(shape, page, visit.fetch.at))
        if shape and shape == question.shape:
            self._drop_suspected(connection, claim.host, question)

    def _drop_suspected(self, connection: sa.Connection, host: str, question: _Probe) -> None:
        """Drops the pages that led to the probe."""
        answer = self._error_pages[host]
        assert answer
        left = drop_pages(connection, question.suspected, REASON, lambda url: self._is_exempt(url, answer))
        for url in left:
            self._suspects.add_sighting(REASON, url)

    def _save(self, connection: sa.Connection, host: str, answer: ErrorPage | None) -> None:
        if answer != self._error_pages.get(host):
            save_error_page(connection, host, answer)
        self._error_pages[host] = answer

    def _is_exempt(self, url: str, answer: ErrorPage) -> bool:
        return url in (answer.url, f"{host_of(url)}/") or url in self._sites().seeds

    def _observe(self, claim: Claim, shape: bytes) -> None:
        """Counts the URLs of a shape, and probes the host when there are enough."""
        if question := self._probes.get(claim.host):
            if shape == question.shape and len(question.suspected) < MAX_SUSPECTED:
                question.suspected.add(claim.url_id)
            return
        seen = self._shapes.setdefault((claim.host, shape), set())
        self._shapes.move_to_end((claim.host, shape))
        seen.add(claim.url_id)
        if len(seen) >= MIN_URLS:
            self._probe(claim, shape)
        elif len(self._shapes) > MAX_SHAPES:
            self._shapes.popitem(last=False)

    def _probe(self, claim: Claim, shape: bytes) -> None:
        if claim.host in self._probes:
            return
        self._probes[claim.host] = _Probe(shape, self._shapes.pop((claim.host, shape), set()))
        kind, origin = Purpose.PROBE, Origin.CRAWL
        url = make_unused_url(claim.url)
        self._frontier.add_probe(Claim(0, url, claim.host, depth=claim.depth, kind=kind, origin=origin))

    def _load_error_page(self, host: str) -> ErrorPage | None:
        if host not in self._error_pages:
            with connect_to_read(self._database) as connection:
                self._error_pages[host] = load_error_page(connection, host)
        return self._error_pages[host]


def make_unused_url(url: str) -> str:
    """Makes a random URL in the same folder, which cannot exist."""
    folder = url.partition("?")[0].rpartition("/")[0]
    return f"{folder}/lycosa-{secrets.token_hex(DIGITS)}"
