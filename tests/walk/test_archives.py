"""Archives as other programs write them: what wget has mirrored is as if it had been crawled."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.running import crawl, scrapy
from tests.web.scripted import Answer, Route, anchors, html, prose, scripted_web

PAGES = {
    "/robots.txt": Answer(body="User-agent: *\nDisallow: /private\n", headers={"Content-Type": "text/plain"}),
    "/": html("Home", prose("1") + anchors(["/a", "/b", "/private", "/moved", "/none"])),
    "/a": html("A", prose("2") + anchors(["/b", "/chunks"])),
    "/b": html("B", '<meta name="robots" content="noarchive">' + prose("3")),
    "/chunks": Answer(raw=b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
                      b"10\r\n<title>C</title>\r\n9\r\n<p>chunky\r\n0\r\n\r\n"),
    "/private": html("Private", prose("4")),
    "/moved": Answer(301, headers={"Location": "/a"}),
}  # fmt: skip


def exported(data: Path) -> dict[str, dict[str, object]]:
    """What is stored, by URL, without what tells one run from another."""
    scrapy(data, "export", str(data / "pages.jsonl"))
    lines = map(json.loads, (data / "pages.jsonl").read_text().splitlines())
    return {
        line["url"]: {k: v for k, v in line.items() if k not in ("change", "fetched_at")} for line in lines
    }


@pytest.mark.slow
@pytest.mark.wget
def test_a_mirror_of_wget_is_as_if_it_had_been_crawled(tmp_path: Path) -> None:
    routes: dict[str, Route] = dict(PAGES)
    with scripted_web(routes) as site:
        mirror = ["wget", "--quiet", "--recursive", "--level=inf", "--delete-after", "-e", "robots=off"]
        subprocess.run(
            [*mirror, "--warc-file=site", site.url("/robots.txt"), site.url("/")], cwd=tmp_path, check=False
        )
        crawl(tmp_path / "crawled", site.url("/"))
    said = scrapy(tmp_path / "imported", "import", str(tmp_path / "site.warc.gz")).stdout
    assert said.startswith("4 pages imported from 1 file\n"), said
    assert exported(tmp_path / "imported") == exported(tmp_path / "crawled")
    answers = [
        [
            hit["url"]
            for hit in json.loads(scrapy(tmp_path / data, "search", "chunky", "--json").stdout)["hits"]
        ]
        for data in ("imported", "crawled")
    ]
    assert answers[0] == answers[1] == [site.url("/chunks")]
