"""Real crawls of sites that scripts draw: all pages are found, and the browser asks nobody itself."""

import json
import os
import signal
import threading
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from tests.crawling import states
from tests.running import WAIT_SECONDS, command_lines, scrapy
from tests.walk.rendered_sites import (
    APP,
    JSON,
    SCRIPT,
    application,
    assert_drawn_site_is_found,
    bare,
    counts,
    crawl,
    explained,
    found,
    shell,
    write_toml,
)
from tests.web.scripted import Answer, Route, Site, html, prose, scripted_web

pytestmark = [pytest.mark.chromium, pytest.mark.slow, pytest.mark.usefixtures("sandbox")]


def test_a_site_that_scripts_draw_is_found(tmp_path: Path) -> None:
    """Small; with 200 pages in tests/engine/render."""
    assert_drawn_site_is_found(tmp_path, 20)


def test_only_pages_with_next_to_no_text_are_rendered_by_auto(tmp_path: Path) -> None:
    ticking = html(
        "Page", f"<p>static {prose('a')} {prose('b')} {prose('c')}</p><script src=/count.js></script>"
    )
    routes = application(1) | {
        "/plain": ticking,
        "/empty": bare("Nothing", ""),
        "/count.js": Answer(200, "", SCRIPT),
    }
    page = {"title": "Page", "text": f"planted0 {prose('x')}", "links": ["/plain", "/empty"]}
    routes["/api/"] = Answer(200, json.dumps(page), JSON)
    with scripted_web(routes) as site:
        write_toml(tmp_path, (site, 'render = "auto"'))
        summary = counts(crawl(tmp_path))
    assert summary["rendered"] == 1
    assert "/count.js" not in site.paths
    assert found(tmp_path, "static") == [site.url("/plain")]
    assert explained(tmp_path, site.url("/plain"))["known"]["rendered"] is False


@pytest.mark.parametrize("render", ["", 'render = "never"'])
def test_without_rendering_a_page_without_text_is_counted_named_and_no_hit(
    tmp_path: Path, render: str
) -> None:
    """Nothing is asked for it, its links are followed; a page that is empty and has no scripts stays."""
    routes = application(1, '<a href="/plain"></a><a href="/bare"></a>')
    routes |= {
        "/plain": html("Plain", f"<p>{prose('p')}</p>"),
        "/bare": bare("Bare picture", "<img src=x.png>"),
    }
    with scripted_web(routes) as site:
        write_toml(tmp_path, (site, render))
        summary = crawl(tmp_path)
        asked = set(site.paths)
    assert counts(summary)["skipped: empty without scripts"] == 1
    assert f"such as {site.url('/')}" in summary
    assert "/app.js" not in asked
    assert states(tmp_path)[site.url("/")] == ("skipped", "empty without scripts")
    assert states(tmp_path)[site.url("/plain")][0] == "stored"
    assert states(tmp_path)[site.url("/bare")][0] == "stored"
    assert "render in its [[site]]" in scrapy(tmp_path, "explain", site.url("/")).stdout
    assert found(tmp_path, "application") == []


def test_what_was_empty_is_found_once_it_is_rendered(tmp_path: Path) -> None:
    """A 304 does not confirm a page that was never read, nor the shell of one that scripts draw anew."""
    routes = application(1)
    routes["/"] = replace(shell(), headers={"Content-Type": "text/html; charset=utf-8", "ETag": '"1"'})
    with scripted_web(routes) as site:
        write_toml(tmp_path, (site, ""))
        crawl(tmp_path)
        write_toml(tmp_path, (site, 'render = "auto"'))
        crawl(tmp_path)
        assert found(tmp_path, "planted0") == [site.url("/")]
        page = {"title": "Page", "text": f"changed {prose('y')}", "links": []}
        routes["/api/"] = Answer(200, json.dumps(page), JSON)
        crawl(tmp_path)
        assert found(tmp_path, "changed") == [site.url("/")]
        assert not [one for one in site.log if "if-none-match" in one.headers]


