"""The benchmark of many hosts, small: what it counts, and that the crawl and its peer run."""

import json
from collections.abc import Sequence
from urllib.request import urlopen

import pytest

from benchmarks.__main__ import main
from benchmarks.corpora.farm import LINKS, PAGES, PageRequest, page, serve_hosts
from benchmarks.hosts import best_part, shortest
from engine.text.documents.documents import read_document
from engine.text.duplicates.fingerprint import compute_fingerprint

URL = "http://127.1.0.1/"
HTML = "text/html; charset=utf-8"
ROWS = [
    "hosts.fetches",
    "hosts.info.idle_percent",
    "hosts.info.asleep_percent",
    "hosts.info.shortest_pause",
]


def body(address: str, path: str) -> bytes:
    return page(address, path).partition(b"\r\n\r\n")[2]


def test_every_page_of_a_host_is_reached_and_says_something_of_its_own() -> None:
    reached, waiting, texts = {"/"}, ["/"], set()
    while waiting:
        found = read_document(body("127.1.0.1", waiting.pop()), URL, HTML, ())
        links = {link.url.removeprefix(URL[:-1]) for link in found.links}
        assert LINKS - 2 <= len(links) <= LINKS
        texts.add(compute_fingerprint(found))
        waiting += links - reached
        reached |= links
    assert len(texts) == len(reached) == PAGES
    assert body("127.1.0.1", "/7") != body("127.1.0.2", "/7")
    assert page("127.1.0.1", f"/{PAGES}").startswith(b"HTTP/1.1 404")


def test_a_request_is_recorded_for_its_host() -> None:
    with serve_hosts(2) as served:
        for seed in served.seeds:
            with urlopen(seed) as answer:
                assert answer.status == 200
    assert [one.address for one in served.asked] == list(served.addresses)
    assert all(one.start < one.end for one in served.asked)


@pytest.mark.parametrize(
    ("starts", "seconds", "best", "why"),
    [
        ([], 30, 0.0, "nothing came"),
        ([100.0], 30, 0.1, "one in ten seconds; time begins with the first"),
        ([0, 1, 11, 12, 13, 25], 30, 0.3, "the second part was the best"),
        ([0, 31, 32, 33], 30, 0.1, "what came too late counts for no part"),
    ],
)
def test_the_best_third_counts(starts: Sequence[float], seconds: float, best: float, why: str) -> None:
    assert best_part([PageRequest("a", start, start) for start in starts], seconds) == best, why


def test_pauses_are_those_between_requests_to_one_host() -> None:
    asked = [("a", 0.0), ("b", 0.1), ("a", 2.0), ("b", 1.6), ("a", 5.0)]
    assert shortest([PageRequest(host, start, start) for host, start in asked]) == 1.5
    assert shortest([]) == 0


@pytest.mark.long
def test_a_crawl_of_many_hosts_beside_its_peer(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hosts", "--hosts", "5", "--seconds", "4"]) == 0
    rows = {row["name"]: row for row in map(json.loads, capsys.readouterr().out.splitlines())}
    assert list(rows) == ROWS
    assert rows["hosts.fetches"]["peer"] == "scrapy"
    assert rows["hosts.fetches"]["ours"] > 0 < rows["hosts.fetches"]["peer_value"]
    assert 0 <= rows["hosts.info.idle_percent"]["ours"] <= rows["hosts.info.asleep_percent"]["ours"] <= 100
