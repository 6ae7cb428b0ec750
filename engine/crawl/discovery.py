"""Collects the URLs that a visit leads to: links, redirects, entries of sitemaps and feeds."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from engine.frontier import NewUrl, SeenUrls, Sites, Suspects
from engine.model import COPIES, Claim, Purpose, State, Visit
from engine.robots import Entry
from engine.store import TWIN
from engine.url import Aliases, host_of

# Sitemaps go before pages, and before their child maps; child maps have no children (requirement 249).
SITEMAP_DEPTH, CHILD_DEPTH = -2, -1
LISTED_DEPTH = 1  # of a page that a sitemap or a feed names
NEWS_PRIORITY = 1.0  # of a page that a feed names: it is the newest of its site
FOLLOWED_ALIASES = (
    "redirect",
    "canonical",
    TWIN,
)  # reasons of an alias whose target is to be visited in its place


class Discovery:
    """Selects the URLs to crawl. `sites` grows when a seed moves to another host.

    `exact_seen`: the database is asked about every link, whatever we remember of it (requirement 23).
    """

    def __init__(self, sites: Sites, max_depth: int, suspects: Suspects, *, exact_seen: bool = False) -> None:
        self.sites = sites
        self._max_depth = max_depth
        self._suspects = suspects
        self._seen = SeenUrls(exact=exact_seen)

    @property
    def aliases(self) -> Aliases:
        """The spellings of URLs that are known so far; twins are found meanwhile."""
        return self.sites.aliases

    def new_urls(self, visits: Iterable[Visit]) -> Iterator[NewUrl]:
        """Collects the URLs of these visits that are in scope and not certainly known."""
        for visit in visits:
            claim = visit.fetch.claim
            if visit.target and visit.reason in FOLLOWED_ALIASES:
                yield NewUrl(
                    visit.target, claim.depth, claim.url_id, claim.hops + 1, claim.kind, turn=claim.turn
                )
            elif visit.sitemap:
                yield from self._from_entries(claim, visit.sitemap.entries)
                yield from self._from_child_sitemaps(claim, visit.sitemap.sitemaps)
            elif visit.reading and (visit.state is not State.ALIAS or visit.reason in COPIES):
                yield from self._from_links(claim, visit.reading.outlinks)

    def is_own(self, host: str) -> bool:
        """Tells whether a host is the operator's."""
        return self.sites.is_own(host)

    def count_inlinks(self, url: str) -> int:
        """Counts the pages of this crawl that link to a URL, as far as they are remembered."""
        return self._seen.count_inlinks(url)

    def check_redirect(self, visit: Visit) -> Visit:
        """Returns the visit if its target may be followed: a redirect out of scope only from a seed."""
        if not visit.target or visit.reason not in FOLLOWED_ALIASES:
            return visit
        claim = visit.fetch.claim
        if claim.kind is Purpose.SITEMAP:  # it speaks for its own host
            return visit if visit.target.startswith(f"{claim.host}/") else _skip(visit, "other host")
        if claim.kind is Purpose.FEED:
            admitted = self.sites.admits(host_of(visit.target))
            return visit if admitted else _skip(visit, "redirect out of scope")
        visit = self._resolve_target(visit)
        if not self.sites.refusal(visit.target):
            return visit
        if claim.depth == 0:  # a seed: its site moves along
            moved = self.sites.with_moved_seed(claim.url, visit.target)
            if not moved.refusal(visit.target):
                self.sites = moved
                return visit
        return _skip(visit, "redirect out of scope")

    def _resolve_target(self, visit: Visit) -> Visit:
        """The visit with its target as the operator spells it.

        A server that sends us back to a spelling it was to be spared knows better: else the page is lost.
        """
        target = self.aliases.resolve(visit.target)
        return visit if target == visit.fetch.claim.url else replace(visit, target=target)

    def _from_links(self, claim: Claim, outlinks: Iterable[str]) -> Iterator[NewUrl]:
        if self._is_too_deep(claim.depth + 1):
            self._suspects.count_refused("links", "depth", claim.url)
            return
        for written in outlinks:
            if self._seen.add_link(written):
                continue
            url = self.aliases.resolve(written)
            if url != written and self._seen.add_link(url):
                continue
            if self._admits(url, "links"):
                yield NewUrl(url, claim.depth + 1, claim.url_id, turn=claim.turn)

    def _from_entries(self, claim: Claim, entries: Iterable[Entry]) -> Iterator[NewUrl]:
        if self._is_too_deep(LISTED_DEPTH):
            return
        of_feed = claim.kind is Purpose.FEED
        for entry in entries:
            url, priority = self.aliases.resolve(entry.loc), NEWS_PRIORITY if of_feed else entry.priority
            if self._admits(url, "feed items" if of_feed else "sitemap entries"):
                yield NewUrl(url, LISTED_DEPTH, claim.url_id, priority=priority, turn=claim.turn)

    def _from_child_sitemaps(self, claim: Claim, children: Iterable[Entry]) -> Iterator[NewUrl]:
        for child in children:
            if claim.depth != SITEMAP_DEPTH:
                self._suspects.count_refused(f"{claim.kind}s", "an index in an index", child.loc)
            elif claim.kind is Purpose.FEED and not self.sites.admits(host_of(child.loc)):
                self._suspects.count_refused("feeds", "scope", child.loc)
            else:
                yield NewUrl(child.loc, CHILD_DEPTH, claim.url_id, kind=claim.kind, turn=claim.turn)

    def _admits(self, url: str, what: str) -> bool:
        rule = self.sites.refusal(url)
        if rule:  # of other hosts it is no matter of ours how their URLs look
            self._suspects.count_refused(what, self.sites.refuse_scope(url) or rule, url)
        else:
            self._suspects.check_length(url)
        return not rule

    def _is_too_deep(self, depth: int) -> bool:
        return depth > self._max_depth


def _skip(visit: Visit, reason: str) -> Visit:
    return replace(visit, state=State.SKIPPED, reason=reason, target="")
