"""However little is remembered of links, the crawl is the same: the database knows."""

from pathlib import Path

import pytest

from engine.crawl import Limits
from engine.frontier import seen_urls
from engine.store import load_suspects
from tests.crawling import HOST, Clock, Web, crawl_of, run, states

pytestmark = pytest.mark.requirement(23)

QUERIES = 3


def web() -> Web:
    """Thirty pages of which each links to three, to two with queries, and to the start."""
    paths = [f"/{n}" for n in range(30)]
    answers: dict[str, int | list[str]] = {
        HOST + path: [
            f"{HOST}/",
            *(f"{HOST}/{(3 * n + k) % 30}" for k in range(3)),
            *(f"{HOST}/q?{(n + k) % 5}" for k in range(2)),
        ]
        for n, path in enumerate(paths)
    }
    return Web(answers | {f"{HOST}/": [f"{HOST}/0"]})


@pytest.mark.requirement(21)
@pytest.mark.parametrize(
    ("slots", "exact", "why"),
    [
        (2**21, False, "all is remembered"),
        (4, False, "nearly all is forgotten"),
        (1, False, "only the last link"),
        (1, True, "nothing is held"),
    ],
)
def test_what_is_forgotten_is_neither_lost_nor_asked_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slots: int, exact: bool, why: str
) -> None:
    """No false negatives of table and database together; caps count each URL once."""
    monkeypatch.setattr(seen_urls, "SLOTS", slots)
    monkeypatch.setattr(seen_urls, "_SLOT", slots - 1)
    site, clock = web(), Clock()
    crawl = crawl_of(tmp_path, clock, Limits(queries=QUERIES, exact_seen=exact), own=True)
    run(crawl, site, clock)
    asked = site.asked()
    assert len(asked) == len(set(asked)), why
    assert {f"{HOST}/", *(f"{HOST}/{n}" for n in range(30))} <= set(asked), why
    assert len([url for url in states(tmp_path) if "?" in url]) == QUERIES, why


def test_a_link_on_several_pages_of_one_commit_counts_once(tmp_path: Path) -> None:
    """The cap on queries of a path has room for as many URLs as it says."""
    pages = [f"{HOST}/{n}" for n in range(3)]
    links = [f"{HOST}/q?{n}" for n in range(QUERIES)]
    answers: dict[str, int | list[str]] = dict.fromkeys(pages, links[:2])
    site, clock = Web(answers | {f"{HOST}/": pages, pages[-1]: links}, seconds=0.001), Clock()
    crawl = crawl_of(tmp_path, clock, Limits(queries=QUERIES, exact_seen=True), own=True)
    run(crawl, site, clock)
    assert set(links) <= set(site.asked())


def test_how_urls_of_other_hosts_look_is_no_matter_of_ours(tmp_path: Path) -> None:
    """The examples of a manual that open in an editor, say: a trap that nobody walks into, with an alarm."""
    odd = [f"/?code={n}{'a' * 3_000}" for n in range(60)] + ["/key.pem", "/a/b/a/b/a/b/a/b/", "/cgi-bin/a"]
    for number, host in enumerate(("http://other.example", HOST)):
        site, clock = Web({f"{HOST}/": [host + path for path in odd]}), Clock()
        crawl = crawl_of(tmp_path / str(number), clock, own=True)
        run(crawl, site, clock)
        counts = crawl.counters.counts
        with crawl.store.engine.connect() as connection:
            suspects = list(load_suspects(connection))
        crawl.store.close()
        assert (counts["links skipped: scope"], bool(suspects)) == ((len(odd), False), (0, True))[number]
