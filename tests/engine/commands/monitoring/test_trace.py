"""`scrapy trace`, `failed`, `report` and `status --hosts` after real crawls of a real site."""

import json
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from engine.history import LOG_FOLDER
from engine.store import Store, start_run
from tests.running import crawl, scrapy
from tests.web.scripted import Answer, Route, Site, anchors, html, prose, scripted_web

ROBOTS = Answer(200, "User-agent: *\nDisallow: /private", {"Content-Type": "text/plain"})
PATHS = ("/1", "/2?token=abc", "/gone", "/private/x", "/picture.jpg", "http://other.example/")


def routes() -> dict[str, Route]:
    return {
        "/robots.txt": ROBOTS,
        "/": html("Start", prose("start") + anchors(PATHS)),
        "/1": html("One", prose("one")),
        "/2": html("Two", prose("two")),
        "/gone": Answer(410),
    }


def traced(data: Path, site: Site, path: str = "") -> list[dict[str, Any]]:
    lines = scrapy(data, "trace", site.url(path), "--json").stdout.splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.slow
@pytest.mark.requirement(86, 258)
def test_after_a_crawl_each_request_and_each_skip_has_a_line(tmp_path: Path) -> None:
    with scripted_web(routes()) as site:
        crawl(tmp_path, site.url("/"))
        asked = sorted(request.path.partition("?")[0] for request in site.log)
    found = traced(tmp_path, site)
    requests = [one for one in found if one["event"] == "request"]
    assert sorted(one["url"].partition("?")[0] for one in requests) == [site.url(path) for path in asked]
    told = {
        one["url"]: (one.get("status"), one.get("outcome"), one.get("rule"), one.get("from")) for one in found
    }
    assert told == {
        site.url("/robots.txt"): (200, None, None, "crawl"),
        site.url("/sitemap.xml"): (404, "gone", None, "crawl"),
        site.url("/"): (200, "stored", None, "seed"),
        site.url("/1"): (200, "stored", None, "link"),
        site.url("/2?token=***"): (200, "stored", None, "link"),
        site.url("/gone"): (410, "gone", None, "link"),
        site.url("/private/x"): (None, None, "robots.txt", "link"),
        site.url("/picture.jpg"): (None, None, "file type", None),
    }
    assert "abc" not in "".join(path.read_text() for path in (tmp_path / LOG_FOLDER).iterdir())
    (other,) = scrapy(tmp_path, "trace", "other.example").stdout.splitlines()
    assert other.endswith("http://other.example/  skipped by the rule scope")
    (one,) = scrapy(tmp_path, "trace", site.url("/1")).stdout.splitlines()
    assert "http 200, " in one
    assert one.endswith(f"stored (link {site.url('/')})")


def test_nothing_is_found_with_exit_code_1(tmp_path: Path) -> None:
    done = scrapy(tmp_path, "trace", "http://h.example/a\x1bb", code=1)
    assert done.stdout == "the request log has no line about the URL http://h.example/a%1Bb\n"
    assert scrapy(tmp_path, "trace", "no host", code=2).stderr.startswith("scrapy trace: 'no host'")


@pytest.mark.slow
@pytest.mark.requirement(61)
def test_the_second_night_beside_the_first(tmp_path: Path) -> None:
    """Two hosts, of which one dies; two pages change, one goes, one comes."""
    there = routes()
    with scripted_web(there) as site:
        with scripted_web({"/": html("Other", prose("other"))}, "127.0.0.2") as mortal:
            first = crawl(tmp_path, site.url("/"), mortal.url("/"))
        assert "the last one" not in first
        there |= {"/1": html("One", prose("changed")), "/2": Answer(410), "/3": html("Three", prose("three"))}
        there["/"] = html("Start", prose("start") + anchors((*PATHS, "/3")))
        seeds = f"seeds={site.url('/')},{mortal.url('/')}"
        second = scrapy(tmp_path, "crawl", "web", "-a", seeds, "-a", "own=1", code=3).stdout
    report = json.loads(scrapy(tmp_path, "report", "--json").stdout)
    pages = {name: report["crawl"][name] for name in ("new", "changed", "gone")}
    assert pages == {"new": 1, "changed": 2, "gone": 1}
    assert report["before"]["new"] == 4
    assert [one["host"] for one in report["lost"]] == [mortal.url("")]
    lost = second.split("hosts lost")[1].splitlines()
    assert lost[0].endswith(": 1")
    assert lost[1].startswith(f"  {mortal.url('')} (connection refused ×")
    assert scrapy(tmp_path, "report").stdout in second


