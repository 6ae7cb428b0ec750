"""Parses and judges URLs: canonical form, scope, crawler traps."""

from engine.url.aliases import (
    NO_ALIASES,
    TRACKING_PARAMS,
    Aliases,
    KnownHost,
    are_twins,
    parse_hosts,
    parse_page_name,
    parse_param_name,
)
from engine.url.canonical import UNRESERVED, Spelling, authority_of, canonicalize, host_name, host_of, port_of
from engine.url.mentioned import find_urls
from engine.url.networks import is_local, is_public, machine_network
from engine.url.scope import Scope, registrable_domain
from engine.url.site_pattern import SitePattern
from engine.url.traps import (
    DYNAMIC,
    MAX_URL_LENGTH,
    MAX_USUAL_LENGTH,
    SUFFIXES,
    find_dynamic,
    find_repeated_prefix,
    find_trap,
    refused_suffixes,
)
from engine.url.typed import parse_typed_url

__all__ = [
    "DYNAMIC",
    "MAX_URL_LENGTH",
    "MAX_USUAL_LENGTH",
    "NO_ALIASES",
    "SUFFIXES",
    "TRACKING_PARAMS",
    "UNRESERVED",
    "Aliases",
    "KnownHost",
    "Scope",
    "SitePattern",
    "Spelling",
    "are_twins",
    "authority_of",
    "canonicalize",
    "find_dynamic",
    "find_repeated_prefix",
    "find_trap",
    "find_urls",
    "host_name",
    "host_of",
    "is_local",
    "is_public",
    "machine_network",
    "parse_hosts",
    "parse_page_name",
    "parse_param_name",
    "parse_typed_url",
    "port_of",
    "refused_suffixes",
    "registrable_domain",
]
