"""The arguments of `scrapy crawl web -a`, and what they say before crawl.toml."""

from pathlib import Path

import pytest

from engine.config import LimitsConfig
from engine.errors import EngineError
from engine.folder import FreeSpace
from spiders import LycosaSpider
from spiders.arguments import build_limits, check_arguments, parse_flag, parse_number


@pytest.mark.parametrize("text", ["0x1", "-1", "ten", "1e3", "٣", "9" * 12])
def test_numbers(text: str) -> None:
    assert parse_number({"n": "12"}, "n") == 12
    assert parse_number({}, "n") is None
    with pytest.raises(EngineError, match="whole number"):
        parse_number({"n": text}, "n")


def test_flags() -> None:
    assert parse_flag({"fresh": "1"}, "fresh")
    assert not parse_flag({}, "fresh")


def test_arguments_go_before_crawl_toml(tmp_path: Path) -> None:
    config, room = LimitsConfig(max_depth=7, host_pages=70), FreeSpace(tmp_path, 0)
    plain = build_limits({}, config, room)
    assert (plain.pages, plain.depth, plain.host_pages, plain.due_only) == (None, 7, 70, False)
    typed = {"max_pages": "3", "max_depth": "4", "host_pages": "5", "revisit": "1"}
    told = build_limits(typed, config, room)
    assert (told.pages, told.depth, told.host_pages, told.due_only) == (3, 4, 5, True)


def test_an_unknown_argument_is_named() -> None:
    check_arguments({"seeds": "http://a.example/", "fresh": "1"})
    with pytest.raises(EngineError, match="-a seed: unknown; write one of seeds, "):
        check_arguments({"seed": "http://a.example/"})


def test_own_arguments_become_attributes() -> None:
    class Birds(LycosaSpider):
        name = "birds"
        own_arguments = ("family", "place")
        family = "all"

    spider = Birds()
    spider.take_own({"place": "moor", "seeds": "http://a.example/"})
    assert vars(spider)["place"] == "moor"
    assert (spider.family, "seeds" in vars(spider)) == ("all", False)
    with pytest.raises(EngineError, match=r"-a familiy: unknown; .*, family, place"):
        Birds().take_own({"familiy": "cranes"})


@pytest.mark.parametrize(
    ("taken", "why"),
    [
        ("seeds", "an argument of every spider"),
        ("parse", "a method"),
        ("start_urls", "an attribute of Scrapy's"),
        ("crawl", "ours"),
    ],
)
def test_own_arguments_have_names_of_their_own(taken: str, why: str) -> None:
    spider = type("Birds", (LycosaSpider,), {"name": "birds", "own_arguments": (taken,)})()
    with pytest.raises(EngineError, match=f"own_arguments has '{taken}', which is taken"):
        spider.take_own({})
