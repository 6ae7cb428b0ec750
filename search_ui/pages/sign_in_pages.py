"""Lets people sign in at the company's provider, and out."""

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from engine.admin import OperatorServices
from engine.errors import Busy, Unreadable
from engine.model import Message
from engine.monitor import ALARM
from engine.oidc import (
    ATTEMPT_SECONDS,
    CALLBACK,
    Provider,
    ProviderAway,
    SignInRefused,
    ViewerSessions,
    begin_attempt,
    is_own_path,
    load_attempt,
    open_provider,
)
from search_ui.rendering import RETRY_SECONDS, database_error, render_html
from search_ui.search_request import parse_form
from search_ui.server import (
    SIGN_IN,
    SignInCookies,
    ThreadLimiter,
    build_own_url,
    find_viewer,
    is_same_origin,
    split_public_url,
)

SIGN_OUT = "/sign-out"
ASKING, MAX_WAITING = 2, 8  # threads that ask the provider, and who waits for one
NO_STORE = {"Cache-Control": "no-store"}
AWAY = Message(
    "The sign-in service does not answer right now; searching still works. Try again in a few seconds."
)
REFUSED = Message("The sign-in service's answer was refused. The operator's log says why.")
NOT_LET_IN = Message("The sign-in service has not let you in.")
NOT_BEGUN = Message(
    "This sign-in was not begun in this browser, or took longer than ten minutes. Sign in again."
)
FOREIGN = Message("This form is accepted only from our own page: {page}.", page=SIGN_OUT)
BUSY = Message("Sessions cannot be saved right now. Try again in a few seconds.")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SignInPages:
    """The pages; what they ask of others and of a database they do in a few threads."""

    provider: Provider
    sessions: ViewerSessions
    public_url: str
    clock: Callable[[], float] = time.time
    threads: ThreadLimiter = field(default_factory=lambda: ThreadLimiter(ASKING, MAX_WAITING))

    @property
    def cookies(self) -> SignInCookies:
        """Returns the cookies by which a browser is known."""
        return SignInCookies.build(self.public_url)

    def list_routes(self) -> Iterator[BaseRoute]:
        """Lists the routes of the pages."""
        yield Route(SIGN_IN, self.begin)
        yield Route(CALLBACK, self.end)
        yield Route(SIGN_OUT, self.sign_out, methods=["GET", "POST"])

    async def begin(self, request: Request) -> Response:
        """Leads to the provider; `return` is the page of ours on which somebody goes on then."""
        home = f"{split_public_url(self.public_url)[1]}/"
        back = parse_form(request.scope["query_string"]).get("return", "")
        is_ours = is_own_path(back) and back.startswith(home)
        attempt = begin_attempt(self.clock(), back if is_ours else home)
        address = await self._run(self.provider.build_authorization_url, attempt)
        response = RedirectResponse(address, 303, NO_STORE)
        self.cookies.attempt.send(response, attempt.dump(), int(ATTEMPT_SECONDS))
        return response

    async def end(self, request: Request) -> Response:
        """Begins the session of whoever comes back from the provider."""
        fields = parse_form(request.scope["query_string"])
        attempt = load_attempt(self.cookies.attempt.read(request), fields.get("state", ""), self.clock())
        if not attempt:
            raise HTTPException(400, NOT_BEGUN, NO_STORE)
        issuer = self.provider.config.issuer
        if fields.get("iss", issuer) != issuer or not fields.get("code"):  # RFC 9207; RFC 6749, 4.1.2.1
            raise HTTPException(403, NOT_LET_IN, NO_STORE)
        viewer = await self._run(self.provider.redeem, fields["code"], attempt)
        before = self.cookies.session.read(request)
        session_id = await self._run(self.sessions.begin, viewer, before)
        response = RedirectResponse(attempt.path, 303, NO_STORE)
        self.cookies.session.send(response, session_id)
        self.cookies.attempt.send(response, "")
        return response

    async def sign_out(self, request: Request) -> Response:
        """Ends a session by POST; by GET says that it has ended, and where to sign out of the provider.

        A form that leads there by itself is stopped by our own policy (CSP Level 3, form-action).
        """
        if request.method == "POST":
            self._require_own_form(request)
            await self._run(self.sessions.end, self.cookies.session.read(request))
            response: Response = RedirectResponse(build_own_url(SIGN_OUT), 303, NO_STORE)
            self.cookies.session.send(response, "")
            return response
        if find_viewer(request.scope):
            return RedirectResponse(build_own_url("/"), 303, NO_STORE)
        logout = await self._find_logout()
        host = urlsplit(logout).hostname or ""
        return render_html("signed_out.html", 200, NO_STORE, typed="", logout=logout, host=host)

    def _require_own_form(self, request: Request) -> None:
        asked = f"{request.scope['scheme']}://{request.headers.get('host', '')}"
        if not is_same_origin(request, asked, self.public_url):
            raise HTTPException(403, FOREIGN, NO_STORE)

    async def _find_logout(self) -> str:
        try:
            return await self.threads.run(self.provider.build_logout_url, f"{self.public_url}/")
        except ProviderAway as error:
            ALARM(str(error))
            return ""

    async def _run(self, work: Callable[..., T], *args: Any) -> T:
        """Runs work in a thread. Raises HTTPException where it cannot be done, or is refused."""
        try:
            return await self.threads.run(work, *args)
        except ProviderAway as error:
            ALARM(str(error))
            raise HTTPException(503, AWAY, {**NO_STORE, "Retry-After": str(RETRY_SECONDS)}) from error
        except SignInRefused as error:
            ALARM(f"a sign-in was refused: {error}")
            raise HTTPException(403, REFUSED, NO_STORE) from error
        except Busy as error:
            raise HTTPException(503, BUSY, {**NO_STORE, "Retry-After": str(RETRY_SECONDS)}) from error
        except Unreadable as error:
            raise database_error(error) from error


def open_sign_in(services: OperatorServices, public_url: str) -> SignInPages | None:
    """Opens the pages, None where crawl.toml names no provider. Raises EngineError as open_provider()."""
    provider = open_provider(services.config, os.environ) if services.config else None
    if not provider or not services.config:
        return None
    return SignInPages(provider, ViewerSessions(services.config.database), public_url)
