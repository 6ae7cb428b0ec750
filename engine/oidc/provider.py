"""Lets people sign in at an OpenID provider: authorization code flow with PKCE (RFC 9700, 2.1.1)."""

import base64
import ssl
import time
from collections.abc import Callable, Mapping, Set
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from engine.config import OidcConfig
from engine.monitor import ALARM
from engine.oidc.attempt import SignInAttempt
from engine.oidc.claims import find_claim
from engine.oidc.fetching import ProviderAway, fetch_json
from engine.oidc.id_token import ExpectedToken, SignInRefused, UnknownKey, import_keys, verify_id_token
from engine.oidc.metadata import DISCOVERY_PATH, ProviderMetadata, parse_metadata
from engine.oidc.user_info import fetch_user_info
from engine.oidc.viewer import Viewer, read_viewer

if TYPE_CHECKING:
    from joserfc.jwk import KeySet

KEEP_SECONDS = 3_600.0  # for which discovery document and keys are kept
REFRESH_SECONDS = 10.0  # between two fetches of the keys for tokens that are signed by none of them


class Provider:
    """A provider and our secret there; what it says of itself is fetched when it is needed, and kept.

    Its methods ask another server, so they are for threads; all raise ProviderAway.
    """

    def __init__(
        self,
        config: OidcConfig,
        secret: str,
        callback: str,
        known_groups: Set[str],
        tls: ssl.SSLContext,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.config, self._secret, self._callback = config, secret, callback
        self._known_groups, self._tls, self._clock = known_groups, tls, clock
        self._metadata: tuple[float, ProviderMetadata] | None = None
        self._keys: tuple[float, KeySet] | None = None

    def build_authorization_url(self, attempt: SignInAttempt) -> str:
        """Builds the address at which somebody signs in."""
        return _add_query(
            self._find_metadata().authorization,
            {
                "response_type": "code",
                "client_id": self.config.client_id,
                "redirect_uri": self._callback,
                "scope": " ".join(self.config.scopes),
                "state": attempt.state,
                "nonce": attempt.nonce,
                "code_challenge": attempt.challenge,
                "code_challenge_method": "S256",
            },
        )

    def redeem(self, code: str, attempt: SignInAttempt) -> Viewer:
        """Redeems a code that the provider gave for this attempt. Raises SignInRefused."""
        token, access_token = self._fetch_tokens(code, attempt)
        expected = ExpectedToken(self.config.issuer, self.config.client_id, attempt.nonce)
        try:
            claims = verify_id_token(token, self._find_keys(KEEP_SECONDS), expected, self._clock())
        except UnknownKey:
            keys = self._find_keys(REFRESH_SECONDS)
            claims = verify_id_token(token, keys, expected, self._clock())
        groups = self._find_groups(claims, access_token)
        return read_viewer(claims, groups, self.config, self._known_groups)

    def build_logout_url(self, after: str) -> str:
        """Builds the address at which somebody signs out of the provider itself; '' where it has none.

        OpenID Connect RP-Initiated Logout 1.0, 2. `after`: where the provider may lead somebody then.
        """
        logout = self._find_metadata().logout
        fields = {"client_id": self.config.client_id, "post_logout_redirect_uri": after}
        return _add_query(logout, fields) if logout else ""

    def _find_groups(self, claims: Mapping[str, Any], access_token: object) -> object:
        """Finds the groups of somebody; None where they cannot be had: then they see less than they could."""
        url, name = self._find_metadata().user_info, self.config.groups_claim
        groups = find_claim(claims, name)
        if groups is not None or not url or not self._known_groups:
            return groups
        try:
            return find_claim(fetch_user_info(url, access_token, claims.get("sub"), self._tls), name)
        except ProviderAway as error:
            ALARM(f"somebody signs in without groups: {error}")
            return None

    def _fetch_tokens(self, code: str, attempt: SignInAttempt) -> tuple[str, object]:
        """Fetches the ID token, and what is given as access token."""
        metadata, client = self._find_metadata(), self.config.client_id
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self._callback,
            "code_verifier": attempt.verifier,
        }
        headers = {}
        if metadata.takes_posted_secret:
            form |= {"client_id": client, "client_secret": self._secret}
        else:  # RFC 6749, 2.3.1
            pair = f"{quote(client, safe='')}:{quote(self._secret, safe='')}"
            headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        status, found = fetch_json(metadata.token, self._tls, form, headers)
        token = found.get("id_token")
        if status != 200 or not isinstance(token, str):
            error = str(found.get("error", "no ID token"))[:60]
            raise SignInRefused(f"the provider gives no token, with status {status}: {error!r}")
        return token, found.get("access_token")

    def _find_metadata(self) -> ProviderMetadata:
        if not self._metadata or self._clock() - self._metadata[0] >= KEEP_SECONDS:
            issuer = self.config.issuer
            status, document = fetch_json(issuer.rstrip("/") + DISCOVERY_PATH, self._tls)
            _require_ok(status, "discovery document")
            self._metadata = self._clock(), parse_metadata(document, issuer)
        return self._metadata[1]

    def _find_keys(self, max_age: float) -> "KeySet":
        if not self._keys or self._clock() - self._keys[0] >= max_age:
            status, document = fetch_json(self._find_metadata().keys, self._tls)
            _require_ok(status, "set of keys")
            self._keys = self._clock(), import_keys(document)
        return self._keys[1]


def _require_ok(status: int, what: str) -> None:
    if status != 200:
        raise ProviderAway(f"the provider answers with status {status} where its {what} should be")


def _add_query(url: str, fields: dict[str, str]) -> str:
    return f"{url}{'&' if '?' in url else '?'}{urlencode(fields)}"
