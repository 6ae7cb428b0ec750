"""Sites that scripts draw, and crawls that render them."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from tests.engine.render.canaries import canary
from tests.running import scrapy
from tests.web.scripted import Answer, Route, Site, prose, scripted_web

SCRIPT = {"Content-Type": "text/javascript", "Cache-Control": "max-age=600"}
JSON = {"Content-Type": "application/json", "Cache-Control": "no-store"}
ROBOTS = Answer(200, "User-agent: *\nDisallow: /private/")
NOSCRIPT = "<noscript>You need to enable JavaScript to run this app.</noscript>"
APP = """
fetch('/api' + location.pathname).then(answer => answer.json()).then(page => {
  document.title = page.title;
  root.innerHTML = `<h1>${page.title}</h1><p>${page.text}</p>`
    + page.links.map(link => `<a href="${link}">${link}</a>`).join(' ');
});
"""


def bare(title: str, body: str) -> Answer:
    """A page without any text of its own."""
    return Answer(200, f"<!DOCTYPE html><title>{title}</title>{body}")


def shell(more: str = "") -> Answer:
    """What a host answers for each page of its application."""
    return bare("Application", f'<div id="root"></div>{NOSCRIPT}<script src="/app.js"></script>{more}')


def application(number: int, more: str = "") -> dict[str, Route]:
    """An application of so many pages; each links to two more, all by its scripts."""
    paths = ["/", *(f"/p{n}" for n in range(1, number))]
    routes: dict[str, Route] = {"/robots.txt": ROBOTS, "/app.js": Answer(200, APP, SCRIPT)}
    for n, path in enumerate(paths):
        page = {
            "title": f"Page {n}",
            "text": f"planted{n} {prose(path)}",
            "links": paths[2 * n + 1 : 2 * n + 3],
        }
        routes[path] = shell(more)
        routes[f"/api{path}"] = Answer(200, json.dumps(page), JSON)
    return routes


def write_toml(folder: Path, *sites: tuple[Site, str]) -> None:
    """A site for each, rendered by this word."""
    rows = [f'[[site]]\nseeds = ["{site.url()}"]\nown = true\n{render}\n' for site, render in sites]
    (folder / "crawl.toml").write_text("".join(rows))


def crawl(folder: Path) -> str:
    """`scrapy crawl web`; its summary."""
    return scrapy(folder, "crawl", "web").stdout


def counts(summary: str) -> dict[str, int]:
    """The lines of a summary that are a name and a number."""
    rows = (line.split("  such as ")[0].rsplit(maxsplit=1) for line in summary.splitlines())
    return {
        row[0].strip(): int(row[1].replace(",", "")) for row in rows if row[-1].replace(",", "").isdigit()
    }


def found(folder: Path, words: str) -> list[str]:
    """The URLs that a query finds."""
    answer = json.loads(scrapy(folder, "search", words, "--json").stdout)
    return [hit["url"] for hit in answer["hits"]]


def explained(folder: Path, url: str) -> dict[str, Any]:
    """`scrapy explain --json`."""
    answer: dict[str, Any] = json.loads(scrapy(folder, "explain", url, "--json").stdout)
    return answer


def assert_drawn_site_is_found(folder: Path, number: int) -> None:
    """All its pages; what robots.txt forbids is not asked for, nor anything of a private address."""
    with canary() as bird:
        hostile = (
            f"<script src=/private/x.js></script><script src=http://127.0.0.1:{bird.port}/x.js></script>"
            f"<script>fetch('http://localhost:{bird.port}/', {{mode: 'no-cors'}});"
            f"new WebSocket('ws://127.0.0.1:{bird.port}/');"
            f"new RTCPeerConnection({{iceServers: [{{urls: 'stun:127.0.0.1:{bird.port}'}}]}})"
            ".createDataChannel('x')</script>"
        )
        with scripted_web(application(number, hostile)) as site:
            write_toml(folder, (site, 'render = "always"'))
            summary = counts(crawl(folder))
            asked = Counter(site.paths)
        assert bird.touched == []
    assert summary["rendered"] == number
    assert summary["stored"] == number
    assert [path for path in asked if path.startswith("/private")] == []
    assert summary["rendering: refused, robots.txt"] >= number, "Chromium may try twice"
    assert asked["/app.js"] == 1, "a script that all pages share"
    assert {times for path, times in asked.items() if path != "/app.js"} == {1}
    for n in (0, 1, number // 2, number - 1):
        assert found(folder, f"planted{n}") == [site.url(f"/p{n}" if n else "/")]
    known = explained(folder, site.url("/p1"))["known"]
    assert known["rendered"] is True
    assert "(rendered)" in scrapy(folder, "explain", site.url("/p1")).stdout
    log = [
        json.loads(line) for file in (folder / "requests").glob("*") for line in file.read_text().splitlines()
    ]
    assert {one["kind"] for one in log if one["url"] == site.url("/app.js")} == {"resource"}
