"""Real crawls obey a pause, made on whichever machine, and take up what waits once it is over."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from engine.admin import save_password
from engine.config import Config, load_config
from engine.frontier import load_paused
from engine.frontier.paused_hosts import LOOK_SECONDS
from engine.ownership.mark import make_key
from tests.running import crawl, running, scrapy, until
from tests.search_ui.admin.conftest import PASSWORD, Operator, make_app
from tests.search_ui.owner.conftest import Owner, main_text, show
from tests.web.scripted import Answer, Site, anchors, html, prose, scripted_web

PAGES = 600  # of a host, of which eight come at a time
SECONDS = 0.3  # a page


@pytest.mark.slow
def test_a_crawl_asks_nothing_of_a_paused_host(tmp_path: Path) -> None:
    with scripted_web({"/": html("A", "<a href='/b'>b</a>"), "/b": html("B", "b")}) as web:
        scrapy(tmp_path, "pause", "127.0.0.1")
        assert "1 URL is still queued" in crawl(tmp_path, web.url())
        assert web.paths == []
        scrapy(tmp_path, "pause", "--release", "127.0.0.1")
        crawl(tmp_path, web.url())
        assert {"/", "/b"} <= set(web.paths)


def machine(folder: Path, url: str) -> Config:
    """A machine with a data folder of its own."""
    folder.mkdir()
    toml = folder / "crawl.toml"
    toml.write_text(f'database = "{url}"\nallow_private = ["127.0.0.1"]\n', "utf-8")
    return load_config({"DATA_DIR": folder, "CRAWL_TOML": toml})


def long_site(name: str) -> Callable[[str], Answer]:
    """A host of pages that are slow, and none of which is like one of the other host."""

    def answer(path: str) -> Answer:
        links = anchors(f"/{number}" for number in range(PAGES)) if path == "/" else ""
        return replace(html(path, prose(name + path) + links), delay=SECONDS)

    return answer


@contextmanager
def long_crawl(config: Config, sites: list[Site]) -> Iterator[None]:
    """A crawl of both sites by this machine, under way."""
    seen = [len(site.log) for site in sites]
    seeds = ",".join(site.url("/") for site in sites)
    with running(config.data_dir, "crawl", "web", "-a", f"seeds={seeds}", "-a", "own=1"):
        for site, before in zip(sites, seen, strict=True):
            until(lambda one=site, least=before + 10: len(one.log) > least, "the crawl")  # type: ignore[misc]
        yield


def asked_after(site: Site, other: Site) -> int:
    """Waits until a crawl has to know of a pause; how often it asks then, while it asks another host."""
    time.sleep(LOOK_SECONDS + 1)
    before, of_other = len(site.log), len(other.log)
    until(lambda: len(other.log) > of_other + 10, "the other host")
    return len(site.log) - before


def by_command(one: Config, two: Config, site: Site) -> Callable[[], None]:
    """Pauses on one machine; returns how it is released on the other."""
    scrapy(one.data_dir, "pause", site.url(""))
    assert site.url("") in scrapy(two.data_dir, "pause", "--list").stdout

    def release() -> None:
        scrapy(two.data_dir, "pause", "--release", site.url(""))
        assert scrapy(one.data_dir, "pause", "--list").stdout == "no host is paused\n"

    return release


def by_complaint(one: Config, two: Config, site: Site) -> Callable[[], None]:
    """The owner complains on a page of one machine; the operator answers on the other's."""
    key = make_key()
    show(site, key)
    owner = Owner(make_app(one), host=site.url(""), key=key)
    assert owner.prove().status_code == 303
    complaint = f"{owner.path}/complaint"
    assert owner.act(complaint, text="You ask too fast.").status_code == 303

    def release() -> None:
        save_password(two.database, PASSWORD, 0, "")
        operator = Operator(make_app(two))
        operator.log_in()
        shown = main_text(operator.get("/admin/complaints"))
        assert "You ask too fast." in shown
        assert "the host is paused" in shown
        assert operator.act("/admin/complaints", number="1", answer="Slower now.").status_code == 303
        assert "Slower now." in main_text(owner.get(complaint))

    return release


WAYS = [(by_command, "scrapy pause"), (by_complaint, "a complaint")]


@pytest.mark.slow
@pytest.mark.postgresql
@pytest.mark.sqlite
@pytest.mark.requirement(279, 311)
@pytest.mark.parametrize(("pause", "why"), WAYS, ids=[row[-1] for row in WAYS])
def test_a_pause_of_one_machine_holds_for_the_crawl_of_another(
    tmp_path: Path,
    database_url: str,
    pause: Callable[[Config, Config, Site], Callable[[], None]],
    why: str,
) -> None:
    """By the log of the host; and its release, too."""
    one, two = (machine(tmp_path / name, database_url) for name in ("one", "two"))
    with scripted_web(long_site("one")) as site, scripted_web(long_site("other")) as other:
        with long_crawl(two, [site, other]):
            release = pause(one, two, site)
            assert list(load_paused(database_url)) == [site.url("")], why
            assert asked_after(site, other) == 0
            release()
            assert load_paused(database_url) == {}
        with long_crawl(two, [site, other]):
            pass
