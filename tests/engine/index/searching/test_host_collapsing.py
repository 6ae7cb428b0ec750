"""Two hits of a host among the first ten, its others folded under them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.index.indexing.follow import Follower
from engine.index.searching import host_collapsing
from engine.model.page import Page, Results
from engine.search.search import MAX_SIZE, SearchService
from engine.suggest import pins
from engine.url import authority_of
from tests.engine.index.source import WORDS, Memory, corpus, page


def of_hosts(**hits: int) -> list[Page]:
    """Pages of hosts a, b, c ...: those of an earlier one come first, as their words are fewer."""
    dull = "stone " * 3
    return [
        page(f"http://{host}.example/{number}", f"amber {dull * (10 * place + number)}")
        for place, (host, many) in enumerate(hits.items())
        for number in range(many)
    ]


def answers(folder: Path, pages: Sequence[Page], typed: str = "amber", size: int = 10) -> list[Results]:
    """Page after page, up to an empty one."""
    Follower(Memory(*pages), folder).catch_up()
    with closing(SearchService(folder)) as search:
        return every(search, typed, size)


def every(search: SearchService, typed: str, size: int = 10) -> list[Results]:
    found = list[Results]()
    for number in count(1):
        found.append(search.search(typed, number, size))
        if number > found[0].pages:
            return found
    raise AssertionError


def shown(results: Results) -> str:
    """a0 a1+3 b0: the hits, with how many more of their hosts match."""
    return " ".join(
        f"{hit.url[7]}{hit.url.rpartition('/')[2]}" + (f"+{hit.more_from_host}" if hit.more_from_host else "")
        for hit in results.hits
    )


FOLDED = [
    ("amber", {"a": 4, "b": 1, "c": 1}, ["a0 a1+2 b0 c0", "a2 a3", ""], "places stay empty"),
    ("amber", {"a": 4, "b": 1}, ["a0 a1 a2 a3 b0", ""], "two hosts: nobody looks for others"),
    ("amber", {"a": 2, "b": 1, "c": 2}, ["a0 a1 b0 c0 c1", ""], "nothing to fold"),
    (
        "amber",
        {"a": 12, "b": 3, "c": 2, "d": 2, "e": 2, "f": 2},
        ["a0 a1+10 b0 b1+1 c0 c1 d0 d1 e0 e1", "a2 a3 a4 a5 a6 a7 a8 a9 a10 a11", "b2 f0 f1", ""],
        "what is folded comes behind the first ten",
    ),
    ("amber site:a.example", {"a": 4, "b": 1, "c": 1}, ["a0 a1 a2 a3", ""], "site: asks for one host"),
    ("amber site:example", {"a": 4, "b": 1, "c": 1}, ["a0 a1 a2 a3 b0 c0", ""], "site: of many hosts, too"),
    ("site:http://a.example/", {"a": 3, "b": 1, "c": 1}, ["a0 a1 a2", ""], "site: alone"),
    ("amber site:a.example/1", {"a": 3, "b": 1, "c": 1}, ["a1", ""], "site: with a path"),
    ("amber stone site:example", {"a": 4, "b": 1, "c": 1}, ["a1 a2 a3 b0 c0", ""], "of several words"),
    (
        "amber -site:c.example",
        {"a": 4, "b": 1, "c": 1, "d": 1},
        ["a0 a1+2 b0 d0", "a2 a3", ""],
        "site: as a no",
    ),
]


@pytest.mark.parametrize(("typed", "hits", "pages", "why"), FOLDED, ids=range(len(FOLDED)))
def test_what_stands_on_the_pages(
    tmp_path: Path, typed: str, hits: dict[str, int], pages: list[str], why: str
) -> None:
    found = answers(tmp_path, of_hosts(**hits), typed)
    assert list(map(shown, found)) == pages, why
    assert found[0].pages == len(pages) - 1, why


def test_http_and_https_are_one_host(tmp_path: Path) -> None:
    """As site: has them."""
    pages = [
        page(f"{scheme}://{host}.example/{scheme}", "amber") for scheme in ("http", "https") for host in "abc"
    ]
    (first, *_) = answers(tmp_path, [*pages, page("https://a.example/more", "amber")])
    assert Counter(hit.host for hit in first.hits) == {f"{host}.example": 2 for host in "abc"}
    (hit,) = (hit for hit in first.hits if hit.more_from_host)
    assert (hit.host, hit.more_from_host) == ("a.example", 1)


def test_a_pinned_hit_is_never_folded(tmp_path: Path) -> None:
    pinned = [f"http://a.example/{number}" for number in (5, 4, 3)]
    (tmp_path / pins.FILE).write_text("".join(f"amber\t{url}\n" for url in pinned))
    found = answers(tmp_path, of_hosts(a=6, b=2, c=1))
    assert list(map(shown, found)) == ["a5 a4 a3+3 b0 b1 c0", "a0 a1 a2", ""]


@pytest.mark.requirement(306)
def test_of_hits_that_are_as_good_as_each_other_the_first_by_address_stay(tmp_path: Path) -> None:
    """As without folding, in whatever order they were indexed."""
    pages = [page(f"http://{host}.example/{number}", "amber") for host in "cba" for number in (3, 2, 1, 0)]
    found = answers(tmp_path, pages)
    assert list(map(shown, found)) == ["a0 a1+2 b0 b1+2 c0 c1+2", "a2 a3 b2 b3 c2 c3", ""]


def test_hosts_of_deleted_pages_are_no_hosts(tmp_path: Path) -> None:
    source = Memory(*of_hosts(a=4, b=1, c=1))
    Follower(source, tmp_path).catch_up()
    source.remove("http://c.example/0")
    Follower(source, tmp_path).catch_up()
    with closing(SearchService(tmp_path)) as search:
        assert shown(search.search("amber")) == "a0 a1 a2 a3 b0"


def test_only_the_best_hits_are_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A third host further on is not seen, and nothing is lost behind them."""
    pages = of_hosts(a=30, b=2, c=8)
    monkeypatch.setattr(host_collapsing, "LOOKED_AT", 20)
    assert {hit.url[7] for hit in answers(tmp_path / "few", pages)[0].hits} == {"a"}
    monkeypatch.setattr(host_collapsing, "LOOKED_AT", 35)
    first, *others = answers(tmp_path / "more", pages)
    assert "".join(hit.url[7] for hit in first.hits) == "aabbcc"
    assert sum(hit.more_from_host for hit in first.hits) < 34
    assert sum(len(one.hits) for one in (first, *others)) == 40


