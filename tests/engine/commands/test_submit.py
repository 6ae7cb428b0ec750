"""`scrapy submit` and `scrapy recrawl`: what the operator wants visited; what the next crawl makes of it."""

import json
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.command import LycosaCommand
from engine.commands import recrawl, submit
from engine.database import open_database
from engine.store.blocklist import add_block, parse_target
from engine.store.page_store import Store
from engine.store.removals import REMOVED
from engine.store.wanted import load_forced
from tests.crawling import HOST, Clock, Web, chain, crawl_of, run, states
from tests.running import crawl, here, scrapy
from tests.web.scripted import Answer, html, scripted_web

TOML = f"""contact = "owner@crawl.example"
[[site]]
seeds = ["{HOST}/"]
own = true
exclude = "/private/"
[[host]]
name = "h.example"
index_names = ["index.html"]
"""
SITEMAP = f"""<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>{HOST}/b</loc><lastmod>2020-01-02</lastmod></url></urlset>
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder with a crawl.toml for one site."""
    (tmp_path / "crawl.toml").write_text(TOML, encoding="utf-8")
    return tmp_path


def visited(folder: Path, web: Web, clock: Clock) -> list[str]:
    """The URLs of pages that one more crawl asks for, in order."""
    web.log.clear()
    one = crawl_of(folder, clock, own=True)
    run(one, web, clock)
    one.store.close()
    return web.asked()


@pytest.mark.requirement(8, 38)
@pytest.mark.parametrize(
    ("typed", "said", "code", "why"),
    [
        ("http://h.example/x", "queued        http://h.example/x", 0, "requirement 8: in scope"),
        ("HTTP://H.example:80/./x#top", "queued        http://h.example/x", 0, "requirement 8: canonical"),
        ("http://h.example/x?utm_source=a", "queued        http://h.example/x", 0, "requirement 8: settled"),
        ("http://h.example/d/index.html", "queued        http://h.example/d/", 0, "requirement 8: settled"),
        ("h.example/x", "queued        https://h.example/x", 0, "https is what is meant today"),
        ("http://o.example/", "refused       http://o.example/  (scope)", 1, "requirement 8: a stranger's"),
        ("http://h.example/private/", "(exclude)", 1, "requirement 8: the operator's pattern"),
        ("http://h.example/a.zip", "(file type)", 1, "requirements 8, 38: what we do not read"),
        (f"http://h.example/{'x' * 2048}", "…  (length)", 1, "requirements 8, 38: the rule is not cut off"),
        ("http://bad.h.example/", "(removed)", 1, "requirement 8: blacklisted, with reason"),
        ("ftp://h.example/x", "refused       ftp://h.example/x  (", 1, "requirement 8: the scheme"),
        ("http://[/", "refused       http://[/  (", 1, "no URL"),
    ],
)
def test_what_is_taken(
    folder: Path, capsys: pytest.CaptureFixture[str], typed: str, said: str, code: int, why: str
) -> None:
    database = open_database(folder)
    with database.begin() as connection:
        add_block(connection, parse_target("http://bad.h.example"), "spam", "", 0.0)
    database.dispose()
    assert here(submit.Command(), folder, typed) == code, why
    assert said in capsys.readouterr().out, why
    assert len(states(folder)) == (not code), why


@pytest.mark.requirement(227, 261)
@pytest.mark.parametrize(
    ("mode", "path", "code", "why"),
    [
        ("cgi", "/list?a", 0, "requirement 261: a query is allowed"),
        ("all", "/list?a", 1, "requirement 261: it is not"),
        ("cgi", "/cgi-bin/a", 1, "requirement 227"),
        ("off", "/cgi-bin/a", 0, "requirement 261: nothing is left"),
    ],
)
@pytest.mark.parametrize("sites", [TOML, 'contact = "owner@crawl.example"\n'], ids=["sites", "no sites"])
def test_dynamic_urls_are_taken_as_crawl_toml_says(
    tmp_path: Path, sites: str, mode: str, path: str, code: int, why: str
) -> None:
    text = f'{sites}[limits]\nexclude_dynamic = "{mode}"\n'
    (tmp_path / "crawl.toml").write_text(text, encoding="utf-8")
    assert here(submit.Command(), tmp_path, HOST + path) == code, why
    assert here(submit.Command(), tmp_path, HOST + path, "--force") == 0, why


