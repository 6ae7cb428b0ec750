"""One of the operator's pages: what it shows, and what its forms do."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from engine.admin import AdminAccess
from engine.errors import Busy, EngineError, Unreadable
from engine.folder import OF_DATABASE, explain_failure
from search_ui.admin.gate import Gate, is_token
from search_ui.admin.rendering import NO_STORE, render_admin
from search_ui.admin.request import ROOT, AdminRequest
from search_ui.rendering import ENGLISH, LANGUAGE, RETRY_SECONDS, database_error
from search_ui.search_request import parse_form, read_form_body
from search_ui.server import ThreadLimiter, build_own_url

LOGIN = f"{ROOT}/login"
MAX_FORM_BYTES = 2 * 1024 * 1024  # a file of synonyms with 10,000 lines, percent-encoded
STALE = "This form is too old, or of a session that is over. Nothing was done; send it again."
AT_ONCE, MAX_WAITING = 2, 16  # threads that read for these pages, and who waits for one; a search never does


class Done(NamedTuple):
    """What a form did, as the audit log has it."""

    action: str
    detail: str


Show = Callable[[AdminRequest], Response]
Act = Callable[[AdminRequest], Done]


@dataclass(frozen=True, slots=True)
class PageContext:
    """What all pages of one server share."""

    access: AdminAccess
    gate: Gate
    reading: ThreadLimiter = field(default_factory=lambda: ThreadLimiter(AT_ONCE, MAX_WAITING))
    acting: ThreadLimiter = field(default_factory=lambda: ThreadLimiter(1, MAX_WAITING))


class AdminEndpoint:
    """An ASGI application that answers where the pages are, and 404 anywhere else, whatever the method."""

    def __init__(
        self, context: PageContext, answer: Callable[[PageContext, Request], Awaitable[Response]]
    ) -> None:
        self.context, self.answer = context, answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request; nothing of it is to be kept by anybody."""
        request = Request(scope, receive)
        try:
            response = await self._answer(request)
        except Unreadable as error:
            raise database_error(error) from error
        except Busy as error:
            raise HTTPException(503, headers={"Retry-After": str(RETRY_SECONDS)}) from error
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        access, gate = self.context.access, self.context.gate
        if not gate.is_at_address(request.scope) or not await self.context.reading.run(access.is_enabled):
            raise HTTPException(404)
        LANGUAGE.set(ENGLISH)
        try:
            gate.require_safe(request)
            if request.method not in ("GET", "HEAD", "POST"):
                raise HTTPException(405, headers={"Allow": "GET, HEAD, POST"})
            return await self.answer(self.context, request)
        except HTTPException as error:
            raise HTTPException(
                error.status_code, error.detail, {**NO_STORE, **(error.headers or {})}
            ) from error


async def answer_page(show: Show, act: Act | None, context: PageContext, request: Request) -> Response:
    """Answers a page of a session: shows it, or does what its form says and shows it then."""
    access, gate = context.access, context.gate
    session_id = gate.read_session_id(request)
    if not await context.reading.run(access.has_session, session_id):
        return RedirectResponse(build_own_url(LOGIN), 303, NO_STORE)
    path = request.scope["route"].path
    if request.method != "POST":
        fields = _read_fields(request.scope["query_string"])
        asked = AdminRequest(session_id, gate.identify(request), fields, path)
        return await context.reading.run(_show, access, show, asked)
    if act is None:
        raise HTTPException(405, headers={"Allow": "GET, HEAD"})
    gate.require_own_form(request)
    fields = _read_fields(await read_form_body(request, MAX_FORM_BYTES))
    if not is_token(session_id, fields.get("token", "")):
        raise HTTPException(403, STALE)
    asked = AdminRequest(session_id, gate.identify(request), fields, path)
    return await context.acting.run(_act, access, show, act, asked)


def _read_fields(encoded: bytes) -> Mapping[str, str]:
    """Reads fields without NUL, which no page can show again (HTML, 13.2.3.5)."""
    return {name: value.replace("\0", "") for name, value in parse_form(encoded).items()}


def _show(access: AdminAccess, show: Show, asked: AdminRequest) -> Response:
    """Shows a page, with what the form before did."""
    try:
        if (number := asked.number("done")) is not None:
            entry = next(iter(access.load_audit(number + 1, 1)), None)
            asked = replace(asked, done=entry if entry and entry.number == number else None)
        return show(asked)
    except (EngineError, OSError, *OF_DATABASE) as error:
        response = render_admin("problem.html", asked, 503, title="Not now", problem=_sentence(error))
        response.headers["Retry-After"] = str(RETRY_SECONDS)
        return response


def _act(access: AdminAccess, show: Show, act: Act, asked: AdminRequest) -> Response:
    """Does what a form says, notes it, and sends the browser to the page (RFC 9110, 15.4.4)."""
    try:
        done = act(asked)
    except (EngineError, OSError, *OF_DATABASE) as error:
        response = _show(access, show, replace(asked, error=_sentence(error)))
        if response.status_code != 503:  # the page itself can be shown
            response.status_code = 503 if isinstance(error, Busy) else 422
        return response
    number = access.record(asked.visitor, done.action, done.detail)
    return RedirectResponse(f"{build_own_url(asked.path)}?done={number}", 303, NO_STORE)


def _sentence(error: Exception) -> str:
    return str(explain_failure(error)) if isinstance(error, OF_DATABASE) else str(error)
