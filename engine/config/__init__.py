"""What the operator wrote, in crawl.toml and in Scrapy's settings."""

from engine.config.bounds import (
    MAX_DEPTH,
    MAX_DOMAIN_HOSTS,
    MAX_DOMAIN_PAGES,
    MAX_DOMAIN_QUEUED,
    MAX_HOST_BYTES,
    MAX_HOST_PAGES,
    MAX_QUERIES,
    Bounds,
)
from engine.config.hours import Hours
from engine.config.load import (
    EXAMPLE,
    PROFILES,
    SCOPES,
    Config,
    Duplicates,
    Schedule,
    SiteConfig,
    compile_pattern,
    load,
)
from engine.config.readable import PAGE_SECONDS, TYPES, ReadingLimits
from engine.config.rebuilding import Rebuild
from engine.config.serving import ANY_ORIGIN, Network, Serving
from engine.config.table import choose
from engine.config.unwanted import Unwanted
from engine.formats import READABLE

__all__ = [
    "ANY_ORIGIN",
    "EXAMPLE",
    "MAX_DEPTH",
    "MAX_DOMAIN_HOSTS",
    "MAX_DOMAIN_PAGES",
    "MAX_DOMAIN_QUEUED",
    "MAX_HOST_BYTES",
    "MAX_HOST_PAGES",
    "MAX_QUERIES",
    "PAGE_SECONDS",
    "PROFILES",
    "READABLE",
    "SCOPES",
    "TYPES",
    "Bounds",
    "Config",
    "Duplicates",
    "Hours",
    "Network",
    "ReadingLimits",
    "Rebuild",
    "Schedule",
    "Serving",
    "SiteConfig",
    "Unwanted",
    "choose",
    "compile_pattern",
    "load",
]
