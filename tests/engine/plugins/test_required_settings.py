"""Settings of the operator's own code: they add to the crawl, and switch off no gate."""

from typing import Any

import pytest
from scrapy.settings import Settings

from engine.errors import EngineError
from engine.middleware.robots_txt import RobotsTxtMiddleware
from engine.plugins import require_settings
from spiders.web import WebSpider

GATE = "engine.middleware.robots_txt.RobotsTxtMiddleware"


class Own:
    """Something of the operator's."""


def settings(priority: str, **own: Any) -> Settings:
    made = Settings()
    made.setmodule("engine.settings", priority="project")
    made.update(own, priority=priority)
    return made


@pytest.mark.parametrize("priority", ["project", "spider", "cmdline"])
@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("DOWNLOADER_MIDDLEWARES", {GATE: None}, "robots.txt"),
        ("DOWNLOADER_MIDDLEWARES", {GATE: 950}, "behind what sends"),
        ("DOWNLOADER_MIDDLEWARES", {RobotsTxtMiddleware: None}, "by its class"),
        ("DOWNLOADER_MIDDLEWARES_BASE", {}, "all of them"),
        ("SPIDER_MIDDLEWARES", {"engine.middleware.meta_robots.MetaRobotsMiddleware": None}, "META robots"),
        ("ITEM_PIPELINES", {"pipelines.store.StorePipeline": None}, "the crawl would wait forever"),
        ("ITEM_PIPELINES", {"pipelines.quarantine.QuarantinePipeline": 700}, "after the store"),
        ("EXTENSIONS", {"engine.middleware.body_limit.BodyLimit": None}, "endless bodies"),
        ("SCHEDULER", "scrapy.core.scheduler.Scheduler", "pace"),
        ("ITEM_PROCESSOR", "scrapy.pipelines.ItemPipelineManager", "a visit that is dropped"),
        ("TWISTED_DNS_RESOLVER", "scrapy.resolver.CachingThreadedResolver", "the address guard"),
        ("DOWNLOAD_HANDLERS_BASE", {"file": "scrapy.core.downloader.handlers.file.FileDownloadHandler"}, ""),
        ("DOWNLOAD_VERIFY_CERTIFICATES", False, "anybody's words"),
    ],
)
def test_no_gate_is_switched_off(priority: str, name: str, value: Any, why: str) -> None:
    with pytest.raises(EngineError, match=f"^{name}: .*a gate of the crawl"):
        require_settings(settings(priority, **{name: value}))


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("ROBOTSTXT_OBEY", False, "robots.txt is always obeyed"),
        ("ROBOTSTXT_OBEY", "0", "robots.txt is always obeyed"),
        ("USER_AGENT", "Mozilla/5.0", "contact in crawl.toml"),
        ("DOWNLOAD_DELAY", 0.1, "profile in crawl.toml"),
        ("DOWNLOADER", "my.Downloader", "by the gates alone"),
        ("DOWNLOAD_HANDLERS", {"http": "my.Handler"}, "by the gates alone"),
    ],
)
def test_what_would_have_no_effect_is_said(name: str, value: Any, says: str) -> None:
    with pytest.raises(EngineError, match=f"^{name} has no effect in Lycosa: .*{says}"):
        require_settings(settings("spider", **{name: value}))


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("ITEM_PIPELINES", {f"{__name__}.Own": 450}, "an own pipeline"),
        ("EXTENSIONS", {f"{__name__}.Own": 500}, "an own extension"),
        ("DOWNLOADER_MIDDLEWARES", {f"{__name__}.Own": 50}, "an own middleware"),
        ("DOWNLOADER_MIDDLEWARES", {GATE: 100}, "where it is"),
        ("ROBOTSTXT_OBEY", True, "so it is"),
        ("CONCURRENT_REQUESTS", 16, "fewer at once"),
        ("STATS_DUMP", True, "no gate"),
    ],
)
def test_what_is_added_is_allowed(name: str, value: Any, why: str) -> None:
    require_settings(settings("spider", **{name: value}))


def test_what_cannot_be_loaded_is_named() -> None:
    with pytest.raises(EngineError, match=r"^EXTENSIONS: cannot be loaded: ModuleNotFoundError: .*'missing'"):
        require_settings(settings("spider", EXTENSIONS={"missing.Extension": 1}))


@pytest.mark.parametrize("method", ["start", "parse", "errback"])
def test_a_spider_that_would_lose_pages_is_refused(method: str) -> None:
    careless: Any = type("Careless", (WebSpider,), {"name": "careless", method: lambda *_: None})
    with pytest.raises(EngineError, match=rf"'careless' has a {method}\(\) of its own"):
        careless.find_own_hooks()


def test_only_hooks_that_are_overridden_are_own() -> None:
    hooked: Any = type("Hooked", (WebSpider,), {"items": lambda *_: ()})
    assert (WebSpider.find_own_hooks(), hooked.find_own_hooks()) == (frozenset(), {"items"})
    deeper: Any = type("Deeper", (hooked,), {"links": lambda *_: ()})
    assert deeper.find_own_hooks() == {"items", "links"}
