"""Loads one page in Chromium until it is quiet, and reads it: in bounded time, whatever its scripts do."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from engine.errors import PageError
from engine.render.library import import_playwright
from engine.render.page_requests import PageRequests, StaticPage
from engine.text.html import MAX_TREES

if TYPE_CHECKING:
    from playwright.async_api import Page

BROWSER_SECONDS = 15.0  # of a page's own; what it waits for answers, at their hosts' pace, is not counted
WHOLE_SECONDS = 300.0  # of a page with all it waits for: sixty requests, five seconds apart
QUIET_SECONDS = 0.5  # without a request, after which a page has said what it has to say
LOOK_SECONDS = 0.05
READ_SECONDS = 5.0  # to read the page at the end; longer takes only one whose scripts never stop
MAX_HTML = 10 * 1024 * 1024  # characters; as DOWNLOAD_MAXSIZE has it in bytes

TOO_LONG, CRASHED = "it took too long", "it crashed"  # kinds of PageError
# Windows are of no use to a page that nobody sees. That there is no network it need not know.
_BEFORE_SCRIPTS = (
    "window.open = () => null; window.print = () => {};"
    "Object.defineProperty(Navigator.prototype, 'onLine', {get: () => true});"
)
# As outerHTML has it, with open shadow trees as TEMPLATE elements; since Chromium 125.
_READ = f"""
(() => {{
  const page = document.documentElement, trees = [], waiting = [document];
  while (waiting.length) {{
    for (const {{shadowRoot}} of waiting.pop().querySelectorAll('*')) {{
      if (!shadowRoot || trees.length >= {MAX_TREES}) continue;
      trees.push(shadowRoot);
      waiting.push(shadowRoot);
    }}
  }}
  if (!page || !trees.length || !page.getHTML) return page ? page.outerHTML.slice(0, {MAX_HTML}) : '';
  const start = page.cloneNode().outerHTML.replace(/<\\/[^>]*>$/, '');
  return (start + page.getHTML({{shadowRoots: trees}})).slice(0, {MAX_HTML});
}})()
"""

Evaluate = Callable[[str], Awaitable[str]]


class TimeBudget:
    """Counts the seconds of a page's own; `is_waiting` tells whether it waits for us."""

    def __init__(self, is_waiting: Callable[[], bool], clock: Callable[[], float] = time.monotonic) -> None:
        self._is_waiting, self._clock = is_waiting, clock
        self._began = self._last = clock()
        self._used = 0.0

    @property
    def is_over(self) -> bool:
        """Whether the page has had its time; to be asked often."""
        now = self._clock()
        if not self._is_waiting():
            self._used += now - self._last
        self._last = now
        return self._used > BROWSER_SECONDS or now - self._began > WHOLE_SECONDS


async def load_page(page: "Page", document: StaticPage, requests: PageRequests) -> str:
    """Loads a document that was fetched into an empty page; returns its HTML once scripts have drawn it.

    Raises PageError for one that never got so far.
    """
    crashed = asyncio.Event()
    page.on("crash", lambda _: crashed.set())
    page.context.on("page", lambda other: asyncio.ensure_future(_close(other)) if other != page else None)
    await page.add_init_script(_BEFORE_SCRIPTS)
    requests.attach(page.main_frame)
    await page.context.route("**/*", requests.handle)
    budget = TimeBudget(lambda: requests.waiting > 0)
    loading = asyncio.ensure_future(_load(page, document.url))
    try:
        await _until(loading.done, budget, crashed)
        if not loading.done():
            raise PageError(TOO_LONG)
        evaluate = await loading
        await _settle(requests, budget, crashed)
        async with asyncio.timeout(READ_SECONDS):
            return f"<!DOCTYPE html>{await evaluate(_READ)}"
    except TimeoutError as error:
        raise PageError(TOO_LONG) from error
    finally:
        loading.cancel()


async def _load(page: "Page", url: str) -> Evaluate:
    """Loads a page until all of it is there, images apart; returns what evaluates expressions in it.

    These see the page as it is, where no script of its own can tell them another. Playwright's events would
    not do: there is none of a page that tries to leave before it is complete.
    """
    await page.goto(url, wait_until="commit", timeout=0)
    session = await page.context.new_cdp_session(page)
    tree = await session.send("Page.getFrameTree")
    world = await session.send("Page.createIsolatedWorld", {"frameId": tree["frameTree"]["frame"]["id"]})

    async def evaluate(expression: str) -> str:
        given = {"contextId": world["executionContextId"], "returnByValue": True}
        answer = await session.send("Runtime.evaluate", {"expression": expression, **given})
        return str(answer["result"].get("value", ""))

    while await evaluate("document.readyState") == "loading":
        await asyncio.sleep(LOOK_SECONDS)
    return evaluate


async def _until(done: Callable[[], bool], budget: TimeBudget, crashed: asyncio.Event) -> None:
    """Waits for something, or for the end of the page's time. Raises PageError when it crashes."""
    while not (done() or budget.is_over):
        if crashed.is_set():
            raise PageError(CRASHED)
        await asyncio.sleep(LOOK_SECONDS)


async def _settle(requests: PageRequests, budget: TimeBudget, crashed: asyncio.Event) -> None:
    """Waits until the page has been quiet for a while; one that never is has its time all the same."""
    loop = asyncio.get_running_loop()
    last, since = requests.total, loop.time()

    def is_quiet() -> bool:
        nonlocal last, since
        if requests.waiting or requests.total != last:
            last, since = requests.total, loop.time()
        return loop.time() - since > QUIET_SECONDS

    await _until(is_quiet, budget, crashed)


async def _close(other: "Page") -> None:
    try:
        await other.close()
    except import_playwright().Error:
        return
