"""Reads the operator's configuration, crawl.toml and Scrapy's settings, once into frozen values."""

from engine.config.addresses import parse_cluster_url, parse_database_url
from engine.config.alerting import AlertsConfig, MailConfig
from engine.config.audiences import ANYBODY, AudienceConfig
from engine.config.hours import Hours
from engine.config.limits import (
    FREE_BYTES,
    MAX_DEPTH,
    MAX_DOMAIN_HOSTS,
    MAX_DOMAIN_PAGES,
    MAX_DOMAIN_QUEUED,
    MAX_HOST_BYTES,
    MAX_HOST_PAGES,
    MAX_QUERIES,
    MEGABYTE,
    LimitsConfig,
)
from engine.config.load import (
    EXAMPLE,
    Config,
    Duplicates,
    Schedule,
    load_config,
    require_contact,
)
from engine.config.logins import Login, Proxy, SecretPlace
from engine.config.oidc import OidcConfig, parse_provider_url
from engine.config.reading_limits import PAGE_SECONDS, TYPES, ReadingLimits
from engine.config.rebuilding import RebuildLimits
from engine.config.screening import ScreeningConfig
from engine.config.serving import ANY_ORIGIN, MANY_ADDRESSES, PRIVATE, Network, ServerConfig
from engine.config.site import PROFILES, SCOPES, Root, SiteConfig
from engine.config.table import Table, choose, compile_pattern
from engine.formats import READABLE

__all__ = [
    "ANYBODY",
    "ANY_ORIGIN",
    "EXAMPLE",
    "FREE_BYTES",
    "MANY_ADDRESSES",
    "MAX_DEPTH",
    "MAX_DOMAIN_HOSTS",
    "MAX_DOMAIN_PAGES",
    "MAX_DOMAIN_QUEUED",
    "MAX_HOST_BYTES",
    "MAX_HOST_PAGES",
    "MAX_QUERIES",
    "MEGABYTE",
    "PAGE_SECONDS",
    "PRIVATE",
    "PROFILES",
    "READABLE",
    "SCOPES",
    "TYPES",
    "AlertsConfig",
    "AudienceConfig",
    "Config",
    "Duplicates",
    "Hours",
    "LimitsConfig",
    "Login",
    "MailConfig",
    "Network",
    "OidcConfig",
    "Proxy",
    "ReadingLimits",
    "RebuildLimits",
    "Root",
    "Schedule",
    "ScreeningConfig",
    "SecretPlace",
    "ServerConfig",
    "SiteConfig",
    "Table",
    "choose",
    "compile_pattern",
    "load_config",
    "parse_cluster_url",
    "parse_database_url",
    "parse_provider_url",
    "require_contact",
]
