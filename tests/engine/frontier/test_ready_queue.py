"""What one host lacks is read for those whose turn comes next, too: that changes nothing of what is asked."""

from collections import Counter
from collections.abc import Callable, Sequence

import pytest
import sqlalchemy as sa
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.database import open_empty_database, urls, write_transaction
from engine.frontier import ready_queue
from engine.frontier.caps import Caps
from engine.frontier.domains import DomainLimits
from engine.frontier.host_share import HostShare
from engine.frontier.new_url import NewUrl
from engine.frontier.paused_hosts import PausedHosts
from engine.frontier.politeness import PACES
from engine.frontier.queue import Frontier
from engine.frontier.suspects import Suspects
from engine.model import Purpose, State
from engine.robots import RobotsState, Verdict

NOW = 1_000.0
HOURS = 36_000.0
HOSTS = [f"http://h{number}.example" for number in range(4)]
FIRST, SECOND = HOSTS[:2]


class Crawler:
    """A frontier whose claims are answered at once, on a clock that moves when no host is ready."""

    def __init__(self, engine: sa.Engine) -> None:
        caps = Caps(Suspects(Counter()), 100, 100, DomainLimits(), lambda _: False)
        self.frontier = Frontier(engine, lambda _: PACES["polite"], lambda: 0.0, caps, lambda _: 0)
        self.engine, self.now = engine, NOW

    def add(self, *found: str) -> None:
        with write_transaction(self.engine) as connection:
            self.frontier.add(connection, [NewUrl(url, 1) for url in found], self.now)

    def ask(self) -> str:
        """Asks the next page; '' where none comes within an hour."""
        while True:
            claim = self.frontier.claim(self.now)
            if claim is None:
                wait = self.frontier.seconds_to_next(self.now)
                if wait is None or self.now + wait > NOW + HOURS / 10:
                    return ""
                self.now += wait
                continue
            if claim.kind is Purpose.ROBOTS:
                known = RobotsState(Verdict.ALLOW_ALL, b"", self.now, self.now + HOURS)
                self.frontier.host_queues.set_robots(claim.host, known)
            self.frontier.finish(claim, self.now)
            if claim.kind is Purpose.PAGE:
                with write_transaction(self.engine) as connection:
                    connection.execute(
                        sa.update(urls).where(urls.c.id == claim.url_id).values(state=State.STORED)
                    )
                self.frontier.commit([claim], ())
                return claim.url

    def ask_all(self) -> list[str]:
        return [*iter(self.ask, "")]


def add_url(crawler: Crawler) -> None:
    crawler.add(f"{SECOND}/new")


def drop_urls(crawler: Crawler) -> None:
    with write_transaction(crawler.engine) as connection:
        connection.execute(sa.delete(urls).where(urls.c.url == f"{SECOND}/1"))
    crawler.frontier.reload(SECOND)


def hand_over(crawler: Crawler) -> None:
    queue = crawler.frontier.host_queues[SECOND]
    share = next(share for run in (1, 2) if not (share := HostShare(run, (1, 2))).includes(queue.bucket))
    with write_transaction(crawler.engine) as connection:
        crawler.frontier.redistribute(connection, share, lambda _: True, crawler.now)


def pause(crawler: Crawler) -> None:
    crawler.frontier.paused = PausedHosts(lambda: {SECOND: NOW})


def forbid(crawler: Crawler) -> None:
    crawler.frontier.host_queues[SECOND].give_up("it is a trap")


@pytest.mark.requirement(15)
@pytest.mark.parametrize(
    ("change", "asked", "why"),
    [
        (lambda crawler: None, "/0 /1", "nothing changes"),
        (add_url, "/0 /1 /new", "what is found meanwhile is read once the queue is empty"),
        (drop_urls, "/0", "what was dropped, or moved to a twin, is read anew"),
        (hand_over, "", "the host is another run's now"),
        (pause, "", "the operator has paused it"),
        (forbid, "", "it was given up"),
    ],
)
def test_what_changes_after_a_queue_was_filled(
    engine: sa.Engine, change: Callable[[Crawler], None], asked: str, why: str
) -> None:
    """Before the second host was asked anything, its queue is full; then something happens."""
    crawler = Crawler(engine)
    crawler.add(*(f"{host}/{number}" for host in (FIRST, SECOND) for number in range(2)))
    assert crawler.frontier.claim(NOW), "the first host's robots.txt"
    assert len(crawler.frontier.host_queues[SECOND].urls) == 2
    change(crawler)
    of_second = [url.removeprefix(SECOND) for url in crawler.ask_all() if url.startswith(SECOND)]
    assert of_second == asked.split(), why


STEPS = st.lists(
    st.one_of(
        st.lists(st.tuples(st.sampled_from(HOSTS), st.integers(0, 9)), min_size=1, max_size=12),
        st.just("ask"),
        st.sampled_from(HOSTS),  # to be read anew
    ),
    max_size=20,
)


def assert_each_is_asked_once(steps: Sequence[str | list[tuple[str, int]]]) -> None:
    """Whenever it was added, and whatever was read anew meanwhile; hosts take turns as one by one."""
    runs = []
    for many in (0, ready_queue.NEXT):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(ready_queue, "NEXT", many)
            engine = open_empty_database()
            crawler, asked, added = Crawler(engine), list[str](), set[str]()
            for step in steps:
                if isinstance(step, list):
                    found = [f"{host}/{number}" for host, number in step]
                    crawler.add(*found)
                    added.update(found)
                elif step == "ask":
                    asked.append(crawler.ask())
                elif step in crawler.frontier.host_queues:
                    crawler.frontier.reload(step)
            asked = [url for url in (*asked, *crawler.ask_all()) if url]
            engine.dispose()
        assert sorted(asked) == sorted(added)
        assert crawler.frontier.waiting == 0
        runs.append([url.rpartition("/")[0] for url in asked])
    assert runs[0] == runs[1]


@settings(max_examples=30)
@given(steps=STEPS)
def test_every_url_is_asked_once(steps: Sequence[str | list[tuple[str, int]]]) -> None:
    assert_each_is_asked_once(steps)


@pytest.mark.slow
@given(steps=STEPS)
def test_it_is_so_after_many_histories(steps: Sequence[str | list[tuple[str, int]]]) -> None:
    assert_each_is_asked_once(steps)


def test_many_hosts_take_as_many_statements_as_one(engine: sa.Engine) -> None:
    """On a server each is a way there and back."""
    counts = []
    for number in (1, 1 + ready_queue.NEXT):
        crawler, begun = Crawler(engine), list[object]()
        crawler.add(*(f"http://{number}.host-{n}.example/{page}" for n in range(number) for page in range(3)))
        sa.event.listen(engine, "before_cursor_execute", lambda *given, begun=begun: begun.append(given))
        for _ in range(number):
            assert crawler.frontier.claim(NOW)
        counts.append(len(begun))
    assert counts[0] == counts[1] == 2, "what comes next, and these rows as a whole"
