"""Finds out who has signed in, from the session that a browser has."""

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import NamedTuple, Self
from urllib.parse import urlencode

from anyio import CapacityLimiter, to_thread
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from engine.errors import Busy, Unreadable
from engine.monitor import ALARM
from engine.oidc import Viewer, is_own_path
from search_ui.server.root_path import find_route_path, split_public_url

SIGN_IN = "/sign-in"
READERS = 4  # threads that look sessions up; each takes half a millisecond
# Nothing that one person may see is kept: not by a browser's way back after they have signed out, either.
OF_ONE_PERSON = "private, no-store"
_VIEWER = "lycosa.viewer"  # in the scope of a request


class SignInLink(NamedTuple):
    """Where to sign in from this page, and come back to it."""

    address: str
    is_signed_in: bool


_LINK: ContextVar[SignInLink | None] = ContextVar("sign_in_link", default=None)


@dataclass(frozen=True, slots=True)
class OwnCookie:
    """A cookie that no script reads, and no page of another site sends but by a link that is followed.

    Its name keeps neighbouring hosts and pages without TLS from setting it (RFC 6265bis, 4.1.3).
    """

    name: str
    path: str
    is_secure: bool

    def read(self, request: Request) -> str:
        """Reads it, '' for none."""
        return request.cookies.get(self.name, "")

    def send(self, response: Response, value: str, seconds: int | None = None) -> None:
        """Sends it for so many seconds, None: until the browser ends; takes it for ''."""
        response.set_cookie(
            self.name,
            value,
            max_age=seconds if value else 0,
            path=self.path,
            secure=self.is_secure,
            httponly=True,
            samesite="lax",
        )


@dataclass(frozen=True, slots=True)
class SignInCookies:
    """The cookies of a session, and of a sign-in under way."""

    session: OwnCookie
    attempt: OwnCookie

    @classmethod
    def build(cls, public_url: str) -> Self:
        """Builds them for the address at which alone people sign in."""
        path, is_secure = f"{split_public_url(public_url)[1]}/", public_url.startswith("https://")
        prefix = ("__Host-" if path == "/" else "__Secure-") if is_secure else ""
        names = (f"{prefix}{name}" for name in ("lycosa-viewer", "lycosa-sign-in"))
        return cls(*(OwnCookie(name, path, is_secure) for name in names))


class ViewerMiddleware:
    """Looks up the session of a request, and keeps what is answered then from every cache.

    A session that cannot be looked up is none: what everybody may see is searched all the same.
    """

    def __init__(self, app: ASGIApp, find: Callable[[str], Viewer | None], public_url: str) -> None:
        self.app, self.find, self.public_url = app, find, public_url
        self.cookie = SignInCookies.build(public_url).session
        self.limiter = CapacityLimiter(READERS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on, with whoever makes it."""
        path = find_route_path(scope)
        if path.startswith("/static/"):
            await self.app(scope, receive, send)
            return
        session_id = self.cookie.read(Request(scope))
        viewer = (
            await to_thread.run_sync(self._find, session_id, limiter=self.limiter) if session_id else None
        )
        scope[_VIEWER] = viewer
        _LINK.set(SignInLink(self._build_address(scope, path), viewer is not None))

        async def send_privately(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["Cache-Control"] = OF_ONE_PERSON
                headers.add_vary_header("Cookie")
            await send(message)

        await self.app(scope, receive, send_privately if viewer else send)

    def _find(self, session_id: str) -> Viewer | None:
        try:
            return self.find(session_id)
        except (Busy, Unreadable) as error:
            ALARM(str(error), getattr(error, "path", None))
            return None

    def _build_address(self, scope: Scope, path: str) -> str:
        """Builds the address at which to sign in, with the way back to a page that was asked for by GET."""
        query = scope["query_string"].decode("latin-1")
        here = f"{scope['path']}{query and f'?{query}'}"
        is_page = scope["method"] in ("GET", "HEAD") and not path.startswith("/sign-") and is_own_path(here)
        back = urlencode({"return": here}) if is_page else ""
        return f"{self.public_url}{SIGN_IN}{back and f'?{back}'}"


def find_viewer(scope: Scope) -> Viewer | None:
    """Finds who makes a request, None for nobody who has signed in."""
    viewer: Viewer | None = scope.get(_VIEWER)
    return viewer


def find_sign_in_link() -> SignInLink | None:
    """Finds where to sign in from the page that is shown, None where nobody can."""
    return _LINK.get()
