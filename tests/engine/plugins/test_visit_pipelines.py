"""Own pipelines beside the walk: what they get, what they may do, and that no visit is lost to them."""

import asyncio
from collections.abc import Callable
from importlib.metadata import EntryPoint
from types import SimpleNamespace
from typing import Any, cast

import pytest
from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem
from scrapy.settings import Settings
from scrapy.statscollectors import MemoryStatsCollector, StatsCollector
from scrapy.utils.misc import load_object

from engine.errors import EngineError
from engine.model import Claim, Fetch, State, Visit
from engine.plugins import visit_pipelines
from engine.plugins.visit_pipelines import VisitPipelines
from pipelines.canonical import CanonicalPipeline
from pipelines.store import StorePipeline

VISIT = Visit(Fetch(Claim(1, "http://h.example/", "http://h.example"), 200), State.STORED)


class Own:
    """A pipeline that does what a test wants."""

    def __init__(self, does: Callable[[Any], Any]) -> None:
        self.does = does

    def process_item(self, item: Any) -> Any:
        """Does it."""
        return self.does(item)


class Ours(StorePipeline):
    """One of the walk, that keeps what comes."""

    def __init__(self) -> None:
        self.came: list[Any] = []

    async def process_item(self, visit: Visit) -> Visit:
        """Keeps it."""
        self.came.append(visit)
        return visit


def drop(item: Any) -> Any:
    raise DropItem("not wanted")


def boom(item: Any) -> Any:
    raise LookupError("boom")


def made(*chain: Any) -> tuple[VisitPipelines, StatsCollector]:
    stats = MemoryStatsCollector(cast(Crawler, SimpleNamespace(settings=Settings())))
    crawler = cast(Crawler, SimpleNamespace(spider=None, stats=stats))
    return VisitPipelines(*chain, crawler=crawler), stats


@pytest.mark.parametrize(
    ("does", "state", "reason", "why"),
    [
        (lambda visit: visit, State.STORED, "", "it looks"),
        (lambda visit: None, State.STORED, "", "it forgets to return"),
        (lambda visit: Visit(visit.fetch, State.GONE), State.STORED, "", "a visit is not changed"),
        (boom, State.STORED, "", "it raises"),
        (drop, State.SKIPPED, "dropped by Own", "it drops"),
    ],
)
def test_a_visit_comes_to_the_end_of_the_walk(
    does: Callable[[Any], Any], state: State, reason: str, why: str
) -> None:
    before, behind = Ours(), Ours()
    pipelines, stats = made(before, Own(does), Own(does), behind)
    if does is drop:
        with pytest.raises(DropItem, match="not wanted"):
            asyncio.run(pipelines.process_item_async(VISIT))
    else:
        assert asyncio.run(pipelines.process_item_async(VISIT)) == VISIT
    assert before.came == [VISIT]
    assert [(visit.state, visit.reason) for visit in behind.came] == [(state, reason)], why
    assert stats.get_value("lycosa/pipeline_exceptions/LookupError", 0) == 2 * (does is boom)


def test_what_one_has_dropped_no_other_own_one_sees() -> None:
    seen: list[Any] = []
    with pytest.raises(DropItem):
        asyncio.run(made(Own(drop), Own(seen.append))[0].process_item_async(VISIT))
    assert seen == []


def test_items_pass_own_pipelines_alone_and_may_be_changed() -> None:
    ours = Ours()
    pipelines, _ = made(ours, Own(lambda item: {**item, "more": 1}))
    assert asyncio.run(pipelines.process_item_async({"a": 1})) == {"a": 1, "more": 1}
    assert ours.came == []
    for does, error in ((drop, DropItem), (boom, LookupError)):
        pipelines, _ = made(Own(does))
        with pytest.raises(error):
            asyncio.run(pipelines.process_item_async({"a": 1}))


def test_what_our_own_walk_raises_is_no_operators_mistake() -> None:
    class Broken(CanonicalPipeline):
        def __init__(self) -> None:
            pass

        def process_item(self, visit: Visit) -> Visit:
            raise LookupError("a bug")

    with pytest.raises(LookupError):
        asyncio.run(made(Broken())[0].process_item_async(VISIT))


@pytest.mark.parametrize(
    ("own", "expected", "why"),
    [
        ({}, [4], "before the store"),
        ({f"{__name__}.Own": 50}, [0], "where the operator wants it"),
        ({Own: 50}, [0], "the same by its class"),
        ({f"{__name__}.Own": None}, [], "turned off"),
    ],
)
def test_installed_packages_offer_theirs(
    own: dict[Any, Any], expected: list[int], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered = [EntryPoint("own", f"{__name__}:Own", visit_pipelines.GROUP)]
    monkeypatch.setattr(visit_pipelines, "entry_points", lambda group: offered)
    settings = Settings()
    settings.setmodule("engine.settings", priority="project")
    settings.set("ITEM_PIPELINES", own, priority="cmdline")
    found = VisitPipelines._get_mwlist_from_settings(settings)
    assert [place for place, one in enumerate(found) if load_object(one) is Own] == expected, why


def test_a_package_that_is_broken_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    offered = [EntryPoint("own", "missing:Own", visit_pipelines.GROUP)]
    monkeypatch.setattr(visit_pipelines, "entry_points", lambda group: offered)
    with pytest.raises(EngineError, match=r"^entry point own = 'missing:Own' of lycosa.pipelines cannot"):
        VisitPipelines._get_mwlist_from_settings(Settings())
