"""Owners who say no, and sites that do not work: what reaches the network, and what is found."""

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.database import hosts, open_database
from engine.packing.packing import unpack_robots
from engine.search.search import SearchService
from engine.store.known_hosts import save_robots
from tests.running import crawl, scrapy
from tests.web.scripted import Answer, Route, html, prose, scripted_web

pytestmark = pytest.mark.slow


def found(data: Path, words: str) -> list[str]:
    search = SearchService(data)
    try:
        return [hit.url for hit in search.search(words, size=100).hits]
    finally:
        search.close()


SAYINGS = [
    (Answer(200, "User-agent: *\nDisallow: /private/"), {"/", "/open"}, "requirement 104"),
    (Answer(403), set(), "requirement 107"),
    (Answer(503), set(), "requirement 108"),
    (Answer(drop=True), set(), "requirement 109"),
    (Answer(404), {"/", "/open", "/private/a"}, "requirement 105"),
]


def host_that_says(robots: Answer, name: str) -> dict[str, Route]:
    links = '<a href="/open">open</a> <a href="/private/a">private</a>'
    texts = {"/": links, "/open": "open", "/private/a": "private"}
    pages = {
        path: html(f"{name}{path}", f"<p>{name} {text} {prose(name + path)}</p>")
        for path, text in texts.items()
    }
    return {"/robots.txt": robots, **pages}


@pytest.mark.requirement(104, 105, 107, 108, 109, 263)
def test_robots_txt(tmp_path: Path) -> None:
    """Also on the operator's own hosts."""
    with ExitStack() as stack:
        routes = [host_that_says(robots, f"plimsoll{'abcde'[n]}") for n, (robots, _, _) in enumerate(SAYINGS)]
        sites = [stack.enter_context(scripted_web(one)) for one in routes]
        crawl(tmp_path, *(site.url("/") for site in sites))
        for n, (site, (_, asked, why)) in enumerate(zip(sites, SAYINGS, strict=True)):
            paths = [path for path in site.paths if path not in ("/robots.txt", "/sitemap.xml")]
            assert sorted(paths) == sorted(asked), why
            assert len(found(tmp_path, f"plimsoll{'abcde'[n]}")) == len(asked), why


@pytest.mark.requirement(199, 200, 201, 213, 218, 301)
def test_meta_gate(tmp_path: Path) -> None:
    """Also where there is no robots.txt."""
    routes = {
        "/": html("Start", '<a href="/noindex">a</a> <a href="/nofollow">b</a> <a href="/header">c</a>'),
        "/noindex": html("N", '<p>wimbrel</p><a href="/led">x</a>', '<meta name=robots content="NoIndex">'),
        "/led": html("Led", "<p>wimbrel led here by a noindex page</p>"),
        "/nofollow": html(
            "F", '<p>wimbrel</p><a href="/hidden">x</a>', "<meta name=ROBOTS content=nofollow>"
        ),
        "/hidden": html("Hidden", "<p>wimbrel</p>"),
        "/header": Answer(
            200,
            "<title>H</title><p>wimbrel</p>",
            {"Content-Type": "text/html", "X-Robots-Tag": "otherbot: nofollow, noindex"},
        ),
    }
    with scripted_web(routes) as site:
        crawl(tmp_path, site.url("/"))
        assert "/hidden" not in site.paths
        urls = {site.url(path) for path in ("/led", "/nofollow", "/header")}
    assert set(found(tmp_path, "wimbrel")) == urls


@pytest.mark.requirement(219)
def test_a_page_that_turned_noindex_leaves(tmp_path: Path) -> None:
    routes = {"/": html("Start", '<p>corncrake</p><a href="/a">a</a>'), "/a": html("A", "<p>corncrake a</p>")}
    with scripted_web(routes) as site:
        crawl(tmp_path, site.url("/"))
        assert len(found(tmp_path, "corncrake")) == 2
        site.routes["/a"] = html("A", "<p>corncrake a</p>", '<meta name="lycosa" content="none">')
        crawl(tmp_path, site.url("/"))
        assert found(tmp_path, "corncrake") == [site.url("/")]


RULES = "User-agent: *\nDisallow: /a/"


