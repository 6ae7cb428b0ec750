"""Parses what an operator types for a URL, host or prefix."""

import re
import time
from dataclasses import replace

import sqlalchemy as sa

from engine.audience import read_audience_rules
from engine.config import Config
from engine.crawl import load_moved_sites
from engine.frontier import Sites, build_sites
from engine.model import LISTS
from engine.robots import AGENT, Verdict
from engine.store import (
    REMOVED,
    Extent,
    Target,
    load_blocklist,
    load_known_url,
    parse_target,
    select_robots,
)
from engine.url import Aliases, find_dynamic, find_trap, host_of, refused_suffixes

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)  # else a seed is a file of URLs


def settled_target(typed: str, aliases: Aliases) -> Target:
    """Parses a target, a URL as the operator's sites spell it. Raises EngineError for what is none."""
    target = parse_target(typed)
    return replace(target, text=aliases.resolve(target.text)) if target.extent is Extent.URL else target


def sites_written(connection: sa.Connection, config: Config) -> Sites | None:
    """Returns the sites of crawl.toml, with the redirects and twins that crawls have found.

    None without any, or when seeds or feeds are in a file: only the crawl that reads it knows the scope.
    """
    seeds = [seed for site in config.sites for seed in (*site.seeds, *site.feeds)]
    if not seeds or not all(map(_SCHEME.match, seeds)):
        return None
    limits, rules = config.limits, read_audience_rules(config)
    sites = build_sites(
        config.sites, config.aliases, limits.exclude_dynamic, config.types, rules, config.logins
    )
    return load_moved_sites(connection, sites)


def rule_against(connection: sa.Connection, config: Config, sites: Sites | None, url: str) -> str:
    """Finds the crawl rule that excludes a canonical URL, '' if none does (requirements 8, 38)."""
    if load_blocklist(connection).refuses(url):
        return REMOVED
    if sites:
        return sites.refusal(url)
    return find_trap(url, refused_suffixes(config.types)) or find_dynamic(url, config.limits.exclude_dynamic)


def rule_against_known(connection: sa.Connection, config: Config, sites: Sites | None, url: str) -> str:
    """Finds the rule that excludes a canonical URL as what it is known as: a page, a sitemap or a feed."""
    known = load_known_url(connection, url, time.time())
    if not sites or not known or known.kind not in LISTS or load_blocklist(connection).refuses(url):
        return rule_against(connection, config, sites, url)
    return sites.refuse_list(url, known.kind, known.found_on)


def robots_denial(connection: sa.Connection, url: str, now: float) -> str:
    """Returns what the owner forbids, '' as far as known; the crawl checks again before it sends."""
    robots = select_robots(connection, host_of(url))
    if robots is None or not robots.is_fresh(now) or robots.verdict is Verdict.DEFER:
        return ""
    return "" if robots.allowed(AGENT, url) else robots.reason(AGENT, url)
