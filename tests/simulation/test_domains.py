"""Whoever answers for every name below his domain gets no more than one owner does."""

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from engine.crawl import Limits
from engine.frontier.domains import DomainLimits, domain_of
from engine.model.page import Claim, Fetch, Reading
from engine.url import host_of
from tests.crawling import EVERYTHING, Clock, Web, crawl_of, run, states, step

FARM = "farm.com"
PAGES = 3


class Wildcard(Web):
    """Every name below the domain is a host that links to its pages and to three more names."""

    def _fetch(self, claim: Claim, clock: Clock) -> tuple[Fetch, Reading | None]:
        name = claim.url.partition("://")[2].partition(".")[0]
        if claim.url not in self.answers and name.startswith("n"):
            number = int(name[1:] or 0)
            more = [f"http://n{3 * number + n}.{FARM}/" for n in (1, 2, 3)]
            self.answers[claim.url] = more + [f"{host_of(claim.url)}/{n}" for n in range(PAGES)]
        return super()._fetch(claim, clock)


def crawled(
    folder: Path, limits: DomainLimits, seeds: tuple[str, ...] = (f"http://n0.{FARM}/",), *, own: bool = False
) -> tuple[Web, Counter[str], dict[str, tuple[str, str]]]:
    web, clock = Wildcard({}, seconds=0.01), Clock()
    bounds = Limits(domain=limits, pages=200)
    crawl = crawl_of(folder, clock, bounds, seeds=seeds, scope="any", profile="brisk", own=own)
    run(crawl, web, clock)
    return web, crawl.counters.counts, states(folder)


def test_a_domain_has_so_many_hosts(tmp_path: Path) -> None:
    """The others are left, under their rule's name, and not even their robots.txt is asked for."""
    web, counts, known = crawled(tmp_path, DomainLimits(hosts=7))
    assert len({host_of(url) for url in known}) == 7
    assert len({host_of(url) for _, url in web.log}) == 7
    assert counts["links skipped: domain hosts"] > 0


def test_a_later_run_counts_those_of_the_runs_before(tmp_path: Path) -> None:
    crawled(tmp_path, DomainLimits(hosts=7))
    _, _, known = crawled(tmp_path, DomainLimits(hosts=8))
    assert len({host_of(url) for url in known}) == 8


@pytest.mark.slow
@pytest.mark.parametrize(
    ("limits", "rule"),
    [(DomainLimits(pages=40), "domain pages"), (DomainLimits(queued=15), "domain queue")],
)
def test_the_hosts_of_a_domain_share_a_bound(tmp_path: Path, limits: DomainLimits, rule: str) -> None:
    """A batch of links may be queued beyond it once; then it holds."""
    _, counts, known = crawled(tmp_path, limits)
    if rule == "domain pages":
        assert len(known) <= limits.pages
    assert counts[f"links skipped: {rule}"] > 0


UNBOUND = [
    (True, (f"http://n0.{FARM}/",), "the operator knows how many hosts he has"),
    (False, tuple(f"http://n{n}.{FARM}/" for n in range(30)), "hosts that the operator named"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("own", "seeds", "why"), UNBOUND, ids=[why for *_, why in UNBOUND])
def test_what_the_operator_named_is_not_bound(
    tmp_path: Path, own: bool, seeds: tuple[str, ...], why: str
) -> None:
    web, *_ = crawled(tmp_path, DomainLimits(hosts=7, pages=10), seeds, own=own)
    assert len({host_of(url) for _, url in web.log}) >= len(seeds) > 0, why
    assert len({host_of(url) for _, url in web.log}) > 7, why


ONE_EACH = [
    ("http://10.0.0.5:8001", "10.0.0.5:8001", "an address, with its port"),
    ("http://[2001:db8::1]", "[2001:db8::1]", "an address"),
    ("http://wiki", "wiki", "a single label"),
    ("http://a.b.corp.internal", "a.b.corp.internal", "a name without public suffix"),
    ("http://a.b.github.io", "b.github.io", "a service whose customers are owners"),
    ("http://www.cs.example.ac.uk", "example.ac.uk", "a university"),
]


@pytest.mark.parametrize(("host", "domain", "why"), ONE_EACH)
def test_what_a_domain_is(host: str, domain: str, why: str) -> None:
    assert domain_of(host) == domain, why


NAMES = [f"http://n{n}.{FARM}/" for n in range(50)]
MACHINES = [
    (lambda host: "192.0.2.7", "one address"),
    (lambda host: f"2001:db8:1:2::{int(host[8:].partition('.')[0]) + 1:x}", "one network of IPv6"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("address_of", "why"), MACHINES, ids=[why for _, why in MACHINES])
def test_a__not_asked_for_the_robots_txt_of_all_its_hosts_at_once(  # type: ignore[no-untyped-def]
    tmp_path: Path, address_of, why: str
) -> None:
    """From the first robots.txt on: fifty names, five requests in the time of one polite host's one."""
    web, clock = Web({url: [] for url in NAMES}, seconds=0.01), Clock()
    web.addresses = {url[:-1]: address_of(url[:-1]) for url in NAMES}
    crawl = crawl_of(tmp_path, clock, seeds=tuple(NAMES))
    crawl.frontier.set_lookup(lambda host: web.addresses[host])
    run(crawl, web, clock)
    starts = [at for at, _ in web.log]
    assert sum(url.endswith("/robots.txt") for _, url in web.log) == len(NAMES)
    assert min(b - a for a, b in pairwise(starts)) >= 1.0 - 1e-6, why


def test_looking_up_holds_nobody_else_up(tmp_path: Path) -> None:
    """Names that take two seconds to be found, and one that is never found: it is asked all the same."""
    web, clock = Web({url: [] for url in NAMES[:3]}, seconds=0.01), Clock()
    began: dict[str, float] = {}

    def look_up(host: str) -> str | None:
        if host == NAMES[0][:-1]:
            return "192.0.2.1"
        began.setdefault(host, clock.now)
        return None if clock.now < began[host] + 2 else ""

    crawl = crawl_of(tmp_path, clock, EVERYTHING, seeds=tuple(NAMES[:3]))
    crawl.frontier.set_lookup(look_up)
    start = clock.now
    while step(crawl, web, clock):
        pass
    crawl.close("finished")
    first = {host_of(url): at - start for at, url in reversed(web.log)}
    assert first[NAMES[0][:-1]] < 1
    assert all(first[url[:-1]] >= 2 for url in NAMES[1:3])
    assert Counter(state for state, _ in states(tmp_path).values())["stored"] == 3
