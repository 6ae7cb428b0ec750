"""Whether a browser sends a form on behalf of another site: then nothing is changed (CSRF)."""

from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import Request

from engine.message import Message

_OURS = ("same-origin", "none")  # values of Sec-Fetch-Site; none: the person typed or clicked it


def refuse_others(request: Request, public_url: str) -> None:
    """Raises HTTPException 403 for a request that a page of another site makes.

    Sec-Fetch-Site tells (Fetch Metadata). Browsers send it only over TLS and to loopback; without it Origin
    must name the host that was asked, or the one of `public_url`. Programs send neither, and no stranger's
    page leads them.
    """
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    if site is None and origin is not None:
        is_ours = _authority(origin) in (request.headers.get("host", ""), _authority(public_url))
    else:
        is_ours = site is None or site in _OURS
    if not is_ours:
        raise HTTPException(403, Message("This form is taken from our own page alone: /submit."))


def _authority(url: str) -> str:
    """Name and port as a browser writes them into Host; a space, which is nobody's, for what is no origin."""
    try:
        return urlsplit(url).netloc or " "
    except ValueError:
        return " "
