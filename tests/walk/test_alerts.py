"""Alarms of real crawls, by a real webhook: each comes once, and once more when it is over."""

import time
from pathlib import Path

import pytest
from apscheduler.schedulers.blocking import BlockingScheduler

from engine import generations
from engine.alerts import AlertKind, AlertWatch
from engine.commands.schedule import _describe_end, _run_job
from engine.config import load_config
from tests.receivers import webhook
from tests.running import command, run_apart, scrapy
from tests.web.scripted import anchors, html, prose, scripted_web

ADDRESS = "127.31.1.1"


@pytest.mark.slow
@pytest.mark.requirement(62, 256)
def test_a_host_that_dies_and_comes_back(tmp_path: Path) -> None:
    """Two crawls cannot ask it, and tell of it once."""
    site = {"/": html("Home", prose("home") + anchors(["/1"])), "/1": html("One", prose("one"))}
    with webhook() as hook:
        with scripted_web(site, ADDRESS) as web:
            home = web.url("/")
        toml = f'contact = "a@b.example"\n[[site]]\nseeds = ["{home}"]\nown = true\n'
        toml += f'[alerts]\nwebhook = "{hook.url}"\n'
        (tmp_path / "crawl.toml").write_text(toml, encoding="utf-8")
        scrapy(tmp_path, "crawl", "web", code=3)
        scrapy(tmp_path, "crawl", "web", code=3)  # it is too soon to ask again
        assert "is down: its robots.txt gave no answer" in scrapy(tmp_path, "alerts").stdout
        with scripted_web(site, ADDRESS, int(home.rpartition(":")[2].strip("/"))):
            # An event loop cannot begin twice in one process.
            assert run_apart(command(tmp_path, "robots", "--refresh", home.strip("/"))).returncode == 0
            scrapy(tmp_path, "crawl", "web")
        assert scrapy(tmp_path, "alerts").stdout == "no alarm is open\n"
    told = [(alert["status"], alert["kind"], alert["subject"]) for alert in hook.posted]
    assert told == [("open", "host-down", home.strip("/")), ("over", "host-down", home.strip("/"))]
    assert hook.posted[0]["id"] == hook.posted[1]["id"]


@pytest.mark.slow
def test_the_schedule_tells_of_a_job_that_fails_and_of_the_next_that_does_not(tmp_path: Path) -> None:
    """A key that somebody misspelled in the evening."""
    with webhook() as hook, scripted_web({"/": html("Home", prose("home"))}, ADDRESS) as web:
        good = f'[[site]]\nseeds = ["{web.url("/")}"]\nown = true\n[alerts]\nwebhook = "{hook.url}"\n'
        toml = tmp_path / "crawl.toml"
        toml.write_text(good, encoding="utf-8")
        watch = AlertWatch(
            load_config({"DATA_DIR": str(tmp_path), "CRAWL_TOML": str(toml)}), time.time, is_crawling=False
        )
        options = ["-s", f"DATA_DIR={tmp_path}", "-s", f"CRAWL_TOML={toml}"]
        for text in (f"contakt = 1\n{good}", f"contakt = 1\n{good}", good):
            toml.write_text(text, encoding="utf-8")
            _run_job(BlockingScheduler(), "crawl", options, watch, set())
    told = [(alert["status"], alert["kind"], alert["message"]) for alert in hook.posted]
    message = "The crawl failed: exit code 2, see its last line in the log"
    assert told == [("open", "failed", message), ("over", "failed", message)]


@pytest.mark.parametrize(
    ("name", "code", "is_refused", "is_failure", "why"),
    [
        ("crawl", 0, False, False, "it came to its end"),
        ("crawl", 3, False, False, "its hosts are an alarm of their own"),
        ("crawl", 1, False, True, "an error of ours"),
        ("crawl", -9, False, True, "it was killed"),
        ("rebuild", 1, True, False, "the refused index is one of its own"),
        ("rebuild", 1, False, True, "an error of ours has the same code"),
        ("rebuild", 3, False, True, "it asks no hosts"),
    ],
)
def test_which_ends_of_jobs_are_failures(
    tmp_path: Path, name: str, code: int, is_refused: bool, is_failure: bool, why: str
) -> None:
    if is_refused:
        generations.refuse(tmp_path, generations.create_draft(tmp_path, "rebuild"), ["it lost pages"])
    found = _describe_end(name, code, tmp_path)
    assert (found.kind, found.subject, found.is_wrong) == (AlertKind.FAILED, name, is_failure), why
    assert ("signal 9" in found.message) == (code == -9)
