"""Real crawls of sites that scripts draw: each request of a page passes the gates of the crawl."""

import os
from itertools import pairwise
from pathlib import Path

import pytest

from tests.crawling import states
from tests.engine.render.canaries import canary
from tests.running import scrapy
from tests.walk.logins import SECRET as LOGIN_SECRET
from tests.walk.logins import of_basic
from tests.walk.logins import write_toml as write_login
from tests.walk.rendered_sites import ROBOTS, SCRIPT, application, bare, counts, crawl, found, write_toml
from tests.walk.test_pace import PAUSE, TOLERANCE
from tests.web.private import PrivateSite, by_basic
from tests.web.scripted import Answer, Site, html, scripted_web

pytestmark = [pytest.mark.chromium, pytest.mark.slow, pytest.mark.usefixtures("sandbox")]


def test_as_root_nothing_is_rendered_and_nothing_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root has no sandbox everywhere")
    system = os.environ["PATH"].partition(os.pathsep)[2]
    monkeypatch.setenv("PATH", system)
    with scripted_web(application(1)) as site:
        write_toml(tmp_path, (site, 'render = "always"'))
        done = scrapy(tmp_path, "crawl", "web", code=2)
        assert site.paths == []
    assert "a user other than root" in done.stderr.strip().splitlines()[-1]


def test_what_a_page_asks_for_comes_at_the_pace_of_its_host(tmp_path: Path) -> None:
    """A stranger's: one request at a time, robots.txt, pages, scripts and data alike."""
    with scripted_web(application(2)) as site:
        text = f'[[site]]\nseeds = ["{site.url()}"]\nprofile = "brisk"\nrender = "always"\n'
        who = 'contact = "tests@site.example"\nallow_private = ["127.0.0.1"]\n'
        (tmp_path / "crawl.toml").write_text(who + text)
        summary = counts(crawl(tmp_path))
    assert summary["rendered"] == 2
    assert {"/", "/app.js", "/api/", "/p1", "/api/p1"} <= set(site.paths)
    assert {one.headers["user-agent"] for one in site.log} == {"Lycosa/0.1.0 (+tests@site.example)"}
    for before, after in pairwise(site.log):
        assert after.start >= before.end
        assert after.start - before.start >= PAUSE - TOLERANCE, (before.path, after.path)


def test_what_is_behind_a_login_is_rendered_by_it_and_asks_nobody_else(tmp_path: Path) -> None:
    """The login is with what its pages ask for, and with nothing else."""
    with scripted_web({"/robots.txt": ROBOTS, "/cdn.js": Answer(200, "", SCRIPT), "/": html("CDN")}) as other:
        routes = application(2, f'<script src="{other.url("/cdn.js")}"></script>')
        with PrivateSite(routes, by_basic(LOGIN_SECRET)) as site:
            rows = "".join(
                f'[[site]]\nseeds = ["{one.url()}"]\nown = true\naudience = "everyone"\nrender = "always"\n'
                for one in (other, site)
            )
            write_login(tmp_path, site, of_basic(tmp_path, site), rows)
            crawl(tmp_path)
            assert found(tmp_path, "planted1") == [site.url("/p1")]
            assert {one.path for one in site.log if "authorization" in one.headers} >= {"/app.js", "/api/p1"}
        assert "/cdn.js" not in other.paths
        assert not [one for one in other.log if "authorization" in one.headers]


def test_a_script_of_another_host_of_the_crawl(tmp_path: Path) -> None:
    """It is asked for once both are crawled, by its own robots.txt; of a host that is not, never."""
    robots = Answer(200, "User-agent: *\nDisallow: /no")
    drawing = Answer(200, "root.append('planted words')", SCRIPT)
    scripts = {"/yes.js": drawing, "/no.js": Answer(200, "", SCRIPT)}
    known = {"/robots.txt": robots, "/": html("CDN"), **scripts}
    with scripted_web(known) as cdn, scripted_web(scripts) as unknown:
        urls = [site.url(path) for site in (cdn, unknown) for path in scripts]
        tags = "".join(f'<script src="{url}"></script>' for url in urls)
        page = bare("Page", f"<div id=root></div>{tags}")
        routes = {"/": html("Start", '<a href="/page">x</a>'), "/page": page}
        with scripted_web(routes) as site:
            write_toml(tmp_path, (cdn, ""), (site, 'render = "always"'))
            crawl(tmp_path)
        assert set(cdn.paths) == {"/robots.txt", "/sitemap.xml", "/", "/yes.js"}
        assert unknown.paths == []
        assert found(tmp_path, "planted") == [site.url("/page")]


