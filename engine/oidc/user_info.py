"""Asks a provider what it tells of somebody beside the ID token (OpenID Connect Core 1.0, 5.3)."""

import re
import ssl
from collections.abc import Mapping
from typing import Any

from engine.oidc.fetching import ProviderAway, fetch_json

_TOKEN = re.compile(r"[\w.~+/-]+=*", re.ASCII)  # RFC 6750, 2.1


def fetch_user_info(
    url: str, access_token: object, subject: object, tls: ssl.SSLContext
) -> Mapping[str, Any]:
    """Fetches the claims of whoever the ID token names `subject`; as JSON, which is what providers send
    unless a client is registered otherwise.

    Raises ProviderAway, also for somebody else's (5.3.2), and without a token that can be sent.
    """
    if not isinstance(access_token, str) or not _TOKEN.fullmatch(access_token):
        raise ProviderAway(f"{url} cannot be asked, as the provider gives no access token")
    status, found = fetch_json(url, tls, headers={"Authorization": f"Bearer {access_token}"})
    if status != 200:
        raise ProviderAway(f"{url} answers with status {status}")
    if not isinstance(subject, str) or found.get("sub") != subject:
        raise ProviderAway(f"{url} tells of somebody else than the ID token")
    return found
