"""Sets the security headers of every answer."""

from collections.abc import Mapping, Sequence

from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from search_ui.server.root_path import find_route_path, split_public_url

# Nothing runs or is loaded but our own files, nothing is asked but our own server (CSP Level 3), nobody
# frames us or holds our window, no page of ours wants a device, and a site that is clicked does not learn
# what was searched for. What was searched for is one person's business, so no shared cache keeps it.
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cache-Control": "private, no-cache",
}

STATIC_HEADERS: Mapping[str, str] = {"Cache-Control": "public, max-age=3600"}  # seconds; then by ETag
EMBED_HEADERS: Mapping[str, str] = {
    **STATIC_HEADERS,
    "Cross-Origin-Resource-Policy": "cross-origin",  # the one file that pages of other sites load
}

HSTS_SECONDS = 365 * 86_400  # a browser keeps to https for so long (RFC 6797); a year, as is usual


def security_headers(public_url: str) -> Mapping[str, str]:
    """Returns the security headers; with HSTS where the public URL is https.

    Its neighbours (includeSubDomains) are none of our business, nor is a host of which we have a part only.
    """
    if not public_url.startswith("https://") or split_public_url(public_url)[1]:
        return HEADERS
    return {**HEADERS, "Strict-Transport-Security": f"max-age={HSTS_SECONDS}"}


class ResponseHeadersMiddleware:
    """Adds these headers to every response that does not have them yet."""

    def __init__(self, app: ASGIApp, headers: Mapping[str, str]) -> None:
        self.app = app
        self.fields = [
            (name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on, and adds the headers to its response."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name for name, _ in message["headers"]}
                message["headers"].extend(field for field in self.fields if field[0] not in present)
            await send(message)

        await self.app(scope, receive, send_with_headers)


class WeakETagMiddleware:
    """Makes ETags weak, as one identifies a file both compressed and not.

    A strong one would say that both have the same bytes (RFC 9110, 8.8.1 and 8.8.3.3). A 304 has the tag of
    the answer that it stands for, so it is weak whether anything was packed or not.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on, and weakens the ETag of its response."""

        async def send_with_weak_tag(message: Message) -> None:
            if message["type"] == "http.response.start":
                for place, (name, value) in enumerate(message["headers"]):
                    if name == b"etag" and value.startswith(b'"'):
                        message["headers"][place] = name, b"W/" + value
            await send(message)

        await self.app(scope, receive, send_with_weak_tag)


class ApiCORSMiddleware:
    """Lets scripts of these origins read responses to GET requests of the API (CORS, Fetch 3.2).

    They see what anybody can see who reaches us: nobody is who asks from another site (ViewerPolicy).
    """

    def __init__(self, app: ASGIApp, prefix: str, origins: Sequence[str]) -> None:
        self.app = app
        self.prefix = prefix
        self.shared = CORSMiddleware(app, origins, allow_methods=["GET"], expose_headers=["Retry-After"])

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on, through Starlette's CORSMiddleware if it is for the API."""
        asks = find_route_path(scope).startswith(self.prefix) and scope["method"] in (
            "GET",
            "HEAD",
            "OPTIONS",
        )
        await (self.shared if asks else self.app)(scope, receive, send)
