"""A person at a search page, in a real browser, who knows a right page when they see it.

They type what they have in mind and open the right page if it is offered by then. Else they look at the first
ten hits, take "did you mean" if none is right, and open the right one. They page down to the place that they
want if the page did not open there. Each key and tap takes them as long.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar
from urllib.parse import urldefrag

from benchmarks.tasks.asked import RightPage, Task
from benchmarks.tasks.contestants import Contestant
from benchmarks.tasks.effort import Effort
from engine.errors import EngineError

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
STILL = ["--disable-smooth-scrolling"]  # what is scrolled to is there at once
HITS = 10  # that are looked at
KEY_SECONDS = 0.24  # from key to key: the mean of 168,000 people (Dhakal et al., CHI 2018, 239 ms)
LOOK_SECONDS = 1.0  # of a sparing person, after a key; pages wait up to 0.3 s for the next
PATIENCE_SECONDS = 30.0  # for hits that a script brings, on a machine that has more to do
SCROLLED_SECONDS = 2.0  # for a busy browser to scroll where the address says
LOGGED_SECONDS = 0.3  # until nginx has noted an answer that was under way
POLL_SECONDS = 0.01
MOST_KEYS = 80  # of one kind in a row
PHONE: "ViewportSize" = {"width": 390, "height": 844}
DESK: "ViewportSize" = {"width": 1280, "height": 800}

T = TypeVar("T")
_SEEN = """id => {
  const top = document.getElementById(id).getBoundingClientRect().top;
  return top < -1 ? -1 : top < innerHeight ? 0 : 1;
}"""
_ADDRESSES = "options => options.map(one => one.dataset.address ?? '')"
_LINKS = """(hits, [link, most]) => hits.slice(0, most).map(
  hit => [...hit.querySelectorAll(link)].map(a => a.href))"""


class _LostError(Exception):
    """The right page is not to be found this way."""


class Offer(NamedTuple):
    """The link of a right page among the hits, or among the completions."""

    link: int  # its number among them
    right: RightPage


class Person:
    """One visit to one search page."""

    def __init__(self, tab: "Page", task: Task, contestant: Contestant, begin: str) -> None:
        self._tab, self._task, self._at, self._begin = tab, task, contestant, begin
        self._keys = 0

    def arrive(self) -> None:
        """Open the search page and go to its box."""
        self._tab.goto(self._at.address.format(language=self._task.language))
        box = self._tab.locator(self._at.box)
        box.wait_for(timeout=PATIENCE_SECONDS * 1000)
        if self._task.by_keyboard:
            self._step("Tab", lambda: self._is_here(self._at.box))
        elif not self._is_here(self._at.box):
            self._press(self._at.box, 0)

    def type(self, words: str) -> None:
        """At a usual pace."""
        for number, key in enumerate(words):
            time.sleep(KEY_SECONDS if number else 0)
            self._tab.keyboard.type(key)
            self._keys += 1

    def settles_for(self) -> int:
        """How many keys of what they have in mind it takes until the answer is offered."""
        for number, key in enumerate(self._task.typed, 1):
            self._tab.keyboard.type(key)
            if _within(LOOK_SECONDS, lambda: self._is_completed() or self._offer()):
                return number
        return len(self._task.typed)

    def take(self) -> None:
        """From the words typed to the right page, and the place on it. Raises _LostError."""
        if self._task.sparing and self._at.option:
            _within(LOOK_SECONDS, self._is_completed)
        offer = self._lead()
        if not offer:
            self._ask()
        chosen = offer or self._sought()
        with self._tab.expect_navigation(wait_until="domcontentloaded"):
            (self._choose if offer else self._open)(chosen.link)
        if chosen.right.place:
            self._scroll(chosen.right.place)

    @property
    def keys(self) -> int:
        """Pressed and tapped so far."""
        return self._keys

    def _ask(self) -> None:
        """The Enter key, at a completion when a sparing person sees the right one."""
        if not self._at.submits:
            return
        if self._task.sparing:
            for _ in range(self._completion() + 1):
                self._key("ArrowDown")
        with self._tab.expect_navigation(wait_until="domcontentloaded"):
            self._key("Enter")

    def _sought(self) -> Offer:
        """The right link among the first hits; with more of them, or after "did you mean"."""
        patience = 0.0 if self._at.submits else PATIENCE_SECONDS
        if offer := _within(patience, self._offer):
            return offer
        for other in filter(None, (self._at.more, self._at.mended)):
            if self._tab.locator(other).count():
                self._press(other, 0)
                self._tab.wait_for_load_state("domcontentloaded")
                if offer := _within(PATIENCE_SECONDS, self._offer):
                    return offer
        raise _LostError

    def _offer(self) -> Offer | None:
        """The first link to the right place, or else to its page."""
        hits: list[list[str]] = self._tab.locator(self._at.hit).evaluate_all(_LINKS, [self._at.link, HITS])
        return self._right([url for hit in hits for url in hit])

    def _lead(self) -> Offer | None:
        """The completion that leads to it."""
        if not self._at.option:
            return None
        return self._right(self._tab.locator(self._at.option).evaluate_all(_ADDRESSES))

    def _right(self, urls: Sequence[str]) -> Offer | None:
        links = list(map(urldefrag, urls))
        pages = {self._begin + right.path: right for right in self._task.right}
        offers = [(n, one.fragment, pages[one.url]) for n, one in enumerate(links) if one.url in pages]
        best = sorted(offers, key=lambda offer: offer[1] != offer[2].place)
        return Offer(best[0][0], best[0][2]) if best else None

    def _is_completed(self) -> bool:
        return self._lead() is not None or self._completion() >= 0

    def _completion(self) -> int:
        """Where the completion stands that begins with the words they have in mind; -1 if it is not there."""
        if not self._at.option:
            return -1
        offered = self._tab.locator(self._at.option).all_inner_texts()
        wanted = self._task.typed.casefold()
        return next((n for n, text in enumerate(offered) if text.casefold().startswith(wanted)), -1)

    def _choose(self, option: int) -> None:
        if not self._task.by_keyboard:
            self._press(self._at.option, option)
            return
        for _ in range(option + 1):
            self._key("ArrowDown")
        self._key("Enter")

    def _open(self, link: int) -> None:
        links = f"{self._at.hit} {self._at.link}"
        if not self._task.by_keyboard:
            self._press(links, link)
            return
        wanted = self._tab.locator(links).nth(link)
        self._step(self._at.next_hit, lambda: bool(wanted.evaluate("el => el === document.activeElement")))
        self._key("Enter")

    def _scroll(self, place: str) -> None:
        if urldefrag(self._tab.url).fragment == place:
            _within(SCROLLED_SECONDS, lambda: self._tab.evaluate(_SEEN, place) == 0)
        for _ in range(MOST_KEYS):
            side: int = self._tab.evaluate(_SEEN, place)
            if not side:
                return
            self._key("PageDown" if side > 0 else "PageUp")
        raise _LostError

    def _step(self, key: str, is_there: Callable[[], bool]) -> None:
        for _ in range(MOST_KEYS):
            if is_there():
                return
            self._key(key)
        raise _LostError

    def _is_here(self, selector: str) -> bool:
        found = self._tab.locator(selector).first
        return bool(found.evaluate("el => el === document.activeElement"))

    def _key(self, key: str) -> None:
        time.sleep(KEY_SECONDS)
        self._tab.keyboard.press(key)
        self._keys += 1

    def _press(self, selector: str, number: int) -> None:
        time.sleep(KEY_SECONDS)
        wanted = self._tab.locator(selector).nth(number)
        if self._task.on_phone:
            wanted.tap()
        else:
            wanted.click()
        self._keys += 1


@contextmanager
def open_browser() -> Iterator["Browser"]:
    """Debian's Chromium. Raises EngineError."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise EngineError("playwright is missing: pip install -c constraints.txt -e '.[bench]'") from None
    if not CHROMIUM.exists():
        raise EngineError(f"{CHROMIUM} is missing (Debian package chromium): people search with it")
    with sync_playwright() as playwright:
        options = [*ARGUMENTS, *STILL]
        with closing(playwright.chromium.launch(executable_path=CHROMIUM, args=options)) as opened:
            yield opened