@pytest.mark.slow
@pytest.mark.requirement(86)
def test_hosts_and_what_they_answered(tmp_path: Path) -> None:
    assert scrapy(tmp_path, "status", "--hosts").stdout == "no host was asked yet\n"
    with scripted_web(routes()) as site:
        crawl(tmp_path, site.url("/"))
    (host,) = json.loads(scrapy(tmp_path, "status", "--hosts", "--json").stdout)["hosts"]
    assert (host["host"], host["requests"], host["pages"], host["errors"]) == (site.url(""), 6, 4, 1)
    assert host["statuses"] == {"200": 3, "410": 1, "robots 200": 1, "sitemap 404": 1}
    assert host["requests_per_minute"] is None, "nothing is requested any more"
    shown = scrapy(tmp_path, "status", "--hosts").stdout
    assert shown.startswith(f"no crawl is running; in the last one:\n{site.url('')}")
    assert "/min" not in shown
    with closing(Store(tmp_path)) as store, store.engine.begin() as connection:
        start_run(connection, "crawl", time.time())
    (host,) = json.loads(scrapy(tmp_path, "status", "--hosts", "--json").stdout)["hosts"]
    assert host["requests_per_minute"] > 0
    shown = scrapy(tmp_path, "status", "--hosts").stdout
    assert shown.startswith(site.url(""))
    assert "/min" in shown
    assert "    200 ×3, 410 ×1, robots 200 ×1, sitemap 404 ×1\n" in shown


@pytest.mark.slow
def test_failed_urls_with_reason_and_next_try(tmp_path: Path) -> None:
    assert scrapy(tmp_path, "failed").stdout == "no URL has failed\n"
    assert json.loads(scrapy(tmp_path, "failed", "--json").stdout) == {"failed": []}
    with scripted_web(routes() | {"/1": Answer(500)}) as site:
        crawl(tmp_path, site.url("/"))
    first, second = json.loads(scrapy(tmp_path, "failed", "--json").stdout)["failed"]
    assert (first["url"], first["reason"], first["times"]) == (site.url("/1"), "http 500", 3)
    assert (second["url"], second["state"], second["next_try"]) == (
        site.url("/gone"),
        "gone",
        "in the next crawl",
    )
    shown = scrapy(tmp_path, "failed").stdout
    assert f"{site.url('/1')}\n    http 500, {first['last_visit']}, 3 times in a row\n" in shown


@pytest.mark.slow
@pytest.mark.requirement(61)
def test_urls_that_failed_and_requests_that_failed_are_two_things(tmp_path: Path) -> None:
    """The summary counts URLs as errors, the comparison below it requests: under another name."""
    with scripted_web(routes() | {"/1": Answer(500)}) as site:
        summary = crawl(tmp_path, site.url("/"))
    said = (summary + scrapy(tmp_path, "report").stdout).splitlines()
    counted = [" ".join(line.split()) for line in said if line.startswith(("errors ", "failed requests "))]
    assert counted == ["errors 2", "failed requests 4"], "/1 was asked for three times, /gone once"
    (first, _) = scrapy(tmp_path, "status", "--hosts").stdout.splitlines()[1:]
    assert " 4 failed " in first


@pytest.mark.slow
def test_a_log_that_cannot_be_written_ends_no_crawl(tmp_path: Path) -> None:
    (tmp_path / LOG_FOLDER).touch()
    with scripted_web(routes()) as site:
        done = scrapy(tmp_path, "crawl", "web", "-a", f"seeds={site.url('/')}", "-a", "own=1")
    assert "the request log cannot be written (File exists)" in done.stderr
    assert done.stdout.startswith("stored                                         3\n")


def test_nothing_was_crawled_yet(tmp_path: Path) -> None:
    said = scrapy(tmp_path, "report", code=2).stderr
    assert said == "scrapy report: no crawl has requested anything yet; 'scrapy crawl web' begins one\n"
