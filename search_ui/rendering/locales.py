"""Negotiates a page's language: by its address, by what was chosen before, by Accept-Language."""

import re
from contextvars import ContextVar
from typing import NamedTuple
from urllib.parse import urlencode

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from search_ui.rendering.translations import ENGLISH, LANGUAGE, LANGUAGES
from search_ui.search_request import parse_form

FIELD = "hl"  # of an address, and the name of the cookie
MAX_HEADER = 1_000  # characters of Accept-Language that are read; browsers send at most some hundred
KEEP_SECONDS = 365 * 86_400  # the choice is kept for a year

# RFC 9110, 12.5.4: a language range, and its weight, which is 1 where it is not said.
_RANGE = re.compile(r"\s*([A-Za-z]{1,8})(?:-[A-Za-z0-9-]*)?\s*(?:;\s*q\s*=\s*([01](?:\.[0-9]{0,3})?)\s*)?")


_QUERY: ContextVar[bytes] = ContextVar("query", default=b"")  # of the address that was asked


class LanguageLink(NamedTuple):
    """One language of the language switch; `address` is relative to the page that is shown."""

    code: str
    name: str
    address: str
    is_shown: bool


def list_language_links(here: str) -> list[LanguageLink]:
    """Lists links to the same page in each language; `here` is its address, '' for the one requested."""
    query = here.partition("?")[2].encode() if here else _QUERY.get()
    fields = {name: value for name, value in reversed(_fields(query).items()) if name != FIELD}
    before = f"{urlencode(fields, errors='replace')}&" if fields else ""
    return [
        LanguageLink(code, name, f"?{before}{FIELD}={code}", code == LANGUAGE.get())
        for code, name in LANGUAGES.items()
    ]


def negotiate_language(request: Request) -> tuple[str, bool]:
    """Negotiates the language of the answer; also tells whether the address asks for it."""
    asked = _ours(_fields(request.scope["query_string"]).get(FIELD, ""))
    if asked:
        return asked, True
    kept = _ours(request.cookies.get(FIELD, ""))
    return kept or parse_accept_language(request.headers.get("accept-language", "")), False


def parse_accept_language(header: str) -> str:
    """Parses Accept-Language: our language of the highest weight, of equals the first; else English."""
    best, most = ENGLISH, 0.0
    for part in header[:MAX_HEADER].split(","):
        found = _RANGE.fullmatch(part)
        language = _ours(found[1]) if found else ""
        weight = min(float(found[2] or 1), 1.0) if found else 0.0
        if language and weight > most:
            best, most = language, weight
    return best


class LocaleMiddleware:
    """Sets the language of the answer, and says so in the headers of a page."""

    def __init__(self, app: ASGIApp, is_secure: bool, root_path: str) -> None:
        self.app = app
        self.cookie = (
            f"; Path={root_path}/; Max-Age={KEEP_SECONDS}; HttpOnly; SameSite=Lax{'; Secure' * is_secure}"
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on. It stays the language of the task, for errors that are answered outside."""
        language, is_asked = negotiate_language(Request(scope))
        LANGUAGE.set(language)
        _QUERY.set(scope["query_string"])

        async def send_with_language(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    headers.setdefault("Content-Language", language)  # some pages are in one alone
                    headers.add_vary_header("Accept-Language, Cookie")
                    if is_asked:
                        headers.append("Set-Cookie", f"{FIELD}={language}{self.cookie}")
            await send(message)

        await self.app(scope, receive, send_with_language)


def _ours(tag: str) -> str:
    """Looks up the language that a tag begins with (RFC 4647, 3.4), '' if we do not have it."""
    code = tag[:MAX_HEADER].partition("-")[0].lower()
    return code if code in LANGUAGES else ""


def _fields(query: bytes) -> dict[str, str]:
    try:
        return dict(parse_form(query))
    except HTTPException:
        return {}  # whoever reads the question refuses it
