"""A robots.txt that was read on request, outside of any crawl."""

import time
from dataclasses import replace

from engine.config import Config
from engine.crawl.owner import obey
from engine.page import Fetch
from engine.robots import Answer, RobotsState, judge
from engine.store.hosts import known_robots
from engine.store.pages import Store


def refreshed(store: Store, fetch: Fetch, config: Config) -> tuple[RobotsState, int]:
    """Keep the answer, for a running crawl to take up; what is known now, and how many pages left by it."""
    host = fetch.claim.host
    before = known_robots(store.engine, host)
    answer = Answer(fetch.status or None, dict(fetch.headers), fetch.body, fetch.error)
    state = judge(answer, time.time(), before, config.robots)
    state = replace(state, ignore_case=config.aliases.ignores_case(host))
    with store.engine.begin() as connection:
        return state, obey(connection, host, before, state, refreshed=True)
