"""Reads what a provider says of itself (OpenID Connect Discovery 1.0, 3)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.config import parse_provider_url
from engine.oidc.fetching import ProviderAway

DISCOVERY_PATH = "/.well-known/openid-configuration"


@dataclass(frozen=True, slots=True)
class ProviderMetadata:
    """Where a provider does what; `logout` and `user_info` are '' where it does not.

    `takes_posted_secret`: the secret is a field of the form, as the provider knows no Basic authentication.
    """

    authorization: str
    token: str
    keys: str
    logout: str = ""
    user_info: str = ""
    takes_posted_secret: bool = False


def parse_metadata(document: Mapping[str, Any], issuer: str) -> ProviderMetadata:
    """Parses a discovery document. Raises ProviderAway for another issuer's, or without safe URLs."""
    if document.get("issuer") != issuer:
        raise ProviderAway(f"the discovery document of {issuer} is of another issuer: write its own name")
    methods = document.get("token_endpoint_auth_methods_supported")
    methods = methods if isinstance(methods, list) else []
    return ProviderMetadata(
        _parse_endpoint(document, "authorization_endpoint", issuer),
        _parse_endpoint(document, "token_endpoint", issuer),
        _parse_endpoint(document, "jwks_uri", issuer),
        _parse_optional(document, "end_session_endpoint", issuer),
        _parse_optional(document, "userinfo_endpoint", issuer),
        "client_secret_basic" not in methods and "client_secret_post" in methods,
    )


def _parse_endpoint(document: Mapping[str, Any], name: str, issuer: str) -> str:
    try:
        return parse_provider_url(str(document[name]))
    except (KeyError, ValueError) as error:
        raise ProviderAway(f"the discovery document of {issuer} has no usable {name}") from error


def _parse_optional(document: Mapping[str, Any], name: str, issuer: str) -> str:
    return _parse_endpoint(document, name, issuer) if name in document else ""
