"""What is meant by a URL as a person types it."""

import pytest

from engine.errors import EngineError
from engine.url import NO_ALIASES, Aliases, parse_typed_url


@pytest.mark.parametrize(
    ("typed", "url", "why"),
    [
        ("www.example.org", "https://www.example.org/", "https is the default"),
        ("http://www.example.org/a", "http://www.example.org/a", "unless it says so"),
        ("WWW.Example.org:443/%7Ea?x#y", "https://www.example.org/~a?x", "in canonical spelling"),
        ("example.org/?utm_source=x", "https://example.org/", "as the operator's sites are spelled"),
    ],
)
def test_what_is_meant(typed: str, url: str, why: str) -> None:
    assert parse_typed_url(typed, Aliases()) == url, why


@pytest.mark.parametrize(
    "typed", ["", "ftp://example.org/", "https://", "http://[x/", "mailto:a@example.org"]
)
def test_what_is_no_url(typed: str) -> None:
    with pytest.raises(EngineError, match=r"write the whole address, https://www\.example\.org/"):
        parse_typed_url(typed, NO_ALIASES)