@pytest.mark.requirement(8)
def test_two_spellings_are_one_entry(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    typed = (f"{HOST}/x#a", f"{HOST}/%78", "ftp://x/", f"{HOST}/y")
    assert here(submit.Command(), folder, *typed) == 1
    words = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert words == ["queued", "known", "refused", "queued"]
    assert states(folder) == {f"{HOST}/x": ("queued", ""), f"{HOST}/y": ("queued", "")}


@pytest.mark.requirement(7)
def test_the_next_crawl_visits_first_what_was_submitted(folder: Path) -> None:
    """And a page that is known says its state instead of waiting twice."""
    web, clock = Web({**chain("/", "/b"), f"{HOST}/obscure": [f"{HOST}/new"]}), Clock()
    assert visited(folder, web, clock) == [f"{HOST}/", f"{HOST}/b"]
    assert here(submit.Command(), folder, f"{HOST}/obscure", f"{HOST}/b") == 0
    asked = visited(folder, web, clock)
    assert asked[0] == f"{HOST}/obscure"
    assert sorted(asked) == [f"{HOST}/", f"{HOST}/b", f"{HOST}/new", f"{HOST}/obscure"]
    assert states(folder)[f"{HOST}/obscure"] == ("stored", "")
    assert states(folder)[f"{HOST}/new"] == ("gone", "http 404")


def test_a_known_page_says_its_state(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    visited(folder, Web(chain("/", "/b")), Clock())
    assert here(submit.Command(), folder, f"{HOST}/b") == 0
    assert capsys.readouterr().out == f"known         {HOST}/b  (stored)\n"


@pytest.mark.requirement(2)
@pytest.mark.parametrize("words", [(), ("--force",)])
def test_robots_txt_counts_for_submitted_urls(
    folder: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    """Whether we know it when the URL is submitted, or only when its turn comes."""
    rules = {HOST: (200, b"User-agent: *\nDisallow: /secret")}
    web, clock = Web(chain("/", "/secret"), robots=rules), Clock(time.time())
    assert here(submit.Command(), folder, f"{HOST}/secret", *words) == 0
    assert visited(folder, web, clock) == [f"{HOST}/"]
    assert states(folder)[f"{HOST}/secret"] == ("disallowed", "robots.txt")
    capsys.readouterr()
    assert here(submit.Command(), folder, f"{HOST}/secret/2", *words) == 1
    assert "(robots.txt, line 2: Disallow: /secret)" in capsys.readouterr().out


def test_a_robots_txt_that_could_not_be_had_decides_nothing_yet(folder: Path) -> None:
    web, clock = Web(chain("/"), robots={HOST: (503, b"")}), Clock(time.time())
    assert visited(folder, web, clock) == []
    assert here(submit.Command(), folder, f"{HOST}/x") == 0


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (f"{HOST}/b", f"queued        {HOST}/b  (despite rule: stored)\n"),
        (f"{HOST}/a.zip", f"queued        {HOST}/a.zip  (despite rule: file type)\n"),
        ("http://o.example/", "queued        http://o.example/  (despite rule: scope)\n"),
        (f"{HOST}/new", f"queued        {HOST}/new\n"),
    ],
)
def test_force(folder: Path, capsys: pytest.CaptureFixture[str], typed: str, said: str) -> None:
    visited(folder, Web(chain("/", "/b")), Clock())
    assert here(submit.Command(), folder, typed, "--force") == 0
    assert capsys.readouterr().out == said
    store = Store(folder)
    with store.engine.connect() as connection:
        assert load_forced(connection) == {typed}
    store.close()


def test_force_does_not_bring_back_what_was_removed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = open_database(folder)
    with database.begin() as connection:
        add_block(connection, parse_target("h.example"), "asked to", "", 0.0)
    database.dispose()
    assert here(submit.Command(), folder, f"{HOST}/b", "--force") == 1
    assert f"({REMOVED})" in capsys.readouterr().out


@pytest.mark.requirement(68)
def test_who_forces_says_who_asks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is forced may be anybody's."""
    assert here(submit.Command(), tmp_path, f"{HOST}/b", "--force") == 2
    assert "-s CONTACT=you@example.org" in capsys.readouterr().err


@pytest.mark.parametrize(
    "toml",
    ["", "[[site]]\nseeds = ['seeds.txt']"],
    ids=["no site", "seeds in a file that only a crawl reads"],
)
def test_without_sites_scope_is_left_to_the_crawl(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], toml: str
) -> None:
    (tmp_path / "crawl.toml").write_text(toml, encoding="utf-8")
    assert here(submit.Command(), tmp_path, "http://any.example/") == 0
    assert here(submit.Command(), tmp_path, "http://any.example/a.zip") == 1
    capsys.readouterr()


