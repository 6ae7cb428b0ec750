"""The schedule: jobs run when they are due, one of a kind at a time; a kill does no harm."""

import shutil
import signal
import time
from pathlib import Path

import pytest

from tests.running import ask, begun_anew, serving, status, until
from tests.web.serve import FRIENDLY, friendly_web

EACH_MINUTE = '[schedule]\ncrawl = "* * * * *"\nrebuild = "* * * * *"\n'
MINUTES = 5


@pytest.mark.long
def test_both_jobs_each_minute(tmp_path: Path) -> None:
    """Over the example web, with a page changed in between and the schedule killed in the middle of a job."""
    root = tmp_path / "web"
    shutil.copytree(FRIENDLY, root)
    data = tmp_path / "data"
    data.mkdir()
    with friendly_web(root) as web:
        seeds = ", ".join(f'"{seed}"' for seed in web.seeds)
        toml = f"{EACH_MINUTE}[[site]]\nseeds = [{seeds}]\nown = true\n"
        (data / "crawl.toml").write_text(toml, encoding="utf-8")
        began = time.monotonic()
        with begun_anew(data, "schedule") as schedule:
            until(lambda: _pages(data) > 0, "the first crawl", 90)
            until(lambda: len(web.log) > 100 or _ended(data), "the first crawl's end", 90)
            page = root / "garden-en" / "bees.html"
            page.write_text(page.read_text("utf-8").replace("</main>", "<p>brimblewick</p></main>"), "utf-8")
            with serving(data) as address:
                until(lambda: ask(address, "brimblewick")["total"] == 1, "the changed page", 150)
                asked = len(web.log)
                until(lambda: len(web.log) > asked + 5, "the middle of a crawl", 90)
                schedule.send_signal(signal.SIGKILL)
        with begun_anew(data, "schedule"), serving(data) as address:
            while time.monotonic() < began + MINUTES * 60:
                assert ask(address, "brimblewick")["total"] == 1
                time.sleep(1)
            until(lambda: status(data)["last_rebuild"] is not None, "a rebuild", 90)
            assert ask(address, "wolf spiders")["hits"][0]["url"] == web.url("spiders-en/wolf-spiders.html")
        assert status(data)["pages"] == status(data)["indexed"] == 62


def _pages(data: Path) -> int:
    return int(status(data)["pages"])


def _ended(data: Path) -> bool:
    return not status(data)["queued"]