def test_text_of_web_components_is_found(tmp_path: Path) -> None:
    """Of a static page it is read without any script."""
    static = '<x-a><template shadowrootmode="open">declared <slot></slot></template>slotted</x-a>'
    attached = (
        "<script>customElements.define('x-a', class extends HTMLElement { connectedCallback() {"
        "this.attachShadow({mode: 'open'}).innerHTML = '<p>attac' + 'hed</p><slot></slot>' } })</script>"
        "<x-a><a href=/static></a></x-a>"
    )
    with scripted_web({"/": bare("Start", attached), "/static": bare("Static", static)}) as site:
        write_toml(tmp_path, (site, 'render = "auto"'))
        summary = counts(crawl(tmp_path))
    assert summary["rendered"] == 1
    assert found(tmp_path, "attached") == [site.url("/")]
    assert found(tmp_path, '"declared slotted"') == [site.url("/static")]


SAYINGS = [
    ("", "document.head.innerHTML += '<meta name=robots content=noindex>'", "noindex", "by its scripts"),
    ("<meta name=robots content=noindex>", "document.querySelector('meta[name=robots]').remove()", "noindex",
     "which its scripts take back"),
    ("<meta name=robots content=noarchive>", "document.querySelector('meta[name=robots]').remove()", "stored",
     "likewise"),
]  # fmt: skip


@pytest.mark.parametrize(("head", "source", "state", "why"), SAYINGS)
def test_the_stricter_of_both_directives_holds(
    tmp_path: Path, head: str, source: str, state: str, why: str
) -> None:
    body = f"<div id=root></div><script>{source}; root.append('planted words')</script>"
    with scripted_web({"/": html("Page", body, head)}) as site:
        write_toml(tmp_path, (site, 'render = "always"'))
        crawl(tmp_path)
    assert states(tmp_path)[site.url("/")][0] == state, why
    if state == "stored":
        answer = json.loads(scrapy(tmp_path, "search", "planted", "--json").stdout)
        assert len(answer["hits"]) == 1


def test_a_page_that_never_ends_keeps_its_text_or_is_counted(tmp_path: Path) -> None:
    routes: dict[str, Route] = {
        "/": html(
            "Start", '<p>planted text</p><a href="/empty">x</a><a href="/good">y</a><script>for(;;);</script>'
        ),
        "/empty": bare("Empty", "<script>for(;;);</script>"),
        "/good": html("Good", "<script>document.body.append('drawn words')</script>"),
    }
    with scripted_web(routes) as site:
        write_toml(tmp_path, (site, 'render = "always"'))
        summary = crawl(tmp_path)
    assert counts(summary)["rendering failed: it took too long"] == 2
    assert found(tmp_path, "planted") == [site.url("/")]
    assert states(tmp_path)[site.url("/empty")] == ("skipped", "empty without scripts")
    assert found(tmp_path, "drawn") == [site.url("/good")]


def test_a_browser_that_is_killed_loses_no_page(tmp_path: Path) -> None:
    """As the kernel kills one for memory: the crawl goes on with another."""
    routes = application(6)
    with scripted_web(routes) as site:
        slow = Answer(200, APP, SCRIPT, delay=3.0)
        routes["/app.js"] = slow
        write_toml(tmp_path, (site, 'render = "always"'))
        killer = threading.Thread(target=_kill_browser_of, args=(site,))
        killer.start()
        summary = counts(crawl(tmp_path))
        killer.join()
    assert summary["rendering: a browser was started again"] >= 1
    assert summary["stored"] == 6
    assert summary["rendered"] == 6


def _kill_browser_of(site: Site) -> None:
    """Kill the browser of our crawl as soon as it waits for a script."""
    until = time.monotonic() + WAIT_SECONDS
    while "/app.js" not in site.paths and time.monotonic() < until:
        time.sleep(0.05)
    for process, line in command_lines().items():
        with suppress(OSError):
            is_browser = b"--max-old-space-size" in line and b"--type=" not in line
            if is_browser and os.getpid() in _ancestors(process):
                os.kill(process, signal.SIGKILL)


def _ancestors(process: int) -> list[int]:
    found = [process]
    while found[-1] > 1:
        found.append(int(Path(f"/proc/{found[-1]}/stat").read_text().rpartition(")")[2].split()[1]))
    return found
