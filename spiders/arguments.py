"""Reads the arguments of `scrapy crawl web -a NAME=VALUE`; they go before crawl.toml."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.config import PROFILES, SCOPES, LimitsConfig, SiteConfig, choose, compile_pattern
from engine.crawl import Limits
from engine.errors import EngineError
from engine.folder import FreeSpace
from engine.frontier import DomainLimits

LIMITS = ("max_pages", "max_depth", "host_pages")
ARGUMENTS = ("seeds", "scope", "include", "exclude", "own", "profile", *LIMITS, "revisit", "feeds", "fresh")


def check_arguments(arguments: Mapping[str, str], own: Sequence[str] = ()) -> None:
    """Raises EngineError for an argument that is neither known nor one of the spider's own."""
    known = (*ARGUMENTS, *own)
    if unknown := [name for name in arguments if name not in known]:
        raise EngineError(f"-a {unknown[0]}: unknown; write one of {', '.join(known)}")


def parse_number(arguments: Mapping[str, str], name: str) -> int | None:
    """Parses a whole number above zero, None without the argument. Raises EngineError for anything else."""
    text = arguments.get(name, "")
    if text and not (text.isascii() and text.isdigit() and len(text) < 10 and int(text)):
        raise EngineError(f"-a {name}={text}: write a whole number above zero")
    return int(text) if text else None


def parse_flag(arguments: Mapping[str, str], name: str) -> bool:
    """Parses 1 as True, 0 or nothing as False. Raises EngineError for anything else."""
    return choose(arguments.get(name, "0"), ("0", "1"), f"-a {name}") == "1"


def apply_arguments(site: SiteConfig, arguments: Mapping[str, str]) -> SiteConfig:
    """Returns a site with what the arguments say of it. Raises EngineError for what cannot be used."""
    if "scope" in arguments:
        site = replace(site, scope=choose(arguments["scope"], SCOPES, "-a scope"))
    if "profile" in arguments:
        site = replace(site, profile=choose(arguments["profile"], PROFILES, "-a profile"))
    if "include" in arguments:
        site = replace(site, include=compile_pattern(arguments["include"], "-a include"))
    if "exclude" in arguments:
        site = replace(site, exclude=compile_pattern(arguments["exclude"], "-a exclude"))
    return replace(site, own=parse_flag(arguments, "own")) if "own" in arguments else site


def build_limits(arguments: Mapping[str, str], config: LimitsConfig, disk_space: FreeSpace) -> Limits:
    """Builds the limits of one run. Raises EngineError for an argument that cannot be used."""
    return Limits(
        pages=parse_number(arguments, "max_pages"),
        depth=parse_number(arguments, "max_depth") or config.max_depth,
        queries=config.queries_per_path,
        host_pages=parse_number(arguments, "host_pages") or config.host_pages,
        domain=DomainLimits(config.domain_hosts, config.domain_pages, config.domain_queued),
        host_pages_per_day=config.host_pages_per_day,
        bytes_per_second=config.bytes_per_second,
        quiet_hours=config.quiet_hours,
        exact_seen=config.exact_seen,
        host_bytes=config.host_bytes,
        disk_space=disk_space,
        due_only=parse_flag(arguments, "revisit"),
        feeds_only=parse_flag(arguments, "feeds"),
    )
