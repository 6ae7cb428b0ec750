"""A crawl on a fake clock that meets several spellings of one page."""

from pathlib import Path

import pytest

from engine.config import SiteConfig
from engine.crawl import Crawl, Limits
from engine.frontier.sites import build_sites
from engine.model.page import State
from engine.store.page_store import Store
from engine.url import Aliases, KnownHost
from tests.crawling import HOST, Clock, Web, run, states

OTHER = "http://www.h.example"
KNOWN = KnownHost((HOST,), (OTHER,), True, ("index.html",), ("sid",))


def crawl(folder: Path, web: Web, seed: str = f"{HOST}/") -> Crawl:
    """A whole crawl by an operator who knows the host."""
    clock = Clock()
    sites = build_sites([SiteConfig((seed,))], Aliases((KNOWN,)))
    made = Crawl(Store(folder), sites, Limits(), clock, lambda: 0.0)
    made.open()
    run(made, web, clock)
    return made


@pytest.mark.requirement(30, 31, 32, 34, 37)
@pytest.mark.parametrize(
    ("links", "asked", "why"),
    [
        ([f"{HOST}/A", f"{HOST}/a"], f"{HOST}/a", "requirement 30: letter case"),
        ([f"{HOST}/a/index.html", f"{HOST}/a/"], f"{HOST}/a/", "requirement 31: default page"),
        ([f"{OTHER}/a", f"{HOST}/a"], f"{HOST}/a", "requirement 32: another name, which is out of scope"),
        ([f"{HOST}/a?sid={n}" for n in range(9)], f"{HOST}/a", "requirement 37: a session for each visit"),
        ([f"{HOST}/a?utm_source=x&b", f"{HOST}/a?b"], f"{HOST}/a?b", "requirement 37: tracking"),
    ],
)
def test_a_page_is_asked_for_under_one_spelling(
    tmp_path: Path, links: list[str], asked: str, why: str
) -> None:
    """The settled URL is what the frontier knows."""
    web = Web({f"{HOST}/": links, asked: links})
    crawl(tmp_path, web)
    assert web.asked() == [f"{HOST}/", asked], why
    assert set(states(tmp_path)) - {f"{HOST}/sitemap.xml"} == {f"{HOST}/", asked}


@pytest.mark.requirement(30, 31, 32, 37)
def test_a_seed_is_settled(tmp_path: Path) -> None:
    web = Web({f"{HOST}/": []})
    crawl(tmp_path, web, f"{OTHER}/Index.html?sid=1")
    assert web.asked() == [f"{HOST}/"]


@pytest.mark.requirement(34)
def test_robots_txt_is_asked_about_the_spelling_that_is_sent(tmp_path: Path) -> None:
    robots = {HOST: (200, b"User-agent: *\nDisallow: /private")}
    web = Web({f"{HOST}/": [f"{HOST}/PRIVATE", f"{OTHER}/Private/?sid=1"]}, robots=robots)
    crawl(tmp_path, web)
    assert web.asked() == [f"{HOST}/"]
    assert states(tmp_path)[f"{HOST}/private"] == (State.DISALLOWED, "robots.txt")


@pytest.mark.requirement(30, 37, 250)
def test_entries_of_sitemaps_are_settled(tmp_path: Path) -> None:
    rows = "".join(f"<url><loc>{HOST}/{path}</loc></url>" for path in ("A?sid=1", "a?sid=2", "B"))
    sitemap = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{rows}</urlset>'
    web = Web({f"{HOST}/": [], f"{HOST}/a": [], f"{HOST}/b": []}, sitemaps={f"{HOST}/sitemap.xml": sitemap})
    crawl(tmp_path, web)
    assert sorted(web.asked()) == [f"{HOST}/", f"{HOST}/a", f"{HOST}/b"]


@pytest.mark.requirement(32, 37, 79)
def test_what_a_redirect_leads_to_is_settled(tmp_path: Path) -> None:
    """It is the same page, in scope, once."""
    web = Web(
        {f"{HOST}/": [f"{HOST}/old", f"{HOST}/new"], f"{HOST}/old": 301, f"{HOST}/new": []},
        {f"{HOST}/old": [("location", f"{OTHER}/New?sid=7")]},
    )
    crawl(tmp_path, web)
    assert web.asked() == [f"{HOST}/", f"{HOST}/old", f"{HOST}/new"]
    assert states(tmp_path)[f"{HOST}/old"] == (State.ALIAS, "redirect")


@pytest.mark.requirement(31, 37)
@pytest.mark.parametrize(
    ("location", "why"),
    [
        ("/index.html", "a default page that is only there under its own name"),
        ("/?sid=1", "no page without a session"),
    ],
)
def test_a_server_that_insists_on_its_spelling_gets_it(tmp_path: Path, location: str, why: str) -> None:
    """What the operator says of a host may not be so of every page."""
    web = Web({f"{HOST}/": 302, f"{HOST}{location}": [f"{HOST}/b"], f"{HOST}/b": []})
    web.headers[f"{HOST}/"] = [("location", location)]
    crawl(tmp_path, web)
    assert web.asked() == [f"{HOST}/", f"{HOST}{location}", f"{HOST}/b"], why


@pytest.mark.requirement(37)
def test_a_server_without_end_of_sessions_ends(tmp_path: Path) -> None:
    """Each visit is sent on to a new session; one of them is followed."""
    sent_on = {f"{HOST}/?sid={n}": [("location", f"/?sid={n + 1}")] for n in range(1, 9)}
    web = Web(dict.fromkeys(sent_on, 302), {f"{HOST}/": [("location", "/?sid=1")], **sent_on})
    web.answers[f"{HOST}/"] = 302
    crawl(tmp_path, web)
    assert web.asked() == [f"{HOST}/", f"{HOST}/?sid=1"]


@pytest.mark.requirement(37, 226)
def test_the_url_that_an_owner_prefers_is_settled(tmp_path: Path) -> None:
    web = Web({f"{HOST}/": [f"{HOST}/b"], f"{HOST}/b": [], f"{HOST}/c": []})
    web.said = {f"{HOST}/b": {"canonical": f"{HOST}/C?utm_source=canonical"}}
    crawl(tmp_path, web)
    assert web.asked() == [f"{HOST}/", f"{HOST}/b", f"{HOST}/c"]
    assert states(tmp_path)[f"{HOST}/b"] == (State.ALIAS, "canonical")


@pytest.mark.requirement(30)
def test_a_rule_in_capitals_holds_where_case_means_nothing(tmp_path: Path) -> None:
    """The server gives /private what /Private has, so its owner means both."""
    robots = {HOST: (200, b"User-agent: *\nDisallow: /Private")}
    web = Web({f"{HOST}/": [f"{HOST}/Private/a"]}, robots=robots)
    crawl(tmp_path, web)
    assert web.asked() == [f"{HOST}/"]


@pytest.mark.requirement(31)
def test_a_canonical_url_is_settled_before_it_is_believed(tmp_path: Path) -> None:
    """/ that prefers /index.html is itself."""
    web = Web({f"{HOST}/": []}, said={f"{HOST}/": {"canonical": f"{HOST}/index.html"}})
    crawl(tmp_path, web)
    assert states(tmp_path)[f"{HOST}/"] == (State.STORED, "")
