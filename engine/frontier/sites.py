"""Decides which URLs the operator's sites include, and at which pace their hosts are asked."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

from engine.audience import OPEN_TO_ALL, AudienceRules
from engine.config import Login, Root, SiteConfig
from engine.errors import EngineError
from engine.formats import READABLE
from engine.frontier.politeness import PACES, Pace
from engine.model import Purpose
from engine.url import (
    DYNAMIC,
    NO_ALIASES,
    SUFFIXES,
    Aliases,
    Scope,
    canonicalize,
    find_dynamic,
    find_trap,
    host_of,
    refused_suffixes,
)


@dataclass(frozen=True, slots=True)
class Site:
    """Seeds and feeds that share a scope and a pace; `hosts` are their own."""

    seeds: tuple[str, ...]  # canonical and settled
    hosts: frozenset[str]
    scope: Scope
    own: bool
    pace: Pace
    trust_404: bool = False
    roots: tuple[Root, ...] = ()  # where each seed came from
    render: str = "never"
    feeds: tuple[str, ...] = ()
    render_hosts: frozenset[str] = frozenset()  # others that its pages may ask while they are rendered


@dataclass(frozen=True, slots=True)
class Sites:
    """All sites of a crawl, and the known spellings of their URLs."""

    sites: tuple[Site, ...]
    aliases: Aliases = field(default=NO_ALIASES, kw_only=True)
    forced: frozenset[str] = field(default=frozenset(), kw_only=True)  # to be crawled once, whatever refuses
    dynamic: str = field(default=DYNAMIC[0], kw_only=True)
    suffixes: frozenset[str] = field(default=SUFFIXES, kw_only=True)  # of what is not read
    named: frozenset[str] = field(default=frozenset(), kw_only=True)  # one by one: they may be dynamic
    audiences: AudienceRules = field(default=OPEN_TO_ALL, kw_only=True)
    logins: Mapping[str, Login] = field(default_factory=dict, kw_only=True)  # by their hosts

    @property
    def seeds(self) -> tuple[str, ...]:
        """The URLs where the crawl starts."""
        return tuple(seed for site in self.sites for seed in site.seeds)

    @property
    def feeds(self) -> tuple[str, ...]:
        """The feeds that the operator names."""
        return tuple(feed for site in self.sites for feed in site.feeds)

    @property
    def roots(self) -> dict[str, Root]:
        """Where each seed and feed came from, the first time that it is named."""
        pairs = (
            pair for site in self.sites for pair in zip((*site.seeds, *site.feeds), site.roots, strict=True)
        )
        return dict(reversed([*pairs]))

    @property
    def digest(self) -> str:
        """A digest that is equal for crawls of the same sites by the same rules: those may share the work."""
        rules = [
            (site.seeds, site.feeds, site.scope.kind, site.scope.include, site.scope.exclude, site.pace)
            for site in self.sites
        ]
        whole = (rules, self.aliases, self.dynamic, self.audiences, *self.logins)
        return sha256(repr(whole).encode()).hexdigest()

    @property
    def own_hosts(self) -> frozenset[str]:
        """The hosts that the operator named as his own."""
        return frozenset().union(*(site.hosts for site in self.sites if site.own))

    @property
    def others(self) -> tuple[str, ...]:
        """The seeds and feeds of other people's sites, to which the crawl must identify itself."""
        return tuple(seed for site in self.sites if not site.own for seed in (*site.seeds, *site.feeds))

    @property
    def renders(self) -> bool:
        """Whether some site's pages are rendered."""
        return any(site.render != "never" for site in self.sites)

    def rendering(self, url: str) -> str:
        """Returns whether a page is rendered, in the word of its first site that says so, else never."""
        words = (site.render for site in self.sites if site.render != "never" and not site.scope.refusal(url))
        return next(words, "never")

    def render_hosts(self, url: str) -> frozenset[str]:
        """Returns the other hosts that a page may ask for its scripts and their data."""
        found = (site for site in self.sites if site.render_hosts and not site.scope.refusal(url))
        return frozenset().union(*(site.render_hosts for site in found))

    def refusal(self, url: str) -> str:
        """Returns '' for a URL to be crawled, else the name of the rule that refuses it."""
        if self.forced and url in self.forced:
            return ""
        if rule := find_trap(url, self.suffixes) or (
            "" if url in self.named else find_dynamic(url, self.dynamic)
        ):
            return rule
        return self.refuse_logout(url) or self.refuse_scope(url)

    def refuse_list(self, url: str, kind: Purpose, found_on: str) -> str:
        """Returns the rule that refuses a sitemap or a feed, '' for none: the rules of pages do not.

        `found_on`: what led to it, '' where the operator or robots.txt did.
        """
        if kind is Purpose.FEED and not found_on and url not in self.feeds:
            return "no site names this feed"
        return self.refuse_logout(url)

    def refuse_scope(self, url: str) -> str:
        """Returns '' for a URL that some site includes, else the rule by which the first one does not."""
        refusals = [site.scope.refusal(url) for site in self.sites]
        return "" if "" in refusals else refusals[0]

    def refuse_logout(self, url: str) -> str:
        """Returns the rule that refuses a URL at which a session of ours would end, '' for any other."""
        login = self.logins.get(host_of(url)) if self.logins else None
        return login.refusal(url) if login else ""

    def admits(self, host: str) -> bool:
        """Tells whether at least some URL of a host may be in scope."""
        return any(site.scope.admits(host) for site in self.sites) or host in map(host_of, self.forced)

    def is_own(self, host: str) -> bool:
        """Tells whether a host is of a site that the operator calls his own."""
        return any(site.own and (host in site.hosts or site.scope.admits(host)) for site in self.sites)

    def trusts_404(self, url: str) -> bool:
        """Tells whether the operator takes a 404 for a URL of his own sites as final."""
        return any(site.trust_404 and not site.scope.refusal(url) for site in self.sites)

    def pace(self, host: str) -> Pace:
        """Returns the pace of a host: that of its own site, else a polite one."""
        for site in self.sites:
            if host in site.hosts or (not site.own and site.scope.admits(host)):
                return site.pace
        return PACES["polite"]

    def with_moved_seed(self, seed: str, target: str) -> "Sites":
        """Adds the host to which a seed moved to its site, at the pace of hosts of others.

        Not for a site that not everybody may see: nobody has written who may see that host.
        """
        moved = [site for site in self.sites if seed in site.seeds and not self.audiences.require(seed)]
        hosts = frozenset({host_of(target)})
        pace = PACES["polite"]
        joined = tuple(
            Site(
                (),
                hosts,
                replace(site.scope, seeds=(target,)),
                False,
                pace,
                render=site.render,
                render_hosts=site.render_hosts,
            )
            for site in moved
        )
        named = self.named | {target} if joined else self.named
        return replace(self, sites=self.sites + joined, named=named)


