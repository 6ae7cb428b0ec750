"""Refuses requests for host names that are not this page's: DNS rebinding.

A page of evil.example whose name turns into our address is, to a browser, of one origin with us, and could
read all that we know. So a name is ours only if it cannot be turned: an address, localhost, this machine's
own names, and what the operator says (`public_url`, and `allowed_hosts` in [serve]).
"""

import re
import socket
from collections.abc import Awaitable, Callable, Iterable
from functools import cache
from ipaddress import AddressValueError, IPv4Address, IPv6Address

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from engine.model import Message

MISDIRECTED = 421  # RFC 9110, 15.5.20
UNKNOWN = Message(
    "This search page does not answer to this name. Its operator can write the name into “public_url”, "
    "or into “allowed_hosts” under [serve], of crawl.toml."
)
# RFC 9110, 7.2, and 3.2.2 of RFC 3986; no name that a browser can ask has anything else in it.
_HOST = re.compile(
    r"(?:\[([0-9A-Fa-f:.]{2,45})(?:%25[\w.~-]{1,32})?\]|([\w.-]{1,254}))(?::[0-9]{0,5})?", re.ASCII
)


class AllowedHostsMiddleware:
    """Answers 421 to a request for a host name that is not allowed; /health is no exception."""

    def __init__(
        self,
        app: ASGIApp,
        names: Iterable[str],
        refused: Callable[[Request, Exception], Awaitable[Response]],
    ) -> None:
        self.app = app
        self.names = frozenset(map(_plain, names)) | list_own_names()
        self.refused = refused

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on, or refuses it; HTTP/1.0 needs no Host, and no browser speaks it."""
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        if all(is_allowed_host(host.decode("latin-1"), self.names) for host in hosts):
            await self.app(scope, receive, send)
        else:
            answer = await self.refused(Request(scope), HTTPException(MISDIRECTED, UNKNOWN))
            await answer(scope, receive, send)


def is_allowed_host(host: str, names: frozenset[str]) -> bool:
    """Tells whether a Host field is an address, localhost or one of these names, with any port or none."""
    found = _HOST.fullmatch(host)
    if not found:
        return False
    if found[1]:
        return _is_address(found[1], IPv6Address)
    name = _plain(found[2])
    is_local = name == "localhost" or name.endswith(".localhost")  # never asked of a DNS (RFC 6761, 6.3)
    return name in names or is_local or _is_address(name, IPv4Address)


@cache
def list_own_names() -> frozenset[str]:
    """Lists this machine's names, and the one that multicast DNS gives it (RFC 6762, 3)."""
    name = _plain(socket.gethostname())
    return frozenset(filter(None, (name, _plain(socket.getfqdn()), f"{name}.local" if name else "")))


def _plain(name: str) -> str:
    return name.lower().removesuffix(".")


def _is_address(text: str, kind: type[IPv4Address] | type[IPv6Address]) -> bool:
    try:
        kind(text)
    except AddressValueError:
        return False
    return True
