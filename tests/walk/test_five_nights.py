"""Five nights of the schedule over five real hosts: whoever lives is asked for all it has, every night."""

import logging
import time
from contextlib import ExitStack
from pathlib import Path

import pytest
from apscheduler.schedulers.blocking import BlockingScheduler

from engine.alerts import AlertWatch
from engine.commands.schedule import _run_job
from engine.config import load_config
from tests.running import scrapy
from tests.web.scripted import Answer, anchors, html, prose, scripted_web

PAGES = 12
DEAD = "http://127.31.0.1:9/"  # nobody listens on the port of the discard protocol


def pages(path: str) -> Answer:
    """A start page that links to all others."""
    links = [f"/{n}" for n in range(1, PAGES)]
    known = path in links or path.startswith("/submitted/")
    return (
        html(f"Page {path}", prose(path) + anchors(links if path == "/" else ()))
        if known or path == "/"
        else Answer(404)
    )


def tonight(data: Path) -> None:
    """What the schedule does when the crawl is due."""
    settings = [f"DATA_DIR={data}", f"CRAWL_TOML={data / 'crawl.toml'}"]
    options = [word for setting in settings for word in ("-s", setting)]
    watch = AlertWatch(
        load_config({"DATA_DIR": str(data), "CRAWL_TOML": str(data / "crawl.toml")}),
        time.time,
        is_crawling=False,
    )
    _run_job(BlockingScheduler(), "crawl", options, watch, set())


@pytest.mark.long
@pytest.mark.timeout(900)
def test_five_nights(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """One host is dead throughout, one dies in the third night, and a URL is submitted each night."""
    caplog.set_level(logging.INFO, "lycosa")
    with ExitStack() as stack:
        sites = [stack.enter_context(scripted_web(pages, f"127.31.0.{n}")) for n in range(2, 5)]
        mortal = ExitStack()
        dying = stack.enter_context(mortal).enter_context(scripted_web(pages, "127.31.0.5"))
        seeds = ", ".join(f'"{seed}"' for seed in (DEAD, *(site.url("/") for site in (*sites, dying))))
        toml = f"[[site]]\nseeds = [{seeds}]\nown = true\n"
        (tmp_path / "crawl.toml").write_text(toml, encoding="utf-8")
        for night in range(1, 6):
            if night == 3:
                mortal.close()
            scrapy(tmp_path, "submit", sites[0].url(f"/submitted/{night}"))
            for site in sites:
                site.log.clear()
            tonight(tmp_path)
            asked = {site: set(site.paths) for site in sites}
            assert all(whole() <= asked[site] for site in sites), f"night {night}"
            assert {f"/submitted/{n}" for n in range(1, night + 1)} <= asked[sites[0]]
            assert night > 2 or whole() <= set(dying.paths)
    assert [record.message for record in caplog.records if "ended with exit code 0" in record.message] != []
    assert "failed" not in caplog.text, "two of five are less than half"


def whole() -> set[str]:
    """All paths of a host that nobody submitted."""
    return {f"/{n or ''}" for n in range(PAGES)}
