"""A crawl that is begun anew queues everything known: host by host, and all of it even when it is killed."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from engine.config import SiteConfig
from engine.crawl import crawl as module
from engine.crawl import opening
from engine.database import urls
from engine.frontier.host_share import HostShare
from engine.frontier.sites import Sites, build_sites
from engine.model.page import State
from engine.store.page_store import Store
from engine.store.revisit import Round
from engine.store.wanted import load_forced
from tests.crawling import Clock, Web, crawl_of, run, states

SEEDS = tuple(f"http://h{n}.example/" for n in range(6))


class KilledError(Exception):
    """In the place of a signal."""


def killed(
    engine: sa.Engine, sites: Sites, share: HostShare, of: Round, now: float
) -> Iterator[sa.Connection]:
    """Ends in the middle."""
    chunks = opening.requeue_due_pages(engine, sites, share, of, now)
    yield next(chunks)
    yield next(chunks)
    raise KilledError


@pytest.mark.requirement(25)
def test_a_killed_opening_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is killed while it queues what is known does not forget the rest."""
    web, clock = Web({seed: [] for seed in SEEDS}), Clock()
    run(crawl_of(tmp_path, clock, seeds=SEEDS), web, clock)
    clock.now += 86_400
    monkeypatch.setattr(opening, "HOSTS_AT_ONCE", 2)
    with monkeypatch.context() as patch:
        patch.setattr(module, "requeue_due_pages", killed)
        with pytest.raises(KilledError):
            crawl_of(tmp_path, clock, seeds=SEEDS)
    queued = [state for state, _ in states(tmp_path).values()].count(State.QUEUED)
    assert 0 < queued < 2 * len(SEEDS), "pages and the look for a sitemap"
    web.log.clear()
    run(crawl_of(tmp_path, clock, seeds=SEEDS), web, clock)
    assert sorted(web.asked()) == sorted(SEEDS)


def test_others_can_write_in_between(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A removal does not wait for the end of it: each transaction is a few hosts."""
    web, clock = Web({seed: [] for seed in SEEDS}), Clock()
    first = crawl_of(tmp_path, clock, seeds=SEEDS)
    run(first, web, clock)
    monkeypatch.setattr(opening, "HOSTS_AT_ONCE", 2)
    waiting = []
    engine, sites, of = first.store.engine, first.discovery.sites, Round(first.run.id + 1, clock.now)
    for _ in opening.requeue_due_pages(engine, sites, first.run.share, of, clock.now):
        with engine.connect() as outside:
            query = sa.select(sa.func.count()).where(urls.c.state == State.QUEUED)
            waiting.append(outside.execute(query).scalar_one())
    assert waiting == [0, 4, 8, 12]


@pytest.mark.sqlite
def test_what_is_asked_at_each_change_of_another_run_reads_no_table(tmp_path: Path) -> None:
    """It is asked with the write lock: a crawl of 100,000 seeds read them all, .2 s for each of its runs."""
    with closing(Store(tmp_path)) as store, store.engine.connect() as connection:
        asked: list[tuple[str, Any]] = []
        sa.event.listen(connection, "before_cursor_execute", lambda *call: asked.append((call[2], call[3])))
        opening.load_moved_sites(connection, build_sites([SiteConfig((SEEDS[0],))]))
        load_forced(connection)
        plans = [
            row[3]
            for statement, values in asked.copy()
            for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
        ]
    names = ("hosts_twins", "urls_moved_seeds", "urls_forced")
    assert all(any(name in step for step in plans) for name in names), plans
    assert len(plans) == len(names)
