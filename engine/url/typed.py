"""Parses a URL as a person types it."""

from engine.errors import EngineError
from engine.url.aliases import Aliases
from engine.url.canonical import canonicalize


def parse_typed_url(typed: str, aliases: Aliases) -> str:
    """Parses a canonical URL as the operator's sites spell it; https is the default scheme.

    Raises EngineError for what is no http(s) URL.
    """
    try:
        return aliases.resolve(canonicalize(typed if "://" in typed else f"https://{typed}"))
    except ValueError as error:
        raise EngineError(f"{typed!r}: {error}; write the whole address, https://www.example.org/") from error
