"""Which page may stand for another."""

from dataclasses import replace
from pathlib import Path

import pytest

from engine.audience import AudienceRule, AudienceRules
from engine.model.page import State
from tests.crawling import HOST, Clock, Web, chain, crawl_of, run, states


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
