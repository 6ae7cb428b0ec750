"""Parses and judges URLs: the canonical one, its scope, and whether it smells of a trap."""

from engine.url.aliases import (
    NO_ALIASES,
    TRACKING_PARAMS,
    Aliases,
    KnownHost,
    are_twins,
    hosts_named,
    page_name,
    param_name,
)
from engine.url.canonical import UNRESERVED, Spelling, authority_of, canonicalize, host_name, host_of, port_of
from engine.url.mentioned import find_urls
from engine.url.networks import is_local, is_public, machine
from engine.url.scope import Scope, voter
from engine.url.traps import (
    DYNAMIC,
    MAX_URL_LENGTH,
    MAX_USUAL_LENGTH,
    SUFFIXES,
    generated,
    once_repeated,
    smell,
    suffixes_left,
)

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
    "Spelling",
    "are_twins",
    "authority_of",
    "canonicalize",
    "find_urls",
    "generated",
    "host_name",
    "host_of",
    "hosts_named",
    "is_local",
    "is_public",
    "machine",
    "once_repeated",
    "page_name",
    "param_name",
    "port_of",
    "smell",
    "suffixes_left",
    "voter",
]
