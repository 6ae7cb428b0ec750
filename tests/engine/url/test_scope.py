"""Whether a URL is ours, and who votes."""

import re
from collections.abc import Callable

import pytest

from engine.config import SCOPES
from engine.url import Scope, registrable_domain
from engine.url.scope import KINDS

Seeds = tuple[str, ...]
SEEDS = ("https://docs.example.org/guide/start.html?x=/y/", "http://h:8080/")


@pytest.mark.parametrize(
    ("kind", "url", "refusal", "why"),
    [
        ("host", "https://docs.example.org/other", "", "the seed's host"),
        ("host", "http://docs.example.org/", "", "http and https of one name are one site"),
        ("host", "https://docs.example.org:444/", "scope", "another port"),
        ("host", "https://www.example.org/", "scope", "another name"),
        ("host", "https://docs.example.org.evil.example/", "scope", "a name that only starts alike"),
        ("host", "http://h:8080/x", "", "a seed with a port"),
        ("host", "https://h:8080/x", "scope", "with a port of its own the scheme counts"),
        ("domain", "http://www.example.org/", "", "the registrable domain"),
        ("domain", "https://example.org:444/", "", "on any port"),
        ("domain", "https://example.com/", "scope", "another domain"),
        ("domain", "http://h:8080/x", "", "a name without public suffix"),
        ("domain", "http://h/x", "scope", "which has its port to itself"),
        ("prefix", "https://docs.example.org/guide/a/b", "", "below the seed's directory"),
        ("prefix", "http://docs.example.org/guide/", "", "by http as well"),
        ("prefix", "https://docs.example.org/guidebook", "scope", "beside it"),
        ("prefix", "https://docs.example.org/", "scope", "above it"),
        ("prefix", "http://h:8080/anything", "", "a seed at the root holds its host"),
        ("any", "http://elsewhere.example/", "", "everything"),
    ],
)
def test_a_scope_holds_its_urls(kind: str, url: str, refusal: str, why: str) -> None:
    assert Scope(kind, SEEDS).refusal(url) == refusal, why


@pytest.mark.parametrize(
    ("url", "refusal", "why"),
    [
        ("http://h:8080/docs/a", "", "included"),
        ("http://h:8080/blog/a", "include", "not included"),
        ("http://h:8080/docs/a?sort=1", "exclude", "included and excluded"),
        ("http://else.example/docs/", "scope", "the first rule to refuse gives its name"),
    ],
)
def test_the_operator_narrows_a_scope(url: str, refusal: str, why: str) -> None:
    scope = Scope("host", SEEDS, include=re.compile("/docs/"), exclude=re.compile("[?&]sort="))
    assert scope.refusal(url) == refusal, why


def test_every_kind_an_operator_may_write_exists() -> None:
    assert set(KINDS) == set(SCOPES)


@pytest.mark.requirement(301)
@pytest.mark.parametrize(
    ("url", "who", "why"),
    [
        ("https://docs.python.org/3/", "python.org", "the registrable domain"),
        ("https://a.b.co.uk/", "b.co.uk", "a public suffix of two labels"),
        ("http://a.example.com:8080/", "example.com", "without its port"),
        ("https://one.github.io/", "one.github.io", "every owner behind a service is a voter"),
        ("https://github.io/", "github.io", "a public suffix is its own domain"),
        ("http://localhost:81/", "localhost:81", "no public suffix: port included"),
        ("http://wiki.intranet/", "wiki.intranet", "no public suffix: the whole name"),
        ("http://127.0.0.1:8001/", "127.0.0.1:8001", "an address"),
        ("http://[::1]:8001/", "[::1]:8001", "an IPv6 address"),
        ("http://xn--e1afmkfd.xn--p1ai/", "xn--e1afmkfd.xn--p1ai", "IDN"),
    ],
)
def test_who_votes(url: str, who: str, why: str) -> None:
    """Links are counted by who casts them."""
    assert registrable_domain(url) == who, why


@pytest.mark.parametrize("kind", SCOPES)
def test_seeds_are_looked_through_once_for_all_hosts(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A crawl of 10,000 seeds on as many hosts asks each host: that must not read all seeds for each."""
    read = list[Seeds]()

    def counted(of: Callable[[Seeds], Callable[[str], bool]]) -> Callable[[Seeds], Callable[[str], bool]]:
        return lambda seeds: (read.append(seeds), of(seeds))[1]  # type: ignore[func-returns-value]

    for name, of in tuple(KINDS.items()):
        monkeypatch.setitem(KINDS, name, counted(of))
    scope = Scope(kind, SEEDS)
    assert [scope.admits(f"http://h{n}.example") for n in range(9)] == [kind == "any"] * 9
    assert scope.refusal("http://h1.example/") == ("" if kind == "any" else "scope")
    assert len(read) <= 2
