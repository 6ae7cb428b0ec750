"""Takes up a robots.txt that was read on request, outside of any crawl."""

import time

from engine.config import Config
from engine.crawl.owner import heard, obey
from engine.crawl.recheck import forbid_some
from engine.model import Fetch
from engine.robots import RobotsState, Verdict
from engine.store import Store, find_host_to_recheck, hosts, load_robots, write_transaction


def refreshed(store: Store, fetch: Fetch, config: Config) -> tuple[RobotsState, int]:
    """Keep the answer, for a running crawl to take up; what is known now, and how many pages left by it."""
    host = fetch.claim.host
    before = load_robots(store.engine, host)
    state = heard(fetch, time.time(), before, config.robots, config.aliases)
    with write_transaction(store.engine) as connection:
        left = obey(connection, host, before, state, refreshed=True)
    while state.verdict is not Verdict.DEFER:
        with write_transaction(store.engine) as connection:
            found = find_host_to_recheck(connection, hosts.c.host == host)
            if found is None:
                break
            left += forbid_some(connection, found[0], state)
    return state, left
