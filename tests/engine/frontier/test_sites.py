"""The operator's sites put to use: seeds, their spelling, their pace."""

import re

import pytest

from engine.audience import AudienceRule, AudienceRules
from engine.config import Login, SiteConfig
from engine.errors import EngineError
from engine.frontier.politeness import PACES
from engine.frontier.sites import Sites, build_sites
from engine.url import Aliases, KnownHost

H = "http://h.example"
KNOWN = Aliases((KnownHost((H,), ("http://www.h.example",), ignore_case=True, drop_params=("sid",)),))


def sites(*seeds: str, dynamic: str = "cgi", **site: object) -> Sites:
    return build_sites([SiteConfig(seeds, **site)], KNOWN, dynamic)  # type: ignore[arg-type]


@pytest.mark.requirement(30, 32, 37)
@pytest.mark.parametrize(
    ("seed", "settled", "why"),
    [
        ("http://www.h.example/A?sid=1", f"{H}/a", "requirements 30, 32, 37: as the host spells it"),
        ("http://G.example/A?utm_source=mail&b", "http://g.example/A?b", "a host that nobody knows"),
    ],
)
def test_seeds_are_settled(seed: str, settled: str, why: str) -> None:
    assert sites(seed).seeds == (settled,), why


@pytest.mark.requirement(32)
def test_scope_and_pace_are_those_of_the_host_that_is_asked() -> None:
    own = sites("http://www.h.example/Docs/", scope="prefix", own=True)
    assert own.refusal(f"{H}/docs/a") == ""
    assert own.refusal("http://www.h.example/Docs/a") == "scope"
    assert own.own_hosts == {H}
    assert own.pace(H) == PACES["own"]


@pytest.mark.requirement(261)
@pytest.mark.parametrize(
    ("mode", "path", "rule", "why"),
    [
        ("off", "/cgi-bin/a?b", "", "requirement 261: nothing is refused for being dynamic"),
        ("cgi", "/cgi-bin/a", "cgi", "C34: the default"),
        ("cgi", "/a?b", "", "C34: a query is allowed"),
        ("all", "/a?b", "query", "requirement 261: with a query"),
        ("all", "/a?start", "", "a seed: the operator named it"),
        ("all", "/cgi-bin/start", "", "a seed that a gateway makes"),
        ("cgi", "/cgi-bin/start", "", "the same where queries are allowed"),
        ("all", "/a?start&b", "query", "its neighbour is no seed"),
        ("all", "/logout?start", "side-effect", "the other rules hold for seeds, too"),
    ],
)
def test_dynamic_urls_are_left_as_the_operator_says(mode: str, path: str, rule: str, why: str) -> None:
    starts = (f"{H}/a?start", f"{H}/cgi-bin/start", f"{H}/logout?start")
    assert sites(*starts, dynamic=mode).refusal(H + path) == rule, why


@pytest.mark.requirement(286)
@pytest.mark.parametrize(
    ("trust_404", "path", "trusted", "why"),
    [
        (True, "/docs/a", True, "a page of the site"),
        (True, "/blog/a", False, "the same host, but another site"),
        (False, "/docs/a", False, "the default, also of an own site"),
    ],
)
def test_whose_404_is_final(trust_404: bool, path: str, trusted: bool, why: str) -> None:
    own = sites(f"{H}/docs/", scope="prefix", own=True, trust_404=trust_404)
    assert own.trusts_404(H + path) is trusted, why


def test_crawls_that_leave_other_urls_do_not_share_their_work() -> None:
    assert sites(f"{H}/").digest == sites(f"{H}/").digest != sites(f"{H}/", dynamic="all").digest


@pytest.mark.requirement(261)
def test_where_a_seed_moved_may_be_dynamic_as_the_seed_may() -> None:
    """The operator wanted the home page, whatever its server calls it."""
    moved = sites(f"{H}/", dynamic="all").with_moved_seed(f"{H}/", f"{H}/?lang=en")
    assert moved.refusal(f"{H}/?lang=en") == ""
    assert moved.refusal(f"{H}/?lang=de") == "query"
    assert moved.with_moved_seed(f"{H}/no-seed", f"{H}/?lang=de").refusal(f"{H}/?lang=de") == "query"


def test_a_seed_that_is_no_url() -> None:
    with pytest.raises(EngineError, match="unusable seed 'ftp://h/'"):
        sites("ftp://h/")


