"""Collects the root set: from -a arguments, files of URLs, crawl.toml (requirements 4-6)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from engine.config import PROFILES, SCOPES, Config, SiteConfig, choose, compile_pattern
from engine.errors import EngineError


def build_root_set(config: Config, arguments: Mapping[str, str]) -> tuple[SiteConfig, ...]:
    """Builds the sites of one crawl: those of `-a seeds=`, else crawl.toml's, with the other arguments.

    Raises EngineError when there is no seed or an argument cannot be used.
    """
    sites = config.sites
    if typed := arguments.get("seeds"):
        # A comma may stand inside a URL: only one before the next scheme separates.
        sites = (SiteConfig(tuple(re.split(r",(?=[a-z][a-z0-9+.-]*:)", typed))),)
    if not sites:
        raise EngineError(
            "nothing to crawl: give -a seeds=https://example.org/ or write crawl.toml ('scrapy init')"
        )
    return tuple(_expand_files(_apply_arguments(site, arguments)) for site in sites)


def parse_number(arguments: Mapping[str, str], name: str) -> int | None:
    """Parses a whole number above zero, None without the argument. Raises EngineError for anything else."""
    text = arguments.get(name, "")
    if text and not (text.isascii() and text.isdigit() and len(text) < 10 and int(text)):
        raise EngineError(f"-a {name}={text}: write a whole number above zero")
    return int(text) if text else None


def parse_flag(arguments: Mapping[str, str], name: str) -> bool:
    """Parses 1 as True, 0 or nothing as False. Raises EngineError for anything else."""
    return choose(arguments.get(name, "0"), ("0", "1"), f"-a {name}") == "1"


def _apply_arguments(site: SiteConfig, arguments: Mapping[str, str]) -> SiteConfig:
    if "scope" in arguments:
        site = replace(site, scope=choose(arguments["scope"], SCOPES, "-a scope"))
    if "profile" in arguments:
        site = replace(site, profile=choose(arguments["profile"], PROFILES, "-a profile"))
    if "include" in arguments:
        site = replace(site, include=compile_pattern(arguments["include"], "-a include"))
    if "exclude" in arguments:
        site = replace(site, exclude=compile_pattern(arguments["exclude"], "-a exclude"))
    return replace(site, own=parse_flag(arguments, "own")) if "own" in arguments else site


def _expand_files(site: SiteConfig) -> SiteConfig:
    return replace(site, seeds=tuple(url for seed in site.seeds for url in _read_seed(seed)))


def _read_seed(seed: str) -> Iterator[str]:
    """Reads a seed: a URL, or a file with one URL a line and # comments, read again at each crawl."""
    if re.match(r"[a-z][a-z0-9+.-]*:", seed, re.IGNORECASE):
        yield seed
        return
    try:
        lines = Path(seed).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise EngineError(
            f"seeds: {seed!r} is no http(s) URL and no file that can be read ({error})"
        ) from error
    found = [url for line in lines if (url := re.sub(r"(^|\s)#.*", "", line).strip())]
    if not found:
        raise EngineError(f"seeds: there is no URL in {seed}")
    yield from found
