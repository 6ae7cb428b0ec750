"""Which page may stand for another."""

from dataclasses import replace
from pathlib import Path

import pytest

from engine.audience import AudienceRule, AudienceRules
from engine.model.page import Claim, Fetch, State, Visit
from tests.crawling import HOST, Clock, Web, chain, crawl_of, reading, run, states


@pytest.mark.parametrize(
    ("prefers", "state", "why"),
    [
        ("/c", State.STORED, "an open page stands for no hidden one: its readers would lose it"),
        ("/hr/c", State.ALIAS, "one of the same readers does"),
    ],
)
def test_a_canonical_url_of_other_readers(tmp_path: Path, prefers: str, state: State, why: str) -> None:
    web = Web(chain("/", "/hr/b", "/c", "/hr/c"), said={f"{HOST}/hr/b": {"canonical": HOST + prefers}})
    clock = Clock()
    crawl = crawl_of(tmp_path, clock, own=True)
    rules = AudienceRules((AudienceRule("staff", "prefix", (f"{HOST}/hr/",)),))
    crawl.discovery.sites = replace(crawl.discovery.sites, audiences=rules)
    run(crawl, web, clock)
    assert states(tmp_path)[f"{HOST}/hr/b"][0] == state, why


def test_equal_pages_are_kept_apart_behind_own_code(tmp_path: Path) -> None:
    """Which stands behind the META gate, and has what it makes of a page fingerprinted anew."""
    crawl, url = crawl_of(tmp_path, Clock(), own=True), f"{HOST}/hr/b"
    rules = AudienceRules((AudienceRule("staff", "prefix", (f"{HOST}/hr/",)),))
    crawl.discovery.sites = replace(crawl.discovery.sites, audiences=rules)
    read = reading(url, [])
    visit = Visit(Fetch(Claim(1, url, HOST), 200), State.STORED, reading=read)
    gated = crawl.walk.meta_robots(visit)
    assert gated.reading == read
    chosen = crawl.walk.canonical(gated).reading
    assert chosen
    assert chosen.fingerprint == rules.seal(read, url).fingerprint != read.fingerprint
    crawl.close("finished")
