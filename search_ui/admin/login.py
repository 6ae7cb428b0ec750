"""Lets the operator in and out."""

from math import ceil

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from engine.admin import TooManyAttempts, WrongPassword
from engine.errors import Busy, Unreadable
from engine.monitor import span
from search_ui.admin.gate import is_token
from search_ui.admin.page import LOGIN, STALE, PageContext
from search_ui.admin.rendering import NO_STORE, render_admin
from search_ui.admin.request import ROOT
from search_ui.search_request import parse_form, read_form_body
from search_ui.server import build_own_url

MAX_FORM_BYTES = 16 * 1024  # a password of 1,024 characters, percent-encoded, is 12 KiB at most
WRONG = "This is not the password."


async def answer_login(context: PageContext, request: Request) -> Response:
    """Shows the form, and takes the password: its session always has a new id (no fixation)."""
    access, gate = context.access, context.gate
    before = gate.read_session_id(request)
    if request.method != "POST":
        if await context.reading.run(access.has_session, before):
            return RedirectResponse(build_own_url(ROOT), 303, NO_STORE)
        return render_admin("login.html", None, problem="")
    gate.require_own_form(request)
    fields = parse_form(await read_form_body(request, MAX_FORM_BYTES))
    try:
        # One at a time: each guess takes 64 MiB.
        session_id = await context.acting.run(
            access.log_in, fields.get("password", ""), gate.identify(request), before
        )
    except WrongPassword:
        return render_admin("login.html", None, 401, problem=WRONG)
    except TooManyAttempts as error:
        problem = f"Too many attempts. Try again in {span(error.seconds)}."
        response = render_admin("login.html", None, 429, problem=problem)
        response.headers["Retry-After"] = str(ceil(error.seconds))
        return response
    except (OSError, Busy, Unreadable):
        return render_admin("login.html", None, 503, problem="The data folder cannot be written right now.")
    response = RedirectResponse(build_own_url(ROOT), 303, NO_STORE)
    gate.send_session_id(request, response, session_id)
    return response


async def answer_logout(context: PageContext, request: Request) -> Response:
    """Ends the session, on this side and in the browser."""
    access, gate = context.access, context.gate
    session_id = gate.read_session_id(request)
    response = RedirectResponse(build_own_url(LOGIN), 303, NO_STORE)
    if request.method == "POST" and await context.reading.run(access.has_session, session_id):
        gate.require_own_form(request)
        fields = parse_form(await read_form_body(request, MAX_FORM_BYTES))
        if not is_token(session_id, fields.get("token", "")):
            raise HTTPException(403, STALE)
        await context.acting.run(access.log_out, session_id, gate.identify(request))
        gate.send_session_id(request, response, "")
    return response
