"""/health says what is damaged, and waits for nothing that takes long."""

import threading
from pathlib import Path

import pytest
from anyio import run

from engine.errors import Busy, EngineError, Unreadable
from engine.monitor.progress import Progress
from search_ui import condition
from search_ui.condition import HealthMonitor
from tests.search_ui.conftest import START_SECONDS, Searcher

PART = "a part of the index is damaged: 'scrapy rebuild' makes a new one"
INDEX = "the index cannot be read: 'scrapy rebuild' makes a new one"
DATABASE = "the crawl database cannot be read: 'scrapy check' says what is damaged"
SERVER = "the database server is away or refuses to answer: is it up? It is asked again"
AWAY = Unreadable("postgresql://nobody@127.0.0.1:1/lycosa", "connection refused")


class Unreachable(Searcher):
    """A searcher whose index cannot be opened."""

    def __init__(self, error: EngineError) -> None:
        super().__init__()
        self.error = error

    def list_damage(self) -> list[str]:
        raise self.error


@pytest.mark.parametrize(
    ("searcher", "error", "said", "why"),
    [
        (Searcher(), None, "ok", "all is whole"),
        (Searcher(is_missing=True), None, "ok", "nothing is indexed yet"),
        (Searcher(), Busy("others write"), "ok", "it can be read in a moment"),
        (Searcher(is_damaged=True), None, PART, "it answers from the others"),
        (Searcher(), Unreadable(Path("crawl.db"), "cut off"), DATABASE, "searching goes on"),
        (Searcher(is_damaged=True), Unreadable(Path("crawl.db"), "cut off"), f"{PART}\n{DATABASE}", "both"),
        (Unreachable(EngineError("_MAIN_3.toc is damaged")), None, INDEX, "no answer"),
        (Searcher(), AWAY, SERVER, "no command mends that"),
        (Searcher(is_damaged=True), AWAY, f"{PART}\n{SERVER}", "both"),
        (Unreachable(AWAY), None, SERVER, "its links are on a server: a rebuild would not bring it back"),
        (Unreachable(AWAY), AWAY, SERVER, "one server, told of once"),
    ],
)
def test_a_line_for_each_thing(searcher: Searcher, error: Exception | None, said: str, why: str) -> None:
    def progress() -> Progress | None:
        if error:
            raise error
        return None

    assert run(HealthMonitor(searcher, progress).report) == said, why


def test_a_look_that_takes_long_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where a disk does not answer: what was seen before is said, and one thread waits, whoever asks."""
    monkeypatch.setattr(condition, "WAIT_SECONDS", 0.01)
    begun, go_on, now, looks = threading.Event(), threading.Event(), [0.0], list[float]()

    def progress() -> Progress | None:
        looks.append(now[0])
        begun.set()
        go_on.wait(START_SECONDS)
        raise Unreadable(Path("crawl.db"), "the disk fails")

    async def asked() -> list[str]:
        seen = HealthMonitor(Searcher(), progress, lambda: now[0])
        said = list[str]()
        # On a busy machine a look may not have begun before it is not waited for any more.
        while not begun.is_set():
            now[0] += 1.0
            said = [await seen.report()]
        for later in (0.5, 5.0, 10.0):
            now[0] += later
            said.append(await seen.report())
        assert len(looks) == 1, "one look at a time"
        go_on.set()
        while (last := await seen.report()) == "ok":
            now[0] += 1.0
        return [*said, last]

    assert run(asked) == ["ok", "ok", "ok", "ok", DATABASE]
