"""A data folder in which everything has happened to a host, and something to another."""

import json
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx

from engine.complaints import close_complaint, make_complaint
from engine.config import Config, load_config
from engine.database import OWNERS, write_side
from engine.history.host_counts import HostDelta, add_counts, open_history
from engine.history.log_files import LogFiles
from engine.index.indexing.follow import make_follower
from engine.ownership.mark import make_value
from engine.ownership.owner_removals import save_removal
from engine.ownership.proofs import save_proof
from engine.robots import RobotsState, Verdict
from engine.store import Store, add_block, parse_target, save_robots
from tests.crawling import HOST, Clock, Web, crawl_of, run
from tests.search_ui.admin.conftest import make_app
from tests.search_ui.conftest import answering

OTHER = "http://other.example"
KEY = "k" * 43
HOSTILE = '"><script>alert(1)</script>\u202e'
TOML = f"""contact = "owner@crawl.example"
[[site]]
seeds = ["{HOST}/", "{OTHER}/"]
own = true
"""
RULES = f"User-agent: *\nDisallow: /private/\nCrawl-delay: 7\n# {HOSTILE}\n".encode()


def fill(data: Path) -> Config:
    """Fills a folder, and returns its configuration; the host has shown the value of KEY."""
    data.mkdir()
    (data / "crawl.toml").write_text(TOML, encoding="utf-8")
    now = time.time()
    clock = Clock(now - 7_200)
    links = [f"{HOST}/{name}" for name in ("one", "two", "gone", "broken", "cgi-bin/x?y", "private/a")]
    web = Web(
        {
            f"{HOST}/": [*links, f"{OTHER}/gone"],
            links[0]: [links[2], f"{OTHER}/secret"],
            links[1]: [links[2], links[3]],
            links[3]: 500,
            f"{OTHER}/": [links[2], f"{OTHER}/lost"],
        }
    )
    crawl = crawl_of(data, clock, seeds=(f"{HOST}/", f"{OTHER}/"), own=True)
    run(crawl, web, clock)
    crawl.store.close()
    config = read_config(data)
    with closing(Store(data)) as store:
        state = RobotsState(Verdict.OBEY, RULES, now - 600, now + 86_400, 200)
        with store.engine.begin() as connection:
            save_robots(connection, HOST, state)
        make_follower(store, config).catch_up()
    _keep_history(data, now)
    with closing(Store(data)) as store, store.engine.begin() as connection:
        for place in (f"{HOST}/old/*", f"{OTHER}/old/*"):
            add_block(connection, parse_target(place), "asked", "", now)
    with write_side(data, OWNERS) as connection:
        save_proof(connection, HOST, make_value(HOST, KEY), now)
        save_removal(connection, HOST, 1, 12)
    make_complaint(data, HOST, f"It came\n{HOSTILE}", "", now - 900, pauses=False)
    close_complaint(data, 1, f"Sorry\n{HOSTILE}", now - 60)
    make_complaint(data, OTHER, "of another", "", now)
    return config


def read_config(data: Path) -> Config:
    return load_config({"DATA_DIR": data, "CRAWL_TOML": data / "crawl.toml"})


def _keep_history(data: Path, now: float) -> None:
    statuses = Counter({"200": 40, "404": 2})
    with open_history(data) as history:
        delta = HostDelta(43, 42, 3, 8.0, 90_000, first_at=now - 60, last_at=now, statuses=statuses)
        add_counts(history, 1, {HOST: delta, OTHER: HostDelta(9_999, 1, last_at=now)})
    log = LogFiles(data, 30)
    skipped = [(f"{HOST}/{HOSTILE}", "scope"), (f"{HOST}/a", "query"), (f"{HOST}/b", "query")]
    skipped.append((f"{OTHER}/hidden", "exclude"))
    lines = [
        {"time": "2026-11-25T00:00:00Z", "event": "skip", "url": url, "rule": rule} for url, rule in skipped
    ]
    fetched: dict[str, Any] = {"time": "2026-11-25T00:00:00Z", "event": "request", "url": f"{HOST}/asked"}
    log.append("".join(f"{json.dumps(line)}\n" for line in (*lines, fetched)), now)
    log.close()


@contextmanager
def served_site(data: Path) -> Iterator[httpx.Client]:
    """A server of the owner's pages over such a folder."""
    with answering(make_app(fill(data))) as client:
        yield client
