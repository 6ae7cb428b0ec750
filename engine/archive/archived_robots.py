"""Asks the robots.txt that an archive has of a host, and the one that a crawl has seen there."""

from dataclasses import replace
from functools import lru_cache

from engine.archive.capture_index import ArchivedRobotsTxt, CaptureIndex
from engine.config import Config
from engine.model import State
from engine.robots import AGENT, Policy, RobotsResponse, RobotsState, Verdict, interpret_response
from engine.store import Store, load_robots
from engine.url import Aliases, host_of

MAX_HOSTS = 64  # whose rules are kept as they were read; 12 MB each at most, usually 10 kB


class ArchivedRobots:
    """The rules for captures: those of their day, and those of today where a crawl knows them."""

    def __init__(self, captures: CaptureIndex, store: Store, config: Config, aliases: Aliases) -> None:
        self._captures, self._store, self._aliases = captures, store, aliases
        self._policy = config.robots
        self._interpret = lru_cache(MAX_HOSTS)(self._interpret_archived)
        self._load = lru_cache(MAX_HOSTS)(self._load_known)

    def refusal(self, url: str, at: float) -> State | None:
        """Returns the state of a URL whose capture may not be taken, None for one that may."""
        host = host_of(url)
        archived = self._captures.find_robots(host, at)
        states = (archived and self._interpret(host, archived), self._load(host))
        return next((refused for one in states if one and (refused := _refusal(one, url))), None)

    def _interpret_archived(self, host: str, found: ArchivedRobotsTxt) -> RobotsState:
        state = interpret_robots_txt(found, self._policy)
        return replace(state, ignore_case=self._aliases.ignores_case(host))

    def _load_known(self, host: str) -> RobotsState | None:
        state = load_robots(self._store.engine, host)
        return state if state and state.verdict is not Verdict.DEFER else None


def interpret_robots_txt(found: ArchivedRobotsTxt, policy: Policy) -> RobotsState:
    """Interprets a captured robots.txt; one that says "ask again later" defers."""
    return interpret_response(RobotsResponse(found.status, {}, found.body), found.at, None, policy)


def _refusal(rules: RobotsState, url: str) -> State | None:
    if not rules.allowed(AGENT, url):
        return State.DISALLOWED
    return None if rules.indexable(AGENT) else State.NOINDEX
