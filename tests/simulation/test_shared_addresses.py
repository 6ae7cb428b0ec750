"""Hosts that answer from one address share a floor: to a machine, ten hosts are ten visitors at once."""

from itertools import pairwise
from pathlib import Path

import pytest

from tests.crawling import Clock, Web, crawl_of, run

SEEDS = tuple(f"http://h{n}.example/" for n in range(10))
PAGES = 4


def web_of(addresses: dict[str, str]) -> Web:
    pages = {f"{seed}{n or ''}": [f"{seed}{n + 1}"] for seed in SEEDS for n in range(PAGES)}
    return Web({**pages, **{f"{seed}{PAGES}": [] for seed in SEEDS}}, addresses=addresses, seconds=0.01)


@pytest.mark.requirement(29, 264)
@pytest.mark.parametrize(
    ("profile", "floor", "why"),
    [("polite", 1.0, "a fifth of 5 s"), ("brisk", 0.2, "a fifth of 1 s"), ("strict", 3.0, "a fifth of 15 s")],
)
def test_hosts_at_one_address_share_a_floor(tmp_path: Path, profile: str, floor: float, why: str) -> None:
    """Start to start, whichever of them is asked; but for robots.txt of the unknown."""
    web, clock = web_of({seed[:-1]: "192.0.2.7" for seed in SEEDS}), Clock()
    run(crawl_of(tmp_path, clock, seeds=SEEDS, profile=profile), web, clock)
    starts = [at for at, url in web.log if not url.endswith("/robots.txt")]
    assert len(starts) == len(SEEDS) * (PAGES + 2)
    assert min(b - a for a, b in pairwise(starts)) >= floor - 1e-6, why


def test_hosts_at_addresses_of_their_own_do_not_wait_for_each_other(tmp_path: Path) -> None:
    web, clock = web_of({seed[:-1]: f"192.0.2.{n}" for n, seed in enumerate(SEEDS)}), Clock()
    run(crawl_of(tmp_path, clock, seeds=SEEDS), web, clock)
    starts = [at for at, url in web.log if not url.endswith("/robots.txt")]
    assert min(b - a for a, b in pairwise(starts)) < 0.1


def test_an_own_address_has_no_floor(tmp_path: Path) -> None:
    web, clock = web_of({seed[:-1]: "192.0.2.7" for seed in SEEDS}), Clock()
    begun = clock.now
    run(crawl_of(tmp_path, clock, seeds=SEEDS, own=True), web, clock)
    assert clock.now - begun < 5
