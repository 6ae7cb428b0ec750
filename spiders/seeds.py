"""Collects the root set: from -a arguments, files of URLs, crawl.toml (requirements 4-6)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from engine.config import Config, SiteConfig
from engine.errors import EngineError
from spiders.arguments import apply_arguments


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
    return tuple(_expand_files(apply_arguments(site, arguments)) for site in sites)


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