@pytest.mark.requirement(120, 121)
@pytest.mark.parametrize("way", ["the next visit", "refresh"])
def test_what_new_rules_forbid_is_not_found_any_more(tmp_path: Path, way: str) -> None:
    """An owner adds `Disallow: /a/` to a crawled site."""
    paths = ("/a/", "/a/1", "/a/b/2", "/about", "/b")
    routes = {path: html(path, f"<p>dunlin {path}</p>{prose(path)}") for path in paths}
    links = "".join(f'<a href="{path}">{path}</a>' for path in paths)
    with scripted_web({"/": html("Start", f"<p>dunlin</p>{links}"), **routes}) as site:
        crawl(tmp_path, site.url("/"))
        assert len(found(tmp_path, "dunlin")) == 6
        site.routes["/robots.txt"] = Answer(200, RULES)
        contact = ("-s", "CONTACT=a@b.example")
        if way == "refresh":
            done = scrapy(tmp_path, "robots", "--refresh", site.url("/"), *contact)
            assert "3 pages left the index" in done.stderr
        else:
            a_day_passes(tmp_path)
            crawl(tmp_path, site.url("/"))
        assert set(found(tmp_path, "dunlin")) == {site.url(path) for path in ("/", "/about", "/b")}
        said = scrapy(tmp_path, "robots", site.url("/a/b/2"), code=1).stdout
        assert "disallowed" in said
        assert "line 2" in said
        assert "fetched" in said
        assert "Disallow: /a/" in said
        scrapy(tmp_path, "robots", site.url("/about"), code=0)


def a_day_passes(data: Path) -> None:
    """What was known of every robots.txt has run out."""
    engine = open_database(data)
    with engine.begin() as connection:
        for host, packed in connection.execute(sa.select(hosts.c.host, hosts.c.robots)).all():
            save_robots(connection, host, replace(unpack_robots(packed), expires_at=0.0))
    engine.dispose()


@pytest.mark.requirement(18, 86, 113, 262, 276)
def test_sites_that_do_not_work_are_crawled_past(tmp_path: Path) -> None:
    odd = {
        "/drop": Answer(drop=True),
        "/raw": Answer(raw=b"\x00\x01\x02 not HTTP at all\r\n\r\n"),
        "/gzip": Answer(200, b"\x1f\x8b broken", {"Content-Type": "text/html", "Content-Encoding": "gzip"}),
        "/image": Answer(200, b"\x89PNG", {"Content-Type": "image/png"}),
        "/junk": Answer(200, bytes(range(256)) * 40, {"Content-Type": "text/html"}),
        "/teapot": Answer(418),
        "/loop": Answer(302, headers={"Location": "/loop"}),
        "/nowhere": Answer(302, headers={"Location": "javascript:alert(1)"}),
        "/good": html("Good", "<p>godwit</p>"),
    }
    links = " ".join(f'<a href="{path}">{path}</a>' for path in odd)
    with scripted_web({"/": html("Start", links), **odd}) as site:
        summary = crawl(tmp_path, site.url("/"))
        assert found(tmp_path, "godwit") == [site.url("/good")]
        assert site.paths.count("/gzip") == 1, "what is wrong with a page is no reason to ask again"
    errors = ("connection lost", "http 418", "redirect loop", "damaged body")
    for kind in (*(f"errors: {error}" for error in errors), "skipped: type"):
        assert kind in summary, summary


def test_private_addresses_are_not_contacted(tmp_path: Path) -> None:
    """A seed of nobody's own on loopback, and a link of an own site to another port."""
    toml = 'contact = "a@b.example"\n[[site]]\nscope = "any"\nown = true\nseeds = ["{}"]\n'
    stranger = '[[site]]\nprofile = "brisk"\nseeds = ["{}"]\n'
    with scripted_web({"/": html("Inside", "<p>secret</p>")}) as inside, scripted_web({}) as other:
        link = f'<a href="{inside.url("/")}">in</a>'
        with scripted_web({"/": html("Start", f"<p>start</p>{link}")}) as site:
            words = toml.format(site.url("/")) + stranger.format(other.url("/"))
            (tmp_path / "crawl.toml").write_text(words, encoding="utf-8")
            summary = scrapy(tmp_path, "crawl", "web", code=3).stdout
            assert (inside.log, other.log) == ([], [])
            assert "/" in site.paths
            assert "robots.txt gave no answer" in summary
            (tmp_path / "crawl.toml").write_text(stranger.format(inside.url("/")), encoding="utf-8")
            allowed = ("-s", f"ALLOW_PRIVATE={inside.url('/').split('/')[2]}", "-s", "CONTACT=a@b.example")
            scrapy(tmp_path, "crawl", "web", "-a", "fresh=1", *allowed)
            assert "/" in inside.paths


@pytest.mark.requirement(300, 301)
def test_ten_linking_hosts_go_before_one(tmp_path: Path) -> None:
    text = "<p>bittern bittern in the reeds, with exactly the same words on either page but one: {}</p>"
    with scripted_web(
        {"/a": html("Bittern", text.format("alpha")), "/b": html("Bittern", text.format("omega"))}
    ) as site:
        voters = [
            scripted_web({"/": html(f"Voter {n}", f'<a href="{site.url("/b" if n else "/a")}">see</a>')})
            for n in range(11)
        ]
        sites = [voter.__enter__() for voter in voters]
        crawl(tmp_path, *(one.url("/") for one in sites), site.url("/a"), site.url("/b"))
        for voter in voters:
            voter.__exit__(None, None, None)
    assert found(tmp_path, "bittern") == [site.url("/b"), site.url("/a")]
