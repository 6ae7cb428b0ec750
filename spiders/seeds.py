"""Collects the root set: from -a arguments, files of URLs and of feeds, crawl.toml (requirements 4-6)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from engine.config import Config, Root, SiteConfig
from engine.errors import EngineError
from engine.robots import read_sitemap
from spiders.arguments import apply_arguments

ARGUMENT = "-a seeds"  # the source of what an argument names
SPIDER = "start_urls"  # the source of what an own spider names
NO_SITE = SiteConfig(())
_URL = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
NOWHERE = "http://localhost/"  # of a file no URL is relative to, and its scope is any
MAX_LABEL = 200  # characters of what the operator wrote beside a seed


def build_own_site(start_urls: Sequence[str], allowed_domains: Sequence[str]) -> SiteConfig:
    """Builds the site that an own spider names as Scrapy's do; without domains it stays on the seeds' hosts.

    As in Scrapy a domain stands for its subdomains, too, and for all ports.
    """
    if not allowed_domains:
        return SiteConfig(tuple(start_urls))
    domains = "|".join(re.escape(domain.lower()) for domain in allowed_domains)
    include = re.compile(rf"^https?://(?:[^/?#@]+\.)?(?:{domains})(?::\d+)?(?:[/?#]|$)")
    return SiteConfig(tuple(start_urls), scope="any", include=include)


def build_root_set(
    config: Config, arguments: Mapping[str, str], own: SiteConfig = NO_SITE
) -> tuple[SiteConfig, ...]:
    """Builds the sites of one crawl: those of `-a seeds=`, else of an own spider, else crawl.toml's.

    The other arguments change them. Raises EngineError when there is no seed or an argument cannot be used.
    """
    sites, source = (config.sites, Root().source) if not own.seeds else ((own,), SPIDER)
    if typed := arguments.get("seeds"):
        # A comma may stand inside a URL: only one before the next scheme separates.
        sites = (replace(own, seeds=tuple(re.split(r",(?=[a-z][a-z0-9+.-]*:)", typed))),)
        source = ARGUMENT
    if not sites:
        raise EngineError(
            "nothing to crawl: give -a seeds=https://example.org/ or write crawl.toml ('scrapy init')"
        )
    return tuple(_expand_files(apply_arguments(site, arguments), source) for site in sites)


def _expand_files(site: SiteConfig, source: str) -> SiteConfig:
    seeds = [pair for seed in site.seeds for pair in _read_seed(seed, source)]
    feeds = [pair for feed in site.feeds for pair in _read_feed(feed, source)]
    return replace(
        site,
        seeds=tuple(url for url, _ in seeds),
        feeds=tuple(url for url, _ in feeds),
        roots=tuple(root for _, root in (*seeds, *feeds)),
    )


def _read_feed(feed: str, source: str) -> Iterator[tuple[str, Root]]:
    """Reads a feed: a URL, or a file of feeds as programs that read them write it (OPML), or as of seeds."""
    octets = b"" if _URL.match(feed) else _read_file(feed)
    if not octets.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(
        b"<"
    ):  # behind a byte order mark, as Windows writes it
        yield from _read_seed(feed, source)
        return
    found = read_sitemap(octets, NOWHERE, scope="any")
    if not found.sitemaps:
        raise EngineError(f"feeds: there is no feed in {feed}: {'; '.join(found.warnings[:3])}")
    for entry in found.sitemaps:
        yield entry.loc, Root(feed)


def _read_seed(seed: str, source: str) -> Iterator[tuple[str, Root]]:
    """Reads a seed: a URL, or a file, read again at each crawl.

    A line of it has a URL and, behind a space, a label, which says what it is. # begins a comment.
    """
    if _URL.match(seed):
        yield seed, Root(source)
        return
    try:
        lines = _read_file(seed).decode().splitlines()
    except UnicodeDecodeError as error:
        raise EngineError(f"seeds: {seed!r} is no file that can be read ({error})") from error
    found = [words for line in lines if (words := re.sub(r"(^|\s)#.*", "", line).split(maxsplit=1))]
    if not found:
        raise EngineError(f"seeds: there is no URL in {seed}")
    for url, *label in found:
        yield url, Root(seed, " ".join("".join(label).split())[:MAX_LABEL])


def _read_file(name: str) -> bytes:
    try:
        return Path(name).read_bytes()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise EngineError(
            f"seeds: {name!r} is no http(s) URL and no file that can be read ({why})"
        ) from error
