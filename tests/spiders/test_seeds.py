"""The root set and the -a arguments."""

from dataclasses import replace
from pathlib import Path

import pytest

from engine.config import Config, Root, SiteConfig
from engine.errors import EngineError
from engine.frontier.sites import build_sites
from spiders.seeds import MAX_LABEL, build_own_site, build_root_set

pytestmark = pytest.mark.requirement(5)

CONFIG = Config(Path("data"), sites=(SiteConfig(("http://toml.example/",), own=True),))


@pytest.mark.parametrize(
    ("typed", "seeds", "why"),
    [
        ("http://a.example/", ("http://a.example/",), "one URL"),
        ("http://a.example/,https://b.example/", ("http://a.example/", "https://b.example/"), "several"),
        ("http://a.example/?x=1,2", ("http://a.example/?x=1,2",), "a comma inside a URL separates nothing"),
    ],
)
def test_seeds_argument(typed: str, seeds: tuple[str, ...], why: str) -> None:
    (site,) = build_root_set(CONFIG, {"seeds": typed})
    assert site.seeds == seeds, why
    assert not site.own, "crawl.toml's own is not this site's"


@pytest.mark.requirement(4, 6)
def test_seeds_file_is_read_again_at_each_crawl(tmp_path: Path) -> None:
    """N lines, N roots; it grows over time."""
    file = tmp_path / "seeds.txt"
    file.write_text("# mine\nhttp://a.example/\n\n  http://b.example/#x   # theirs\n", encoding="utf-8")
    (site,) = build_root_set(CONFIG, {"seeds": str(file)})
    assert site.seeds == ("http://a.example/", "http://b.example/#x")
    with open(file, "a", encoding="utf-8") as more:
        more.write("http://c.example/")
    (site,) = build_root_set(CONFIG, {"seeds": str(file)})
    assert len(site.seeds) == 3


@pytest.mark.requirement(4)
@pytest.mark.parametrize(
    ("line", "url", "label", "why"),
    [
        ("http://a.example/ a large library", "http://a.example/", "a large library", "behind a space"),
        ("http://a.example/\t\tmail,  of May ", "http://a.example/", "mail, of May", "tabs are spaces, too"),
        ("http://a.example/ new # since May", "http://a.example/", "new", "no comment"),
        ("http://a.example/", "http://a.example/", "", "no label"),
        ("http://a.example/ " + "x" * 300, "http://a.example/", "x" * MAX_LABEL, "cut"),
        ("http://a.example/#x y", "http://a.example/#x", "y", "a fragment is no comment"),
    ],
)
def test_a_seed_of_a_file_has_a_label(tmp_path: Path, line: str, url: str, label: str, why: str) -> None:
    (tmp_path / "seeds.txt").write_text(f"{line}\n", encoding="utf-8")
    config = Config(Path("data"), sites=(SiteConfig((str(tmp_path / "seeds.txt"), "http://t.example/")),))
    (site,) = build_root_set(config, {})
    assert site.seeds == (url, "http://t.example/"), why
    assert site.roots == (Root(str(tmp_path / "seeds.txt"), label), Root("crawl.toml")), why
    (typed,) = build_root_set(config, {"seeds": "http://b.example/"})
    assert typed.roots == (Root("-a seeds"),)


def test_crawl_toml_is_the_root_set_without_seeds() -> None:
    (site,) = build_root_set(CONFIG, {})
    assert (replace(site, roots=()), site.roots) == (*CONFIG.sites, (Root("crawl.toml"),))
    (site,) = build_root_set(CONFIG, {"scope": "any", "exclude": "x"})
    assert (site.scope, site.own) == ("any", True)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"seeds": "ftp://x"}, "unusable seed 'ftp://x'"),
        ({"seeds": "http://"}, "unusable seed 'http://'"),
        (
            {"seeds": "nowhere.txt"},
            "is no http(s) URL and no file that can be read (No such file or directory)",
        ),
        ({"seeds": "http://user:pw@a.example/"}, "unusable seed"),
        ({"seeds": "http://a.example/", "scope": "planet"}, "-a scope: unknown 'planet'"),
        ({"seeds": "http://a.example/", "include": "("}, "-a include: '(' is not a regular expression"),
        ({"seeds": "http://a.example/", "own": "yes"}, "-a own: unknown 'yes'; write one of 0, 1"),
        ({"seeds": "http://a.example/", "profile": "rude"}, "-a profile: unknown 'rude'"),
    ],
)
def test_what_is_wrong_is_said(arguments: dict[str, str], says: str) -> None:
    with pytest.raises(EngineError) as error:
        build_sites(build_root_set(CONFIG, arguments))
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_nothing_to_crawl() -> None:
    with pytest.raises(EngineError, match="nothing to crawl"):
        build_root_set(Config(Path("data")), {})


@pytest.mark.parametrize(
    ("url", "admitted", "why"),
    [
        ("http://birds.example/", True, "the domain"),
        ("https://www.birds.example/a?b", True, "a subdomain"),
        ("https://birds.example:8443/a", True, "any port"),
        ("http://moor.test/", True, "the other domain"),
        ("http://songbirds.example/", False, "it only ends so"),
        ("http://birds.example.org/", False, "it only begins so"),
        ("http://birdsxexample/", False, "a dot is a dot"),
        ("http://o.example/birds.example/", False, "in the path"),
        ("http://o.example/?u=http://birds.example/", False, "in the query"),
        ("http://user@o.example/", False, "another"),
    ],
)
def test_allowed_domains_are_the_scope(url: str, admitted: bool, why: str) -> None:
    own = build_own_site(["http://birds.example/"], ["Birds.example", "moor.test"])
    assert (build_sites((own,)).refusal(url) == "") is admitted, why


@pytest.mark.parametrize(
    ("start_urls", "arguments", "seeds", "source", "why"),
    [
        (["http://own.example/"], {}, "http://own.example/", "start_urls", "the spider's"),
        ([], {}, "http://toml.example/", "crawl.toml", "it has none"),
        (["http://own.example/"], {"seeds": "http://a.example/"}, "http://a.example/", "-a seeds", "typed"),
    ],
)
def test_where_an_own_spider_begins(
    start_urls: list[str], arguments: dict[str, str], seeds: str, source: str, why: str
) -> None:
    (site,) = build_root_set(CONFIG, arguments, build_own_site(start_urls, []))
    assert site.seeds == (seeds,), why
    assert [root.source for root in site.roots] == [source]
    assert site.scope == "host"