def count_keys(browser: "Browser", task: Task, contestant: Contestant, begin: str) -> int:
    """How much of the words a person types: all but if they are sparing, and helped while they type."""
    if not task.sparing or not (contestant.option or not contestant.submits):
        return len(task.typed)
    with _tab(browser, task) as tab:
        person = Person(tab, task, contestant, begin)
        person.arrive()
        return person.settles_for()


def measure_effort(
    browser: "Browser", task: Task, contestant: Contestant, begin: str, keys: int
) -> Effort | None:
    """One run with an empty cache; None when the right page was not found."""
    from playwright.sync_api import Error  # here, because not everybody has it installed

    before = len(_sent(contestant))
    with _tab(browser, task) as tab:
        person = Person(tab, task, contestant, begin)
        try:
            person.arrive()
            start = time.perf_counter()
            person.type(task.typed[:keys])
            person.take()
        except (_LostError, Error):
            return None
        ms = round((time.perf_counter() - start) * 1000)
        time.sleep(LOGGED_SECONDS)
    sent = _sent(contestant)[before:]
    return Effort(person.keys, sum(sent), len(sent), ms)


@contextmanager
def _tab(browser: "Browser", task: Task) -> Iterator["Page"]:
    context = browser.new_context(
        viewport=PHONE if task.on_phone else DESK,
        is_mobile=task.on_phone,
        has_touch=task.on_phone,
        java_script_enabled=task.with_scripts,
        locale=task.language,
    )
    with closing(context):
        yield context.new_page()


def _sent(contestant: Contestant) -> list[int]:
    return [int(line) for line in contestant.log.read_text(encoding="ascii").splitlines()]


def _within(seconds: float, look: Callable[[], T]) -> T:
    """What `look` gives as soon as it is true, or at the end."""
    end = time.monotonic() + seconds
    while not (seen := look()) and time.monotonic() < end:
        time.sleep(POLL_SECONDS)
    return seen