@pytest.mark.parametrize(
    ("typed", "asked", "why"),
    [
        (f"{HOST}/b", [f"{HOST}/b"], "one page"),
        (f"{HOST}/index.html", [f"{HOST}/"], "as the operator spells it"),
        ("h.example", [f"{HOST}/", f"{HOST}/b", f"{HOST}/c"], "all of the host"),
    ],
)
def test_recrawl(
    folder: Path, capsys: pytest.CaptureFixture[str], typed: str, asked: list[str], why: str
) -> None:
    """The next crawl visits this first although its sitemap names no change; pages stay till then."""
    maps = {f"{HOST}/sitemap.xml": SITEMAP}
    web, clock = Web(chain("/", "/b", "/c"), sitemaps=maps, seconds=0.3), Clock()  # each a commit
    visited(folder, web, clock)
    clock.now += 60
    assert here(recrawl.Command(), folder, typed, "--json") == 0
    sitemaps = len(asked) > 1
    assert json.loads(capsys.readouterr().out) == {"queued": len(asked) + sitemaps}, why
    store = Store(folder)
    assert store.census().pages == 3, why
    store.close()
    assert visited(folder, web, clock)[: len(asked)] == asked, why


def test_recrawl_asks_only_for_what_is_new(folder: Path) -> None:
    """Its visit is a conditional one: the deployment sends what has changed."""
    web, clock = Web(chain("/"), headers={f"{HOST}/": [("etag", '"1"')]}), Clock()
    visited(folder, web, clock)
    assert here(recrawl.Command(), folder, f"{HOST}/") == 0
    one = crawl_of(folder, clock, own=True)
    claim = one.claim()
    one.store.close()
    assert claim
    assert (claim.url, claim.etag) == (f"{HOST}/", '"1"')


@pytest.mark.parametrize("typed", [f"{HOST}/none", "other.example", "https://h.example", "http://[/", "a/b"])
def test_recrawl_of_what_is_not_known(folder: Path, capsys: pytest.CaptureFixture[str], typed: str) -> None:
    visited(folder, Web(chain("/")), Clock())
    assert here(recrawl.Command(), folder, typed) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)


@given(typed=st.text(max_size=40))
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.parametrize("command", [submit.Command, recrawl.Command])
def test_no_junk_breaks_it(
    folder: Path, capsys: pytest.CaptureFixture[str], command: type[LycosaCommand], typed: str
) -> None:
    assert here(command(), folder, f"{HOST}/{typed}") in (0, 1, 2)
    out, err = capsys.readouterr()
    assert out.replace("\n", "").isprintable()
    assert bool(out) is not bool(err)


@pytest.mark.slow
@pytest.mark.requirement(2, 7)
def test_in_processes_of_their_own(tmp_path: Path) -> None:
    """Over HTTP, the submitted page is found and the disallowed one never requested."""
    robots = Answer(200, "User-agent: *\nDisallow: /secret")
    routes = {"/robots.txt": robots, "/": html("Start", "avocet"), "/obscure": html("Obscure", "dunlin")}
    with scripted_web(routes) as site:
        said = scrapy(tmp_path, "submit", site.url("/obscure"), site.url("/secret")).stdout
        assert [line.split()[0] for line in said.splitlines()] == ["queued", "queued"]
        crawl(tmp_path, site.url("/"))
        assert site.paths.count("/obscure") == 1
        assert "/secret" not in site.paths
        explained = json.loads(scrapy(tmp_path, "explain", site.url("/obscure"), "--json").stdout)
        assert (explained["state"], explained["indexed"]) == ("stored", True)
        explained = json.loads(scrapy(tmp_path, "explain", site.url("/secret"), "--json").stdout)
        assert (explained["state"], explained["robots"]["allowed"]) == ("disallowed", False)
