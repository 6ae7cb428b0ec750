"""The deploy hook from end to end: a real search page, a crawl that follows, and what is found then."""

import json
import threading
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.running import WAIT_SECONDS, ask, scrapy, serving
from tests.web.scripted import Answer, html, prose, scripted_web

TOML = 'contact = "owner@crawl.example"\n[[site]]\nown = true\nseeds = ["{}"]\n'


@pytest.mark.slow
@pytest.mark.requirement(8)
def test_a_deployment_is_found_after_the_next_crawl(tmp_path: Path) -> None:
    """Page, prefix and sitemap: queued, fetched, indexed; the state goes no way back."""
    old, new = "<p>avocet in the marsh</p>", "<p>bittern in the reeds</p>"
    routes = {"/": html("Start", prose("start") + '<a href="/docs/a">a</a>'), "/docs/a": html("A", old)}
    with scripted_web(routes) as site:
        (tmp_path / "crawl.toml").write_text(TOML.format(site.url("/")), encoding="utf-8")
        scrapy(tmp_path, "crawl", "web")
        made = scrapy(tmp_path, "token", "add", "deploy", "--site", site.url(""), "--json").stdout
        token = {"Authorization": f"Bearer {json.loads(made)['token']}"}
        site.routes["/docs/a"] = html("A", new + prose("a"))
        site.routes["/docs/new"] = html("New", "<p>curlew on the shore</p>" + prose("new"))
        listed = f"<urlset><url><loc>{site.url('/docs/listed')}</loc></url></urlset>"
        site.routes["/map.xml"] = Answer(200, listed, {"Content-Type": "application/xml"})
        site.routes["/docs/listed"] = html("Listed", "<p>dunlin on the beach</p>" + prose("listed"))
        with serving(tmp_path) as address, httpx.Client(base_url=address, timeout=WAIT_SECONDS) as client:
            asked = (("/docs/*", "page"), ("/docs/new", "page"), ("/map.xml", "sitemap"))
            places = []
            for path, kind in asked:
                answer = client.post(
                    "/api/recrawl", headers=token, json={"url": site.url(path), "kind": kind}
                )
                assert (answer.status_code, answer.json()["state"]) == (202, "queued")
                places.append(answer.headers["Location"])
            seen = watch(address, token, places, lambda: scrapy(tmp_path, "crawl", "web"))
            for place in places:
                assert client.get(place, headers=token).json()["state"] == "indexed"
                assert seen[place] in (["queued", "indexed"], ["queued", "fetched", "indexed"])
            for word, path in (("bittern", "/docs/a"), ("curlew", "/docs/new"), ("dunlin", "/docs/listed")):
                assert [hit["url"] for hit in ask(address, word)["hits"]] == [site.url(path)]
            assert ask(address, "avocet")["hits"] == []


def watch(address: str, token: dict[str, str], places: list[str], work: Any) -> dict[str, list[str]]:
    """The states of each request in the order in which a program sees them while something happens."""
    seen: dict[str, list[str]] = {place: [] for place in places}
    over = threading.Event()

    def look() -> None:
        with httpx.Client(base_url=address, timeout=WAIT_SECONDS, headers=token) as client:
            is_last = False
            while not is_last:
                is_last = over.wait(0.02)
                for place, states in seen.items():
                    state = client.get(place).json()["state"]
                    if states[-1:] != [state]:
                        states.append(state)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        work()
    finally:
        over.set()
        thread.join()
    return seen
