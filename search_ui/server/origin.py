"""Refuses forms that a browser sends on behalf of another site (CSRF)."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import Request

from engine.model import Message
from search_ui.server.root_path import build_own_url

_OURS = ("same-origin", "none")  # values of Sec-Fetch-Site; none: the person typed or clicked it
_NEIGHBOURS = (*_OURS, "same-site")
_PORTS = {"http": 80, "https": 443}

Origin = tuple[str, str, int]


def reject_cross_site(request: Request, public_url: str) -> None:
    """Rejects a request that a page of another site makes: raises HTTPException 403.

    Sec-Fetch-Site tells (Fetch Metadata). Browsers send it only over TLS and to loopback; without it Origin,
    and without that Referer, must be of the origin that was asked, or of `public_url`. Programs send none of
    them, and no stranger's page leads them.
    """
    asked = f"{request.scope['scheme']}://{request.headers.get('host', '')}"
    if not is_same_origin(request, asked, public_url):
        page = build_own_url("/submit")
        raise HTTPException(403, Message("This form is accepted only from our own page: {page}.", page=page))


def is_same_origin(request: Request, *urls: str) -> bool:
    """Tells whether no page of another origin than those of these URLs makes the request."""
    if sites := _values(request, "sec-fetch-site"):
        return all(site in _OURS for site in sites)
    ours = set(map(_origin, urls)) - {None}
    return all(_origin(url) in ours for url in _values(request, "origin") or _values(request, "referer"))


def is_same_site(request: Request) -> bool:
    """Tells whether a browser says that a person, or a page of the same site, makes the request."""
    sites = _values(request, "sec-fetch-site")
    return bool(sites) and all(site in _NEIGHBOURS for site in sites)


def _values(request: Request, name: str) -> Sequence[str]:
    return request.headers.getlist(name)


def _origin(url: str) -> Origin | None:
    """Parses scheme, name and port; None for what has no comparable origin, such as `null`."""
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS[parts.scheme]
    except (ValueError, KeyError):
        return None
    if not parts.hostname or "@" in parts.netloc:
        return None
    return parts.scheme, parts.hostname.removesuffix("."), port
