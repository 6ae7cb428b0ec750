"""Answers what a page asks for while it is rendered: by the crawl's own requests, or not at all."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.errors import PageError
from engine.render.library import import_playwright
from engine.render.resource_cache import Resource
from engine.robots import MAX_REDIRECTS
from engine.url import canonicalize, host_of

if TYPE_CHECKING:
    from playwright.async_api import Frame, Request, Route

MAX_ASKED = 100  # scripts and data of one page, redirects and what the cache has included
MAX_REQUESTS = 500  # of one page, what is refused included
MAX_PAGE_BYTES = 32_000_000  # of the bodies that one page is given
MAX_ACCEPT = 256  # characters of a header Accept that a script sets
ASKED = frozenset({"script", "xhr", "fetch"})  # Chromium's kinds of resources that text may depend on
STYLES = "stylesheet"  # answered with nothing: scripts wait for them, text needs none
OTHER_HOST = "another host"  # a kind of PageError: one that the site does not name
_REDIRECTS = (301, 302, 303, 307, 308)
_KEPT = frozenset({"content-type", "x-content-type-options", "content-security-policy"})  # headers of answers
_OF_CORS = "access-control-"

Ask = Callable[[str, str], Awaitable[Resource]]
"""Asks for a canonical URL with a header Accept. Raises PageError, whose kind says what refuses it.

Who is cancelled ends once nothing of it is under way."""


@dataclass(frozen=True, slots=True)
class StaticPage:
    """A page as it came: its canonical URL, its header fields (names in lower case), its body unpacked."""

    url: str
    headers: tuple[tuple[str, str], ...]
    body: bytes


class PageRequests:
    """The requests of one page; `counts` has what became of them, by words of the summary."""

    def __init__(self, document: StaticPage, ask: Ask) -> None:
        self._document, self._ask = document, ask
        self._frame: Frame | None = None
        self._is_given = False
        self._is_closed = False
        self.total = self._bytes = 0  # requests so far, bytes given
        self._under_way: set[asyncio.Task[Resource]] = set()
        self.waiting = 0  # requests that have no answer yet
        self.asked = 0  # of these, what was asked for
        self.counts: Counter[str] = Counter()
        self.refused_hosts = dict[str, None]()  # OTHER_HOSTs, in their order

    def attach(self, frame: "Frame") -> None:
        """Names the frame that alone is answered: that of the page, not those inside it or beside it."""
        self._frame = frame

    async def handle(self, route: "Route") -> None:
        """Answers one request of the browser's."""
        self.waiting += 1
        try:
            answer = await self._answer(route.request)
        except PageError as error:
            self.counts[f"refused, {error.kind}"] += 1
            answer = None
        finally:
            self.waiting -= 1
        with suppress(import_playwright().Error):  # the page has gone meanwhile
            if answer is None:
                await route.abort("aborted")  # of a navigation: the page stays as it is
            else:
                await route.fulfill(status=answer.status, headers=_select_headers(answer), body=answer.body)

    async def close(self) -> None:
        """Begins no more requests; returns once those that were sent have ended."""
        self._is_closed = True
        for task in self._under_way:
            task.cancel()
        if self._under_way:
            await asyncio.wait(self._under_way)

    async def _answer(self, request: "Request") -> Resource:
        self.total += 1
        if self._is_closed or self.total > MAX_REQUESTS:
            raise PageError("too many requests")
        if not self._is_of_page(request):
            raise PageError("another frame")
        kind = request.resource_type
        if request.is_navigation_request():
            return self._give_document(request)
        if request.method != "GET":
            raise PageError("not GET")
        if kind == STYLES:
            return Resource(200, (("content-type", "text/css"),), b"")
        if kind not in ASKED:
            raise PageError("no text")
        return await self._fetch(request.url, request.headers.get("accept", "*/*"))

    def _is_of_page(self, request: "Request") -> bool:
        try:
            return request.frame == self._frame
        except import_playwright().Error:  # of a service worker, or a page that does not exist yet
            return False

    def _give_document(self, request: "Request") -> Resource:
        """Gives the page that was fetched, once: whoever navigates afterwards stays where he is."""
        if self._is_given:
            raise PageError("navigation")
        self._is_given = True
        return Resource(200, self._document.headers, self._document.body)

    async def _fetch(self, url: str, accept: str) -> Resource:
        """Follows redirects to an answer: the browser would follow them unseen."""
        accept = accept if len(accept) <= MAX_ACCEPT and accept.isprintable() else "*/*"
        for _ in range(MAX_REDIRECTS):
            url = _canonical(url, self._document.url)
            resource = await self._ask_once(url, accept)
            if resource.status not in _REDIRECTS or not (target := resource.header("location")):
                self._bytes += len(resource.body)
                if self._bytes > MAX_PAGE_BYTES:
                    raise PageError("too large")
                return resource
            url = _canonical(target, url)
        raise PageError("redirect loop")

    async def _ask_once(self, url: str, accept: str) -> Resource:
        self.asked += 1
        if self._is_closed or self.asked > MAX_ASKED:
            raise PageError("too many requests")
        task = asyncio.ensure_future(self._ask(url, accept))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        await asyncio.wait([task])
        if task.cancelled():
            raise PageError("too late")
        error = task.exception()
        if isinstance(error, PageError) and error.kind == OTHER_HOST:
            self.refused_hosts[host_of(url)] = None
        return task.result()


def _canonical(url: str, base: str) -> str:
    try:
        return canonicalize(url, base)
    except ValueError as error:
        raise PageError("no URL") from error


def _select_headers(resource: Resource) -> dict[str, str]:
    """Selects the headers by which a browser judges an answer; those of connections and cookies are not."""
    names = dict.fromkeys(name for name, _ in resource.headers if name in _KEPT or name.startswith(_OF_CORS))
    return {name: resource.header(name) for name in names}
