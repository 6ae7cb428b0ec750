"""What this crawl may fetch, and how fast: the operator's sites put to use."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.config import SiteConfig
from engine.errors import EngineError
from engine.frontier.politeness import PACES, Pace
from engine.url import Scope, canonicalize, host_of, smell


@dataclass(frozen=True, slots=True)
class Site:
    """Seeds that share a scope and a pace; `hosts` are the seeds' own."""

    seeds: tuple[str, ...]  # canonical
    hosts: frozenset[str]
    scope: Scope
    own: bool
    pace: Pace


@dataclass(frozen=True, slots=True)
class Sites:
    """All sites of a crawl."""

    sites: tuple[Site, ...]

    @property
    def seeds(self) -> tuple[str, ...]:
        """Where the crawl starts."""
        return tuple(seed for site in self.sites for seed in site.seeds)

    @property
    def own_hosts(self) -> frozenset[str]:
        """The hosts that the operator named as his own."""
        return frozenset().union(*(site.hosts for site in self.sites if site.own))

    @property
    def others(self) -> tuple[str, ...]:
        """Seeds of sites that are not the operator's: they must be told who crawls."""
        return tuple(seed for site in self.sites if not site.own for seed in site.seeds)

    def refusal(self, url: str) -> str:
        """'' for a URL to be crawled, else the name of the rule that refuses it."""
        if rule := smell(url):
            return rule
        refusals = [site.scope.refusal(url) for site in self.sites]
        return "" if "" in refusals else refusals[0]

    def admits(self, host: str) -> bool:
        """True for a host of which at least some URL may be in scope."""
        return any(site.scope.admits(host) for site in self.sites)

    def pace(self, host: str) -> Pace:
        """How fast a host is asked: as its own site says, else politely."""
        for site in self.sites:
            if host in site.hosts or (not site.own and site.scope.admits(host)):
                return site.pace
        return PACES["polite"]

    def joined_by(self, seed: str, target: str) -> "Sites":
        """A seed that moved to another host takes its site there, at a stranger's pace."""
        moved = [site for site in self.sites if seed in site.seeds]
        scopes = (replace(site.scope, seeds=(target,)) for site in moved)
        hosts = frozenset({host_of(target)})
        pace = PACES["polite"]
        return Sites(self.sites + tuple(Site((), hosts, scope, False, pace) for scope in scopes))


def sites_of(configs: Sequence[SiteConfig]) -> Sites:
    """The operator's words, checked. Raises EngineError for a seed that is no http(s) URL."""
    return Sites(tuple(_site(config) for config in configs))


def _site(config: SiteConfig) -> Site:
    seeds = tuple(_canonical(seed) for seed in config.seeds)
    scope = Scope(config.scope, seeds, config.include, config.exclude)
    profile = "own" if config.own and config.profile == "polite" else config.profile
    return Site(seeds, frozenset(map(host_of, seeds)), scope, config.own, PACES[profile])


def _canonical(seed: str) -> str:
    try:
        return canonicalize(seed)
    except ValueError as error:
        raise EngineError(
            f"unusable seed {seed!r}: {error}; write an address such as https://example.org/"
        ) from error