def build_sites(
    configs: Sequence[SiteConfig],
    aliases: Aliases = NO_ALIASES,
    dynamic: str = DYNAMIC[0],
    types: frozenset[str] = READABLE,
    audiences: AudienceRules = OPEN_TO_ALL,
    logins: Iterable[Login] = (),
) -> Sites:
    """Checks and builds the operator's sites. Raises EngineError for a seed that is no http(s) URL."""
    sites = tuple(_site(config, aliases) for config in configs)
    named = frozenset(seed for site in sites for seed in site.seeds)
    by_host = {login.host: login for login in logins}
    if private := sorted(host for site in sites for host in _private_hosts(site, by_host)):
        raise EngineError(
            f"{private[0]} is behind a login: its pages ask no other host, nor do others' pages ask it; "
            "leave render_hosts out"
        )
    return Sites(
        sites,
        aliases=aliases,
        dynamic=dynamic,
        suffixes=refused_suffixes(types),
        named=named,
        audiences=audiences,
        logins=by_host,
    )


def _private_hosts(site: Site, logins: Mapping[str, Login]) -> frozenset[str]:
    """Finds the hosts behind a login that render_hosts would connect with others."""
    return (site.render_hosts | site.hosts).intersection(logins) if site.render_hosts else frozenset()


def _site(config: SiteConfig, aliases: Aliases) -> Site:
    seeds, feeds = (
        tuple(aliases.resolve(_canonical(url)) for url in urls) for urls in (config.seeds, config.feeds)
    )
    scope = Scope(config.scope, seeds + feeds, config.include, config.exclude)
    profile = "own" if config.own and config.profile == "polite" else config.profile
    hosts, roots = frozenset(map(host_of, scope.seeds)), config.roots or (Root(),) * len(scope.seeds)
    return Site(
        seeds,
        hosts,
        scope,
        config.own,
        PACES[profile],
        config.trust_404,
        roots,
        config.render,
        feeds,
        config.render_hosts,
    )


def _canonical(seed: str) -> str:
    try:
        return canonicalize(seed)
    except ValueError as error:
        raise EngineError(
            f"unusable seed {seed!r}: {error}; write an address such as https://example.org/"
        ) from error
