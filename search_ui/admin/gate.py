"""Decides who may see the operator's pages, and a site owner's: from where, and with which session.

Each check is of its own: the connection is safe (TLS, or loopback on this machine), the request is made by a
page of ours, the session lives, and a form carries a token that only pages of this session have.
"""

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from engine.admin import Visitor
from engine.config import Network
from search_ui.server import find_proxied_origin, identify_client, is_direct, is_same_origin

COOKIE = "lycosa-operator"
NONCE_BYTES = 16  # of a form's token: each page has another, so that compression betrays none (BREACH)
UNSAFE = (
    "The operator's pages are served over https, or over http to a browser on the same machine: open "
    "http://127.0.0.1:PORT/admin there, or through ssh -L."
)
FOREIGN = "This form is accepted from the operator's own pages alone."


@dataclass(frozen=True, slots=True)
class Gate:
    """The gate of one server; `port` is that of the operator's own address, None: any that we listen on.

    `unsafe` and `foreign` say why a connection or a form is refused.
    """

    root_path: str
    proxies: Sequence[Network]
    port: int | None = None
    cookie: str = COOKIE
    unsafe: str = UNSAFE
    foreign: str = FOREIGN

    def is_at_address(self, scope: Scope) -> bool:
        """Tells whether a connection came in where the operator's pages are."""
        return self.port is None or scope["server"][1] == self.port

    def require_safe(self, request: Request) -> None:
        """Raises HTTPException 403 where a password could be read on its way."""
        if not self._is_tls(request) and not self._is_here(request):
            raise HTTPException(403, self.unsafe)

    def require_own_form(self, request: Request) -> None:
        """Raises HTTPException 403 for a form that a page of another origin sends."""
        scheme = "https" if self._is_tls(request) else "http"
        if not is_same_origin(request, f"{scheme}://{request.headers.get('host', '')}"):
            raise HTTPException(403, self.foreign)

    def identify(self, request: Request) -> Visitor:
        """Identifies who asks, for limits and the audit log."""
        client = identify_client(request.scope, self.proxies)
        version, network = client.network_key
        is_here = self._is_here(request)
        # A web server on this machine that does not say for whom it asks brings strangers.
        key = "here" if is_here else f"{version}:{network:x}"
        return Visitor(str(client.address or "unknown"), key, is_here)

    def read_session_id(self, request: Request) -> str:
        """Reads the id of the session that a browser has, '' for none."""
        return request.cookies.get(self._cookie_name(request), "")

    def send_session_id(self, request: Request, response: Response, session_id: str) -> None:
        """Gives the browser the id of its session, or takes it, for ''."""
        name, path = self._cookie_name(request), f"{self.root_path}/"
        response.set_cookie(
            name,
            session_id,
            max_age=None if session_id else 0,
            path=path,
            secure=self._is_tls(request),
            httponly=True,
            samesite="strict",
        )

    def _cookie_name(self, request: Request) -> str:
        """Names the cookie so that no neighbouring host and no page without TLS can set it (RFC 6265bis)."""
        if not self._is_tls(request):
            return self.cookie
        return f"{'__Secure-' if self.root_path else '__Host-'}{self.cookie}"

    def _is_tls(self, request: Request) -> bool:
        """Tells whether a web server that we trust says that its client speaks https."""
        return find_proxied_origin(request.scope, self.proxies).startswith("https://")

    def _is_here(self, request: Request) -> bool:
        """Tells whether a browser on this machine asks us, by a name that can be no other machine's."""
        host = urlsplit(f"//{request.headers.get('host', '')}").hostname or ""
        return is_direct(request.scope) and _is_loopback(host)


def make_token(session_id: str) -> str:
    """Makes a token for the forms of one page of a session."""
    nonce = secrets.token_hex(NONCE_BYTES)
    return f"{nonce}.{_sign(session_id, nonce)}"


def is_token(session_id: str, token: str) -> bool:
    """Tells whether a page of this session had this token; compares in constant time."""
    nonce, _, signature = token.partition(".")
    return hmac.compare_digest(_sign(session_id, nonce).encode(), signature.encode("utf-8", "replace"))


def _sign(session_id: str, nonce: str) -> str:
    text = f"form {nonce}".encode("utf-8", "replace")
    return hmac.new(session_id.encode("utf-8", "replace"), text, hashlib.sha256).hexdigest()


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
