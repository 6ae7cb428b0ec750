"""Asks who comes whose host it is, and lets the owner in and out."""

from math import ceil

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from engine.model import Message
from engine.ownership import (
    CheckedOften,
    MarkState,
    NotProved,
    UnknownHost,
    file_path,
    file_text,
    make_key,
    make_value,
    meta_element,
)
from search_ui.admin import is_token, make_token
from search_ui.owner.context import HEADERS, ROOT, STALE, OwnerContext, render_owner, site_path
from search_ui.search_request import parse_form, read_form_body
from search_ui.server import build_own_url

MAX_FORM_BYTES = 32 * 1024  # a host of MAX_URL_LENGTH characters, each encoded at its longest, are 24 KiB
NO_HOST = Message("This Lycosa has not visited such a host. Enter it as in an address: www.example.org.")
NO_KEY = Message("This is not a key: one has 43 letters, digits, hyphens and underscores.")
OFTEN = Message("Too many checks in a short time. Wait some minutes, then try again.")
NOT_SHOWN = Message("The host does not show the value yet.")
# What stood in a place of the value.
STATES = {
    MarkState.STATUS: Message("the server answered with status {status}"),
    MarkState.OTHER_TEXT: Message("the value is not there"),
    MarkState.FORBIDDEN: Message("robots.txt does not let Lycosa fetch it; use the file"),
    MarkState.REDIRECT: Message("it redirects to another host, or too often"),
    MarkState.ADDRESS: Message("it is on a private network"),
    MarkState.NO_HOST: Message("there is no such host"),
    MarkState.NO_ANSWER: Message("no usable response came"),
}


async def answer_entry(context: OwnerContext, request: Request) -> Response:
    """Shows the forms; for `host` a new key, and what the host has to show for it."""
    typed = parse_form(request.scope["query_string"]).get("host", "").strip()
    if not typed:
        return await _forms(context, request)
    try:
        host = await context.read(context.access.find_host, typed)
    except UnknownHost:
        return await _forms(context, request, 404, typed, NO_HOST)
    return _instructions(host, make_key())


async def answer_check(context: OwnerContext, request: Request) -> Response:
    """Asks the host, and begins a session where it shows the value of the key."""
    if request.method != "POST":
        return RedirectResponse(build_own_url(ROOT), 303, HEADERS)
    context.gate.require_own_form(request)
    fields = parse_form(await read_form_body(request, MAX_FORM_BYTES))
    typed, key = fields.get("host", "").strip(), fields.get("key", "").strip()
    wait = context.shares.take(context.identify_client(request))
    try:
        if wait:
            raise CheckedOften(wait)
        before = context.gate.read_session_id(request)
        session_id, host = await context.check(context.access.prove, typed, key, before)
    except CheckedOften as error:
        response = await _forms(context, request, 429, typed, OFTEN)
        response.headers["Retry-After"] = str(ceil(error.seconds))
        return response
    except UnknownHost:
        return await _forms(context, request, 404, typed, NO_HOST)
    except NotProved as error:
        if not error.looks:
            return await _forms(context, request, 422, typed, NO_KEY)
        host = await context.read(context.access.find_host, typed)
        return _instructions(host, key, 422, error)
    response = RedirectResponse(build_own_url(site_path(host)), 303, HEADERS)
    context.gate.send_session_id(request, response, session_id)
    return response


async def answer_logout(context: OwnerContext, request: Request) -> Response:
    """Ends the session, on this side and in the browser."""
    session_id = context.gate.read_session_id(request)
    response = RedirectResponse(build_own_url(ROOT), 303, HEADERS)
    if request.method == "POST" and await context.list_hosts(request):
        context.gate.require_own_form(request)
        fields = parse_form(await read_form_body(request, MAX_FORM_BYTES))
        if not is_token(session_id, fields.get("token", "")):
            raise HTTPException(403, STALE)
        await context.write(context.access.log_out, session_id)
        context.gate.send_session_id(request, response, "")
    return response


async def _forms(
    context: OwnerContext, request: Request, status: int = 200, typed: str = "", hint: str = ""
) -> Response:
    hosts = await context.list_hosts(request)
    token = make_token(context.gate.read_session_id(request)) if hosts else ""
    shown = typed.replace("\0", "")
    return render_owner("owner.html", status, hosts=hosts, token=token, named=shown, hint=hint)


def _instructions(host: str, key: str, status: int = 200, failed: NotProved | None = None) -> Response:
    value = make_value(host, key)
    looks = [
        (look.url, STATES[look.state].filled(status=look.status)) for look in (failed.looks if failed else ())
    ]
    return render_owner(
        "owner_proof.html",
        status,
        host=host,
        key=key,
        hint=NOT_SHOWN if failed else "",
        looks=looks,
        file_url=f"{host}{file_path(value)}",
        file_text=file_text(value),
        element=meta_element(value),
    )
