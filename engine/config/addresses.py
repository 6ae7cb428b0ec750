"""Parses the addresses of the operator's own servers."""

import re
from urllib.parse import urlsplit

from engine.errors import EngineError
from engine.opensearch import parse_location
from engine.url import canonicalize

_PUBLIC_PATH = re.compile(r"(?:/[\w.~-]+)*/?", re.ASCII)  # the same in a link, a cookie and a header


def parse_public_url(text: str, where: str) -> str:
    """Parses an http(s) URL that a path can be appended to. Raises EngineError for anything else."""
    if not text:
        return ""
    try:
        url = canonicalize(text)
    except ValueError as error:
        raise EngineError(f'{where}: {text!r}: {error}; write "https://search.example.org"') from error
    if "?" in url:
        raise EngineError(f'{where}: {text!r} has a query; write "https://search.example.org"')
    if not _PUBLIC_PATH.fullmatch(urlsplit(url).path):
        raise EngineError(f'{where}: {text!r}: write a path of letters, digits, "-", "_" and "." only')
    return url.rstrip("/")


def parse_database_url(text: str, where: str) -> str:
    """Parses the URL of a PostgreSQL database. Raises EngineError for anything else, and for a password.

    It would stand in a file that is backed up, in command lines and in messages.
    """
    if not text:
        return ""
    try:
        parts = urlsplit(text)
        is_whole = parts.scheme == "postgresql" and len(parts.path) > 1 and text.isprintable()
        password = parts.password
    except ValueError:
        is_whole, password = False, None
    if not is_whole:
        raise EngineError(f'{where}: {text!r}: write "postgresql://user@db.example.org/lycosa"')
    if password is not None:
        raise EngineError(
            f"{where} has a password: leave it out, and give it as PGPASSWORD or in ~/.pgpass, which nobody "
            "else reads"
        )
    return text


def parse_cluster_url(text: str, where: str, database: str) -> str:
    """Parses the location of an OpenSearch cluster, beside which the crawl `database` is on a server, too.

    Raises EngineError for anything else.
    """
    if not text:
        return ""
    try:
        parse_location(text)
    except EngineError as error:
        raise EngineError(f"{where}: {error}") from error
    if not database:
        raise EngineError(
            f"{where}: an index in a cluster needs its link graph on a server: write "
            'database = "postgresql://user@db.example.org/lycosa" as well'
        )
    return text
