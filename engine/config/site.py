"""Reads a [[site]] of crawl.toml: where its crawl begins, and what belongs to it."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from engine.config.table import Table, compile_pattern
from engine.errors import EngineError
from engine.url import parse_hosts

SCOPES = ("host", "domain", "prefix", "any")
RENDERINGS = ("never", "auto", "always")
PROFILES = ("polite", "brisk", "strict")


class Root(NamedTuple):
    """Where a URL at which a crawl begins came from; `label` is what the operator wrote beside it."""

    source: str = "crawl.toml"
    label: str = ""


@dataclass(frozen=True, slots=True)
class SiteConfig:
    """One [[site]] as the operator wrote it, or the -a arguments of one crawl."""

    seeds: tuple[str, ...]  # URLs, or files of URLs
    scope: str = "host"
    include: re.Pattern[str] | None = None
    exclude: re.Pattern[str] | None = None
    own: bool = False
    trust_404: bool = False  # a page leaves at its first 404, not at the second
    profile: str = "polite"
    render: str = "never"  # whether its pages are read as their scripts draw them: engine.render
    render_hosts: frozenset[str] = frozenset()  # other hosts that these scripts may ask
    audience: str = ""  # who may see its pages; '': everybody
    feeds: tuple[str, ...] = ()  # URLs, or files of them: OPML, or a URL a line
    roots: tuple[Root, ...] = ()  # of each seed, then of each feed; (): all are of crawl.toml


def read_site(table: Table) -> SiteConfig:
    """Reads a site. Raises EngineError for one that begins nowhere, and for what does not fit."""
    table.check_keys(
        *(
            "seeds",
            "feeds",
            "scope",
            "include",
            "exclude",
            "own",
            "trust_404",
            "profile",
            "render",
            "render_hosts",
            "audience",
        )
    )
    seeds, feeds = table.texts("seeds"), table.texts("feeds")
    if not seeds and not feeds:
        raise EngineError(f'{table.where("site")}: a [[site]] needs seeds = ["https://..."]')
    if table.flag("trust_404") and not table.flag("own"):
        raise EngineError(f"{table.where('trust_404')} is for your own sites; write own = true above it")
    render_hosts = table.parsed("render_hosts", _parse_names, "cdn.example.org")
    if render_hosts and table.choice("render", RENDERINGS) == "never":
        raise EngineError(
            f'{table.where("render_hosts")} is for pages that are rendered; write render = "auto" above it'
        )
    return SiteConfig(
        seeds=seeds,
        feeds=feeds,
        scope=table.choice("scope", SCOPES),
        include=compile_pattern(table.text("include"), table.where("include")),
        exclude=compile_pattern(table.text("exclude"), table.where("exclude")),
        own=table.flag("own"),
        trust_404=table.flag("trust_404"),
        profile=table.choice("profile", PROFILES),
        render=table.choice("render", RENDERINGS),
        render_hosts=frozenset(host for hosts in render_hosts for host in hosts),
        audience=table.text("audience"),
    )


def _parse_names(text: str) -> tuple[str, ...]:
    """Parses the name of one host, for http and https. Raises ValueError for more than that."""
    if "*" in text:
        raise ValueError("each host by its name")
    return parse_hosts(text)
