"""Parses the location of a cluster: where its nodes are, who logs in, whose certificates are trusted."""

import re
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import parse_qsl, unquote

from engine.errors import EngineError
from engine.opensearch.errors import PASSWORD_VARIABLE

DEFAULT_PORT = 9200
AUTHORITY = "sslrootcert"  # as libpq calls it
_LOCATION = re.compile(r"opensearch\+(https?)://(?:([^@/?#]*)@)?([^@/?#]+)(?:/([^/?#]*))?(?:\?([^#]*))?")
_PREFIX = re.compile(r"[a-z][a-z0-9]{0,30}")  # begins names of indexes, and of schemas of their link graphs
_NODE = re.compile(r"(?:\[([0-9a-fA-F:.]+)\]|([\w.-]+))(?::(\d{1,5}))?", re.ASCII)
_LOGIN = re.compile(r"//.*@")
_MAX_PORT = 65_535
DEFAULT_PREFIX = "lycosa"
_EXAMPLE = "opensearch+https://lycosa@search1.example.org:9200,search2.example.org:9200"


@dataclass(frozen=True)
class ClusterLocation:
    """Where a cluster is: (host, port) of some of its nodes, any of which takes all requests."""

    text: str  # has no password, so that every message may show it
    nodes: tuple[tuple[str, int], ...]
    is_encrypted: bool
    user: str = ""
    authority: Path | None = None  # a file of certificates; None: the system's
    prefix: str = DEFAULT_PREFIX  # of the names of indexes: several Lycosas may share a cluster


def parse_location(text: str) -> ClusterLocation:
    """Parses opensearch+https://user@host:9200,host2:9200/PREFIX?sslrootcert=FILE; opensearch+http:// on
    loopback.

    Raises EngineError for anything else, and for a password: a location stands in files and messages.
    """
    matched = _LOCATION.fullmatch(text) if text.isprintable() else None
    nodes = [_parse_node(node) for node in matched[3].split(",")] if matched else []
    if not matched or None in nodes:
        raise EngineError(f'{_hide_login(text)!r} is no location of a cluster: write "{_EXAMPLE}"')
    user, is_encrypted = matched[2] or "", matched[1] == "https"
    if ":" in unquote(user):
        raise EngineError(
            f"{_hide_login(text)} has a password: leave it out, and give it in the environment, as "
            f"{PASSWORD_VARIABLE}"
        )
    found = tuple(node for node in nodes if node)
    if not is_encrypted and not all(_is_loopback(host) for host, _ in found):
        raise EngineError(f"{text}: http is for a cluster on this machine alone: write opensearch+https://")
    prefix = matched[4] or DEFAULT_PREFIX
    if not _PREFIX.fullmatch(prefix):
        raise EngineError(
            f"{text}: {prefix!r} cannot begin the names of indexes: use a-z and 0-9, 31 at most"
        )
    authority = _parse_authority(text, matched[5] or "")
    return ClusterLocation(text, found, is_encrypted, unquote(user), authority, prefix)


def _parse_node(text: str) -> tuple[str, int] | None:
    matched = _NODE.fullmatch(text)
    port = int(matched[3] or DEFAULT_PORT) if matched else 0
    return (matched[1] or matched[2], port) if matched and 0 < port <= _MAX_PORT else None


def _parse_authority(text: str, query: str) -> Path | None:
    """Parses the only parameter. A misspelt one must not let the system's certificates pass."""
    parameters = parse_qsl(query, keep_blank_values=True)
    if not parameters:
        return None
    if [name for name, _ in parameters] != [AUTHORITY] or not Path(parameters[0][1]).is_absolute():
        raise EngineError(f"{text}: write ?{AUTHORITY}=/etc/lycosa/ca.crt, or no parameter")
    return Path(parameters[0][1])


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _hide_login(text: str) -> str:
    return _LOGIN.sub("//...@", text)