@pytest.fixture(scope="module")
def search(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchService]:
    """Ten hosts with six pages each, in several segments, and one with a hundred that are alike."""
    folder = tmp_path_factory.mktemp("hosts")
    source = Memory()
    for part in (corpus(60), of_hosts(a=30), [page(f"http://z.example/{n}", "amber") for n in range(100)]):
        for one in part:
            source.put(one)
        Follower(source, folder).catch_up()
    with closing(SearchService(folder)) as search:
        yield search


@pytest.mark.slow
@pytest.mark.requirement(306)
@settings(max_examples=15)
@given(
    typed=st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join),
    size=st.sampled_from([4, 10, 11, 25, MAX_SIZE]),
)
def test_pages_have_every_hit_once_and_few_of_a_host_first(
    search: SearchService, typed: str, size: int
) -> None:
    """They follow each other without gaps, whatever their size."""
    plain = search.search(typed, size=MAX_SIZE, fold=False)
    whole = [hit.url for at in (1, 2) for hit in search.search(typed, at, MAX_SIZE, fold=False).hits]
    every_hit = [hit.url for results in every(search, typed, size) for hit in results.hits]
    assert sorted(every_hit) == sorted(whole)
    assert len(every_hit) == plain.total
    first = search.search(typed).hits
    of_host = Counter(map(authority_of, whole))
    if len(of_host) >= host_collapsing.MIN_HOSTS:
        assert len(first) == min(10, sum(min(many, 2) for many in of_host.values()))
        assert max(Counter(hit.host for hit in first).values()) <= host_collapsing.MAX_PER_HOST
        shown_of = Counter(hit.host for hit in first)
        more = {hit.host: hit.more_from_host for hit in first if hit.more_from_host}
        full = {host: of_host[host] - 2 for host, many in shown_of.items() if many == 2 and of_host[host] > 2}
        assert more == full
    rest = [url for url in whole if url not in {hit.url for hit in first}]
    assert every_hit[len(first) :] == rest