def test_a_seed_that_moved_takes_its_site_along_and_what_is_known_stays() -> None:
    moved = sites(f"{H}/", own=True).with_moved_seed(f"{H}/", "http://new.example/")
    assert moved.refusal("http://new.example/a") == ""
    assert moved.pace("http://new.example") == PACES["polite"]
    assert moved.aliases is KNOWN


def test_a_seed_of_a_hidden_site_that_moved_takes_nothing_along() -> None:
    """Nobody has written who may see the pages of that host."""
    rules = AudienceRules((AudienceRule("staff", "host", (f"{H}/",)),))
    hidden = build_sites([SiteConfig((f"{H}/",), audience="staff")], audiences=rules)
    moved = hidden.with_moved_seed(f"{H}/", "http://new.example/")
    assert moved.refusal("http://new.example/a") == "scope"


def test_a_login_and_what_ends_it_are_no_pages_of_their_host_alone() -> None:
    login = Login("https://h.example", "form", url="https://h.example/login")
    sites = build_sites([SiteConfig(("https://h.example/",), "any")], logins=[login])
    urls = ("/login", "/login?next=/a", "/myLogout.x", "/loginhelp")
    assert [sites.refusal(f"https://h.example{url}") for url in urls] == ["login", "login", "logout", ""]
    assert [sites.refusal(f"https://other.example{url}") for url in urls] == [""] * 4
    assert sites.digest != build_sites([SiteConfig(("https://h.example/",), "any")]).digest


RENDERED = [
    ("/docs/a", "always", "its site says so"),
    ("/docs/b/", "always", "the first site that says so, not the one that says nothing"),
    ("/app/a", "auto", "another site"),
    ("/other", "never", "no site has it"),
    ("/docs/no.html", "auto", "its site leaves it out, another one has it"),
]


@pytest.mark.parametrize(("path", "word", "why"), RENDERED)
def test_whether_a_page_is_rendered(path: str, word: str, why: str) -> None:
    configs = [
        SiteConfig((f"{H}/docs/b/",), scope="prefix"),
        SiteConfig((f"{H}/docs/",), scope="prefix", exclude=re.compile("no.html"), render="always"),
        SiteConfig((f"{H}/app/", f"{H}/docs/no.html"), scope="prefix", render="auto"),
    ]
    built = build_sites(configs, KNOWN)
    assert built.renders
    assert not build_sites(configs[:1], KNOWN).renders
    assert built.rendering(H + path) == word, why


def test_a_page_may_ask_the_hosts_that_its_sites_name() -> None:
    configs = [
        SiteConfig(
            (f"{H}/a/",), scope="prefix", render="auto", render_hosts=frozenset({"https://a.example"})
        ),
        SiteConfig((f"{H}/",), render="auto", render_hosts=frozenset({"https://b.example"})),
        SiteConfig(("http://g.example/",), render="auto"),
    ]
    built = build_sites(configs, KNOWN)
    assert built.render_hosts(f"{H}/a/x") == {"https://a.example", "https://b.example"}
    assert built.render_hosts(f"{H}/x") == {"https://b.example"}
    assert built.render_hosts("http://g.example/x") == frozenset()
    assert not built.admits("https://b.example"), "its pages are not crawled"
    assert built.own_hosts == frozenset()


@pytest.mark.parametrize(
    ("host", "named", "why"),
    [
        (H, "https://cdn.example", "pages behind a login"),
        ("https://cdn.example", "https://cdn.example", "a host behind a login"),
    ],
)
def test_what_is_behind_a_login_shares_no_hosts(host: str, named: str, why: str) -> None:
    config = SiteConfig((f"{H}/",), render="auto", render_hosts=frozenset({named}))
    with pytest.raises(EngineError, match="is behind a login"):
        build_sites([config], KNOWN, logins=[Login(host, "basic")])
    assert build_sites([config], KNOWN, logins=[Login("http://g.example", "basic")]), why


def test_a_site_that_moved_is_rendered_as_before() -> None:
    named = frozenset({"https://cdn.example"})
    moved = sites(f"{H}/", render="auto", render_hosts=named).with_moved_seed(f"{H}/", "http://new.example/")
    assert moved.render_hosts("http://new.example/page") == named
    assert moved.rendering("http://new.example/page") == "auto"
