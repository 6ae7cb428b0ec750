"""Saves a robots.txt that was read on request, outside of any crawl."""

import time

from engine.config import Config
from engine.crawl.permissions import enforce_robots, interpret_robots
from engine.crawl.recheck import drop_slice
from engine.model import Fetch
from engine.robots import RobotsState, Verdict
from engine.store import Store, find_host_to_recheck, hosts, load_robots, write_transaction


def save_refreshed_robots(store: Store, fetch: Fetch, config: Config) -> tuple[RobotsState, int]:
    """Saves the answer for a running crawl; returns what is known now, and how many pages it removed."""
    host = fetch.claim.host
    before = load_robots(store.engine, host)
    state = interpret_robots(fetch, time.time(), before, config.robots, config.aliases)
    with write_transaction(store.engine) as connection:
        left = enforce_robots(connection, host, before, state, refreshed=True)
    while state.verdict is not Verdict.DEFER:
        with write_transaction(store.engine) as connection:
            found = find_host_to_recheck(connection, hosts.c.host == host)
            if found is None:
                break
            left += drop_slice(connection, found[0], state)
    return state, left
