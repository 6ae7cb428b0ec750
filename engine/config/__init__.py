"""What the operator wrote, in crawl.toml and in Scrapy's settings."""

from engine.config.load import (
    EXAMPLE,
    PROFILES,
    SCOPES,
    Config,
    Schedule,
    SiteConfig,
    compile_pattern,
    load,
)
from engine.config.table import choose

__all__ = [
    "EXAMPLE",
    "PROFILES",
    "SCOPES",
    "Config",
    "Schedule",
    "SiteConfig",
    "choose",
    "compile_pattern",
    "load",
]
