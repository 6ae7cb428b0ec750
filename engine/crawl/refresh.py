"""Takes up a robots.txt that was read on request, outside of any crawl."""

import time

from engine.config import Config
from engine.crawl.owner import heard, obey
from engine.crawl.recheck import forbid_some
from engine.model import Fetch
from engine.robots import RobotsState, Verdict
from engine.store import Store, hosts, known_robots, to_recheck, writing


def refreshed(store: Store, fetch: Fetch, config: Config) -> tuple[RobotsState, int]:
    """Keep the answer, for a running crawl to take up; what is known now, and how many pages left by it."""
    host = fetch.claim.host
    before = known_robots(store.engine, host)
    state = heard(fetch, time.time(), before, config.robots, config.aliases)
    with writing(store.engine) as connection:
        left = obey(connection, host, before, state, refreshed=True)
    while state.verdict is not Verdict.DEFER:
        with writing(store.engine) as connection:
            found = to_recheck(connection, hosts.c.host == host)
            if found is None:
                break
            left += forbid_some(connection, found[0], state)
    return state, left
