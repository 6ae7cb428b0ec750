"""Renders the pages of sites that ask for it, and leaves out those that are empty without their scripts."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from itertools import islice

from engine.crawl import page_of
from engine.errors import PageError
from engine.formats import HTML
from engine.model import UNASKED, UNDRAWN, Claim, Origin, Purpose, Reading, State, Visit
from engine.render.browser import BROWSER_ENDED, Chromium
from engine.render.host_turns import HostTurns
from engine.render.page_load import load_page
from engine.render.page_requests import PageRequests, StaticPage
from engine.render.resource_cache import Resource
from engine.render.sparse_page import MAX_PACKED, has_scripts, is_empty, is_sparse
from engine.url import host_of

AT_ONCE = 4  # pages; each is a process of some 100 MB, and most wait for their hosts
MAX_NAMED = 5  # hosts of a page that are named, as it is empty without them
MAX_FAILED = 5  # pages of a host in a row; then no page of it is rendered in this run
_VALIDATORS = frozenset({"etag", "last-modified"})  # of the shell: what scripts draw changes without it
_NOT_OF_TEXT = frozenset({"content-type", "content-length", "content-encoding", *_VALIDATORS})

HeaderFields = Sequence[tuple[str, str]]
AskHost = Callable[[Claim, str], Awaitable[Resource]]
ReadDrawn = Callable[[bytes, Claim, HeaderFields], Awaitable[Reading]]


class Rendering:
    """Decides which pages are rendered, and has them drawn and read.

    `mode_of` gives the word of crawl.toml for a URL. `ask` makes requests for a page, `read` reads HTML in a
    sandboxed process, `count` counts into the summary.
    """

    def __init__(
        self,
        chromium: Chromium | None,
        turns: HostTurns,
        mode_of: Callable[[str], str],
        ask: AskHost,
        read: ReadDrawn,
        count: Callable[[str, int], object],
    ) -> None:
        self._chromium, self._turns, self._mode_of = chromium, turns, mode_of
        self._ask, self._read, self._count = ask, read, count
        self._failed: Counter[str] = Counter()  # pages in a row, by host
        self._room = asyncio.Semaphore(AT_ONCE)

    async def apply(self, visit: Visit, unpack: Callable[[], bytes]) -> Visit:
        """Returns a visit with what its page is after its scripts; `unpack` gives the body that came."""
        reading, kind = visit.reading, visit.fetch.claim.kind
        if not reading or reading.media_type != HTML or kind not in (Purpose.PAGE, Purpose.PROBE):
            return visit
        mode = self._mode_of(visit.fetch.claim.url) if self._chromium else "never"
        if not _may_need_scripts(visit, reading, mode) or not has_scripts(body := unpack()):
            return visit
        # Whoever wants no entry for the page, or sends its readers elsewhere, need not be asked for more.
        if mode == "never" or not reading.directives.index or reading.moved_to:
            return _without_empty(visit, reading)
        host = visit.fetch.claim.host
        if self._failed[host] >= MAX_FAILED:
            self._count("rendering failed: its host was given up", 1)
            return _without_empty(visit, reading)
        try:
            made = await self._try_twice(visit, reading, body)
        except PageError as error:
            self._count(f"rendering failed: {error.kind}", 1)
            if error.kind == BROWSER_ENDED and is_empty(reading):
                return replace(visit, state=State.FAILED, reason="rendering failed", again=True, reading=None)
            self._failed[host] += 1
            return _without_empty(visit, reading)
        self._failed.pop(host, None)
        return made

    async def close(self) -> None:
        """Ends the browser."""
        if self._chromium:
            await self._chromium.close()

    async def _try_twice(self, visit: Visit, reading: Reading, body: bytes) -> Visit:
        """Renders a page, once more where the browser ended. Raises PageError.

        What ended it was another page, more likely than not, or the kernel.
        """
        try:
            return await self._render(visit, reading, body)
        except PageError as error:
            if error.kind != BROWSER_ENDED:
                raise
            self._count("rendering: a browser was started again", 1)
            return await self._render(visit, reading, body)

    async def _render(self, visit: Visit, before: Reading, body: bytes) -> Visit:
        """Renders a page. Raises PageError where that fails."""
        claim, headers = visit.fetch.claim, tuple(visit.fetch.headers)
        html, refused = await self._draw(claim, StaticPage(claim.url, headers, body))
        kept = [(name, value) for name, value in headers if name not in _NOT_OF_TEXT]
        kept.append(("x-robots-tag", before.directives.as_header()))  # the stricter of both holds
        reading = await self._read(html.encode("utf-8", "replace"), claim, kept)
        self._count("rendered", 1)
        return _without_empty(_without_validators(visit), reading, refused)

    async def _draw(self, claim: Claim, document: StaticPage) -> tuple[str, Iterable[str]]:
        """Returns the HTML of a page, and the hosts that it was not let ask. Raises PageError."""
        assert self._chromium
        requests = PageRequests(document, lambda url, accept: self._ask(_resource(claim, url), accept))
        async with self._turns.hold(claim), self._room:
            try:
                async with self._chromium.open_page() as page:
                    return await load_page(page, document, requests), requests.refused_hosts
            finally:
                await requests.close()
                for what, number in requests.counts.items():
                    self._count(f"rendering: {what}", number)


def _may_need_scripts(visit: Visit, reading: Reading, mode: str) -> bool:
    """Tells whether a page's text is such that a mode asks for its scripts, or leaves it out without them."""
    if mode == "always" or is_empty(reading):
        return True
    return mode == "auto" and len(reading.content) <= MAX_PACKED and is_sparse(page_of(visit))


def _resource(page: Claim, url: str) -> Claim:
    """Makes the claim of what a page asks for."""
    return Claim(0, url, host_of(url), referrer=page.url, kind=Purpose.RESOURCE, origin=Origin.RENDERING)


def _without_empty(visit: Visit, reading: Reading, refused: Iterable[str] = ()) -> Visit:
    """Returns a visit with this reading; a page without text is not kept, but its links are followed."""
    visit = replace(visit, reading=reading)
    if not is_empty(reading) or visit.fetch.claim.kind is not Purpose.PAGE:
        return visit
    names = ", ".join(host.partition("://")[2] for host in islice(refused, MAX_NAMED))
    reason = f"{UNASKED}: {names}" if names else UNDRAWN
    return replace(_without_validators(visit), state=State.SKIPPED, reason=reason)


def _without_validators(visit: Visit) -> Visit:
    """Returns a visit whose page is asked for anew next time, whole."""
    headers = tuple(pair for pair in visit.fetch.headers if pair[0] not in _VALIDATORS)
    return replace(visit, fetch=replace(visit.fetch, headers=headers))
