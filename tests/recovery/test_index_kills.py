"""kill -9 while an index is written, merged, rebuilt, published, gone back from: it opens and catches up."""

import random
import time
from contextlib import closing, suppress
from ctypes import c_longlong
from functools import partial
from multiprocessing.sharedctypes import RawValue
from pathlib import Path

import pytest

from engine import generations
from engine.errors import EngineError
from engine.index.indexing import batches
from engine.index.indexing.follow import Follower
from engine.index.indexing.rebuild import rebuild_index
from engine.index.indexing.rollback import roll_back
from engine.model.page import Page
from engine.search.search import SearchService
from tests.engine.index.content import content
from tests.engine.index.killing import forked, kill
from tests.engine.index.source import Memory, corpus, page

PAGES = 30  # URLs that come, change and go
ROUND = 7  # steps of the crawl database's history between two looks of the follower


class History:
    """A crawl database that goes on for ever, the same with every reading."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)
        self._pages = corpus(PAGES, seed)
        self.source = Memory()
        for one in self._pages:
            self.source.put(one)

    def grow(self, until: int) -> Memory:
        """The crawl database when so many steps were made."""
        while self.source.last_change() < until:
            self._step()
        return self.source

    def _step(self) -> None:
        one, other = self._dice.sample(self._pages, 2)
        what = self._dice.random()
        if what < 0.6:
            self.source.put(self._changed(one, other))
        elif what < 0.8:
            self.source.remove(one.url)
        elif what < 0.9:
            self.source.stand(one.url, other.url)
        else:
            self.source.copy(one.url, other.url)

    def _changed(self, one: Page, other: Page) -> Page:
        return page(one.url, other.text, title=self._dice.choice("abc"), links=other.links)


def live(seed: int, data_dir: Path, step: c_longlong) -> None:
    """All that is ever done to an index, from a step of the history on, until somebody kills us."""
    history, dice = History(seed), random.Random(step.value)
    batches.BATCH_DOCUMENTS = 5
    while True:
        step.value += ROUND
        source = history.grow(step.value)
        follower = Follower(source, data_dir)
        for _ in range(dice.randint(1, 4)):
            follower.step(learning=dice.random() < 0.5)
        what = dice.random()
        if what < 0.4:
            rebuild_index(source, data_dir)
        elif what < 0.6:
            with suppress(EngineError):  # there is none before
                roll_back(source, data_dir)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kills", "seconds"),
    [(6, 0.5), pytest.param(100, 2.0, marks=[pytest.mark.long, pytest.mark.timeout(1_800)])],
)
def test_after_any_kill_it_opens_and_equals_one_built_in_peace(
    tmp_path: Path, kills: int, seconds: float
) -> None:
    """`seconds`: a life at most. Several rounds fit in."""
    seed = random.SystemRandom().getrandbits(32)
    print(f"seed of the kills: {seed}")  # noqa: T201  # pytest shows it when the test fails
    chance, history, war = random.Random(seed), History(seed), tmp_path / "war"
    step = RawValue(c_longlong, PAGES)  # what both know of the time: no crawl database goes back
    for number in range(kills):
        child = forked(partial(live, seed, war, step))
        time.sleep(chance.uniform(0, seconds))
        kill(child)
        if generations.current_generation(war):
            with closing(SearchService(war)) as search:
                assert search.search("amber OR basil").total <= search.count_documents() <= PAGES
        source, peace = history.grow(step.value), tmp_path / f"peace{number}"
        Follower(source, war).catch_up()
        rebuild_index(source, peace)
        assert content(war) == content(peace)
