"""Reads [oidc] of crawl.toml: the OpenID provider by which people sign in."""

from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from engine.config.logins import SecretPlace
from engine.config.table import Table, parse_word
from engine.errors import EngineError

USER_CLAIM = "sub"  # the one that no provider gives to two people (OpenID Connect Core 1.0, 5.7)
GROUPS_CLAIM = "groups"
_EXAMPLE = "https://login.example.org/realms/company"
_KEYS = ("issuer", "client_id", "secret_env", "secret_file", "user_claim", "groups_claim", "scopes")


@dataclass(frozen=True, slots=True)
class OidcConfig:
    """A provider, and what it knows us by; it holds no secret."""

    issuer: str  # as the provider writes it into its tokens
    client_id: str
    secret: SecretPlace
    where: str = "[oidc]"  # in crawl.toml, for messages
    user_claim: str = USER_CLAIM
    groups_claim: str = GROUPS_CLAIM
    scopes: tuple[str, ...] = ("openid",)


def read_oidc(table: Table, public_url: str) -> OidcConfig | None:
    """Reads the table [oidc], None where it is not written.

    Raises EngineError for what is missing, and for a public_url at which anybody could read the sessions.
    """
    if not table.values:
        return None
    table.check_keys(*_KEYS)
    for key, example in (("issuer", _EXAMPLE), ("client_id", "lycosa")):
        if not table.text(key):
            raise EngineError(f'{table.where("oidc")}: [oidc] needs {key} = "{example}"')
    variable, file = table.text("secret_env"), table.text("secret_file")
    if bool(variable) == bool(file):
        raise EngineError(
            f'{table.where("oidc")}: [oidc] needs either secret_env = "NAME" or secret_file = "PATH"'
        )
    try:
        parse_provider_url(public_url)
    except ValueError as error:
        raise EngineError(
            f'{table.where("oidc")}: [oidc] needs public_url = "https://search.example.org", to which the '
            f"provider sends people back: {error}"
        ) from error
    return OidcConfig(
        parse_word(table.text("issuer"), parse_provider_url, table.where("issuer"), _EXAMPLE),
        table.text("client_id"),
        SecretPlace(variable, Path(file).expanduser() if file else None),
        table.where("oidc"),
        table.text("user_claim", USER_CLAIM),
        table.text("groups_claim", GROUPS_CLAIM),
        ("openid", *(one for one in table.parsed("scopes", _parse_scope, "groups") if one != "openid")),
    )


def parse_provider_url(text: str) -> str:
    """Parses a URL to which secrets go: https, or http on this machine. Raises ValueError for another."""
    parts = urlsplit(text)
    if not text.isascii() or not text.isprintable() or " " in text or not parts.hostname or parts.fragment:
        raise ValueError("no URL of a server")
    if "@" in parts.netloc:
        raise ValueError("it has a user name")
    if parts.scheme != "https" and not (parts.scheme == "http" and _is_loopback(parts.hostname)):
        raise ValueError("over http everybody between could read and change what is sent")
    return text


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _parse_scope(text: str) -> str:
    """Parses a scope (RFC 6749, 3.3)."""
    if not text or not text.isascii() or not text.isprintable() or set(text) & set(' "\\'):
        raise ValueError("no name of a scope")
    return text