def _named(folder: Path, pages: Site, *names: str, allowed: str = "") -> None:
    """A crawl of one site of the operator's, which names these hosts for its scripts."""
    quoted = ", ".join(f'"{name}"' for name in names)
    (folder / "crawl.toml").write_text(
        f'allow_private = ["{allowed}"]\n[[site]]\nseeds = ["{pages.url()}"]\nown = true\n'
        f'render = "always"\nrender_hosts = [{quoted}]\n'
    )


def test_a_host_that_the_site_names_gives_its_scripts_alone(tmp_path: Path) -> None:
    """By its own robots.txt; nothing of it is crawled, and the next crawl asks it again."""
    cdn_routes = {
        "/robots.txt": Answer(200, "User-agent: *\nDisallow: /no\nSitemap: /map.xml"),
        "/yes.js": Answer(200, "root.append('planted words')", SCRIPT),
        "/no.js": Answer(200, "root.append('forbidden words')", SCRIPT),
        "/": html("CDN"),
    }
    with scripted_web(cdn_routes) as cdn, canary() as bird:
        name = f"{cdn.address}:{cdn.port}"
        tags = "".join(f'<script src="{cdn.url(path)}"></script>' for path in ("/no.js", "/yes.js"))
        tags += f"<script src=http://127.0.0.1:{bird.port}/x.js></script><a href={cdn.url()}>CDN</a>"
        with scripted_web({"/": bare("Page", f"<div id=root></div>{tags}")}) as pages:
            _named(tmp_path, pages, name, f"127.0.0.1:{bird.port}", allowed=name)
            summary = counts(crawl(tmp_path))
            assert cdn.paths == ["/robots.txt", "/yes.js"]
            assert found(tmp_path, "planted") == [pages.url("/")]
            assert {url for url in states(tmp_path) if not url.startswith(pages.url())} == set()
            crawl(tmp_path)
        assert cdn.paths.count("/yes.js") == 2
        private = {"cookie", "authorization", "referer"}
        assert not [one for one in cdn.log if private & one.headers.keys()]
        assert bird.touched == [], "it is named, but its address is private"
    assert summary["rendering: refused, robots.txt"] >= 1


def test_a_page_that_is_empty_without_another_host_says_so(tmp_path: Path) -> None:
    with scripted_web({"/app.js": Answer(200, "root.append('planted')", SCRIPT)}) as cdn:
        page = bare("Page", f"<div id=root></div><script src={cdn.url('/app.js')}></script>")
        with scripted_web({"/": page}) as pages:
            write_toml(tmp_path, (pages, 'render = "auto"'))
            summary = crawl(tmp_path)
            line = f'render_hosts = ["127.0.0.1:{cdn.port}"] in its [[site]]'
            assert line in summary
            assert counts(summary)["skipped: empty without scripts of other hosts"] == 1
            assert line in scrapy(tmp_path, "explain", pages.url()).stdout
            assert cdn.paths == []
            _named(tmp_path, pages, f"127.0.0.1:{cdn.port}", allowed=f"127.0.0.1:{cdn.port}")
            crawl(tmp_path)
            assert found(tmp_path, "planted") == [pages.url("/")], "as it was told"


def test_a_site_behind_a_login_names_no_hosts(tmp_path: Path) -> None:
    with PrivateSite(application(1), by_basic(LOGIN_SECRET)) as site:
        rows = (
            f'[[site]]\nseeds = ["{site.url()}"]\nown = true\naudience = "everyone"\nrender = "auto"\n'
            'render_hosts = ["cdn.example"]\n'
        )
        write_login(tmp_path, site, of_basic(tmp_path, site), rows)
        done = scrapy(tmp_path, "crawl", "web", code=2)
        assert site.paths == []
    assert "is behind a login: its pages ask no other host" in done.stderr
