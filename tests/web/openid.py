"""An OpenID provider on loopback: discovery, keys, code flow with PKCE, UserInfo, logout; and its lies.

with OpenIdSite() as provider:
    provider.person = {"sub": "ada", "groups": ["staff"]}
"""

import base64
import hashlib
import itertools
import json
import time
from collections.abc import Callable
from html import escape
from typing import Any
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

from tests.web.scripted import Answer, Request, Site, html

CLIENT, SECRET = "lycosa", "s3cret: with a colon"
ACCESS = "canary.of-an/access+token~=="
KEYS = [RSAKey.generate_key(2048, {"kid": f"key{number}", "use": "sig"}) for number in range(2)]


class OpenIdSite(Site):
    """A provider that lets `person` in, at once or with `asks` after a click on a page of its own.

    `lie` changes the claims of a token, `sign` signs it in another way than by KEYS[0].
    """

    def __init__(self) -> None:
        super().__init__({})
        self.person: dict[str, Any] = {"sub": "ada", "groups": ["staff"]}
        self.keys = KEYS[:1]
        self.asks = False
        self.lie: dict[str, Any] = {}
        self.sign: Callable[[dict[str, Any]], str] = sign_with(KEYS[0])
        self.discovery: dict[str, Any] = {}  # what is added to the discovery document
        self.user_info: dict[str, Any] | None = None  # what it tells beside the ID token; None: nothing
        self.tokens: dict[str, Any] = {}  # what is changed in the answer that has the tokens
        self._codes: dict[str, dict[str, str]] = {}
        self._numbers = itertools.count(1)

    @property
    def issuer(self) -> str:
        """Its name."""
        return self.url().rstrip("/")

    def answer(self, request: Request) -> Answer:
        """What this provider says to a request."""
        parts = urlsplit(request.path)
        fields = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if route := self.routes.get(parts.path):
            return route if isinstance(route, Answer) else route(request.path)
        if parts.path == "/.well-known/openid-configuration":
            return as_json(self._document())
        if parts.path == "/keys":
            return as_json({"keys": [key.as_dict(private=False) for key in self.keys]})
        if parts.path == "/authorize":
            return self._authorize(fields, request.path)
        if parts.path == "/token" and request.method == "POST":
            return self._redeem(request)
        if parts.path == "/userinfo" and request.method == "GET":
            return self._tell(request)
        if parts.path == "/logout":
            return html("Signed out here", f"<p>of {escape(fields['client_id'])}</p>")
        return html("Not found", status=404)

    def _document(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "end_session_endpoint": f"{self.issuer}/logout",
            **({} if self.user_info is None else {"userinfo_endpoint": f"{self.issuer}/userinfo"}),
            **self.discovery,
        }

    def _authorize(self, fields: dict[str, str], path: str) -> Answer:
        wanted = ("code", CLIENT, "S256")
        got = (fields["response_type"], fields["client_id"], fields["code_challenge_method"])
        if got != wanted or "openid" not in fields["scope"].split():
            return html("Refused", status=400)
        if self.asks and "yes" not in fields:
            return html("Sign in", f'<a href="{escape(path)}&amp;yes=1">Go on as {self.person["sub"]}</a>')
        code = f"code{next(self._numbers)}"
        self._codes[code] = fields
        back = urlencode({"code": code, "state": fields["state"], "iss": self.issuer})
        return Answer(302, headers={"Location": f"{fields['redirect_uri']}?{back}"})

    def _redeem(self, request: Request) -> Answer:
        """Redeems a code once, for who has asked for it and can prove it."""
        form = {name: values[0] for name, values in parse_qs(request.body.decode()).items()}
        asked = self._codes.pop(form["code"], None)
        pair = base64.b64decode(request.headers.get("authorization", "").removeprefix("Basic ")).decode()
        client = tuple(map(unquote, pair.split(":"))) if pair else (form["client_id"], form["client_secret"])
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if not asked or (asked["code_challenge"], asked["redirect_uri"]) != (challenge, form["redirect_uri"]):
            return as_json({"error": "invalid_grant"}, 400)
        if client != (CLIENT, SECRET):
            return as_json({"error": "invalid_client"}, 401)
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": asked["nonce"]}
        token = self.sign({**claims, **self.person, **self.lie})
        tokens = {"token_type": "Bearer", "access_token": ACCESS, "id_token": token}
        return as_json({**tokens, **self.tokens})

    def _tell(self, request: Request) -> Answer:
        """Tells who has an access token more of themselves (OpenID Connect Core 1.0, 5.3)."""
        if request.headers.get("authorization") != f"Bearer {ACCESS}":
            return Answer(401, headers={"WWW-Authenticate": 'Bearer error="invalid_token"'})
        return as_json(self.user_info)


def sign_with(key: Any, algorithm: str = "RS256", kid: str = "") -> Callable[[dict[str, Any]], str]:
    """Signs with a key; `kid` is the name of another that the token gives it."""
    name = kid or key.kid
    return lambda claims: jwt.encode({"alg": algorithm, "kid": name}, claims, key, [algorithm])


def as_json(value: object, status: int = 200) -> Answer:
    """An answer with JSON."""
    return Answer(status, json.dumps(value), {"Content-Type": "application/json"})
