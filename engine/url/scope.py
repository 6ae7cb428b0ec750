"""Decides whether a URL is in scope, and which voter a link counts for."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from publicsuffixlist import PublicSuffixList

from engine.url.canonical import authority_of, host_name, host_of

MAX_CACHED_VOTERS = 16_384  # hosts, some 5 MB; a crawl comes back to the same ones


@dataclass(frozen=True)
class Scope:
    """The URLs that belong to one site, as its operator drew the line. Seeds are canonical URLs."""

    kind: str  # a key of KINDS
    seeds: tuple[str, ...]
    include: re.Pattern[str] | None = None
    exclude: re.Pattern[str] | None = None

    def refusal(self, url: str) -> str:
        """Returns the rule that keeps a canonical URL out: scope, include or exclude; '' when it is in."""
        if not self._holds(url):
            return "scope"
        if self.include and not self.include.search(url):
            return "include"
        if self.exclude and self.exclude.search(url):
            return "exclude"
        return ""

    def admits(self, host: str) -> bool:
        """Tells whether some URL of this host may be in, as far as the host decides."""
        return self._admits(f"{host}/")

    @cached_property
    def _admits(self) -> Callable[[str], bool]:
        return KINDS["host"](self.seeds) if self.kind == "prefix" else self._holds

    @cached_property
    def _holds(self) -> Callable[[str], bool]:
        return KINDS[self.kind](self.seeds)


def registrable_domain(url: str) -> str:
    """Returns the registrable domain of a canonical URL: the voter of links on this page.

    An IP address or a name without public suffix is its own domain, port included.
    """
    return _domain(authority_of(url))


@lru_cache(maxsize=MAX_CACHED_VOTERS)
def _domain(authority: str) -> str:
    return _load_suffixes().privatesuffix(host_name(f"http://{authority}/")) or authority


@cache
def _load_suffixes() -> PublicSuffixList:
    """Reads the bundled list, 0.03 s, when a domain is first asked for.

    With its private part, because two owners behind one blog service are two domains.
    """
    return PublicSuffixList(accept_unknown=False)


def _same_host(seeds: tuple[str, ...]) -> Callable[[str], bool]:
    hosts = frozenset(host for seed in seeds for host in _sibling_hosts(seed))
    return lambda url: host_of(url) in hosts


def _same_domain(seeds: tuple[str, ...]) -> Callable[[str], bool]:
    domains = frozenset(map(registrable_domain, seeds))
    return lambda url: registrable_domain(url) in domains


def _under_directory(seeds: tuple[str, ...]) -> Callable[[str], bool]:
    directories = tuple(host + _directory(seed) for seed in seeds for host in _sibling_hosts(seed))
    return lambda url: url.startswith(directories)


def _anywhere(_: tuple[str, ...]) -> Callable[[str], bool]:
    return lambda _: True


KINDS: dict[str, Callable[[tuple[str, ...]], Callable[[str], bool]]] = {
    "host": _same_host,
    "domain": _same_domain,
    "prefix": _under_directory,
    "any": _anywhere,
}


def _sibling_hosts(url: str) -> tuple[str, ...]:
    """Returns the hosts that represent one site: http and https of a name on its default ports are one."""
    name = authority_of(url)
    return (f"http://{name}", f"https://{name}") if name == host_name(url) else (host_of(url),)


def _directory(url: str) -> str:
    path = url[len(host_of(url)) :].partition("?")[0]
    return path[: path.rindex("/") + 1]
