"""A crawl database in memory: a real `Source`, and small corpora to put into it."""

import random
from collections.abc import Callable, Sequence

from engine.model.page import Link, Page, Section
from engine.packing.packing import pack_page
from engine.store.change import Change

WORDS = [
    *("amber", "basil", "cedar", "dune", "ember", "fern", "grove", "heath"),
    *("iris", "jade", "kelp", "lotus", "maple", "north", "olive", "pine"),
]


class Memory:
    """Pages by URL, each at its last change; what `engine.store.change.ChangeSource` asks for."""

    def __init__(self, *pages: Page, machine_of: Callable[[str], str] = lambda _: "") -> None:
        self._seq = 0
        self._machine_of = machine_of
        self._last: dict[str, Change] = {}
        for page in pages:
            self.put(page)

    def put(self, page: Page) -> None:
        self._change(page.url, page)

    def remove(self, url: str) -> None:
        self._change(url, None)

    def stand(self, alias: str, url: str) -> None:
        self._change(alias, None, url)

    def copy(self, url: str, page: str) -> None:
        """The URL turns out to be a copy of a page."""
        self._change(url, None, copy_of=page)

    def _change(self, url: str, page: Page | None, stands: str = "", copy_of: str = "") -> None:
        self._seq += 1
        self._last.pop(url, None)
        kept = pack_page(page) if page else None
        at = 1_700_000_000.0 + self._seq
        self._last[url] = Change(self._seq, url, kept, at, stands, copy_of, self._machine_of(url))

    def changes(self, after: int, limit: int) -> Sequence[Change]:
        return [change for change in list(self._last.values()) if change.seq > after][:limit]

    def last_change(self) -> int:
        return self._seq

    def identity(self) -> str:
        return "memory"


def page(url: str, text: str = "", title: str = "", links: Sequence[Link] = (), language: str = "") -> Page:
    """A page of one section."""
    return Page(url, title=title, language=language, sections=(Section("", "", text),), links=links)


def corpus(count: int, seed: int = 1) -> list[Page]:
    """Pages of random words on ten hosts, linking to each other with random words."""
    dice = random.Random(seed)
    urls = [f"http://site{number % 10}.example/{dice.choice(WORDS)}/{number}" for number in range(count)]
    return [
        Page(
            url,
            title=_some(dice, 2),
            description=_some(dice, 3),
            sections=(Section("", "", _some(dice, 12)), Section(_some(dice, 2), "x", _some(dice, 25))),
            links=[Link(dice.choice(urls), _some(dice, 1)) for _ in range(6)],
            rest=_some(dice, 4),
        )
        for url in urls
    ]


def _some(dice: random.Random, count: int) -> str:
    """Words, the first ones of WORDS more often."""
    return " ".join(WORDS[int(len(WORDS) * dice.random() ** 2)] for _ in range(count))
