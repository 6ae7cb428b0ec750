"""Answers errors: as a page, or as a problem document (RFC 9457)."""

from collections.abc import Callable, Mapping
from functools import cache
from http import HTTPStatus
from typing import ParamSpec, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from engine.errors import EngineError, IndexMissing, Unreadable
from engine.model import Message
from engine.monitor import ALARM
from engine.opensearch import ClusterError
from search_ui.rendering.opensearch import DESCRIPTION, FEED
from search_ui.rendering.responses import encode_json, render_html
from search_ui.rendering.translations import LANGUAGE
from search_ui.search_threads import BUSY, run_search
from search_ui.server import build_own_url, find_route_path

API = "/api/"  # below it programs ask
FOR_PROGRAMS = frozenset(
    {FEED, DESCRIPTION, "/robot.json", "/health", "/health/ready", "/metrics"}
)  # likewise
HOW_TO_START = "scrapy crawl web -a seeds=https://www.example.org/"
INDEX_UNREADABLE = Message("The index cannot be read and has to be rebuilt. The operator's log says why.")
DATABASE_UNREADABLE = Message(
    "The crawl database cannot be read right now; searching still works. The operator can run {command}.",
    command="scrapy check",
)
SERVER_AWAY = Message(
    "The database server is away or refuses to answer. Try again in a few seconds. The operator's log says "
    "why."
)
CLUSTER_AWAY = Message(
    "The servers that keep the index are away or refuse to answer. Try again in a few seconds. The "
    "operator's log says why."
)
RETRY_SECONDS = 5  # a first page is searchable soon after a crawl starts, and a server may be back

_DETAILS: Mapping[int, str] = {
    404: Message("There is no page at this address. It may have moved: search for it."),
    405: Message("This address does not support this method."),
    500: Message("Something went wrong on the server. The operator's log has the details."),
}

_TITLES: Mapping[int, str] = {
    400: Message("Bad Request"),
    403: Message("Forbidden"),
    404: Message("Not Found"),
    405: Message("Method Not Allowed"),
    408: Message("Request Timeout"),
    413: Message("Request Entity Too Large"),
    415: Message("Unsupported Media Type"),
    421: Message("Misdirected Request"),
    422: Message("Unprocessable Entity"),
    429: Message("Too Many Requests"),
    500: Message("Internal Server Error"),
    503: Message("Service Unavailable"),
}
"""The phrases of the statuses that we answer with (RFC 9110, section 15)."""

P = ParamSpec("P")
T = TypeVar("T")


async def call_searcher(ask: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Calls the searcher in a search thread. Raises HTTPException 503 while there is no index."""
    try:
        return await run_search(ask, *args, **kwargs)
    except IndexMissing as error:
        detail = Message("Nothing is indexed yet. To start: {command}", command=HOW_TO_START)
        raise HTTPException(503, detail) from error
    except EngineError as error:
        raise index_error(error) from error


def index_error(error: EngineError) -> HTTPException:
    """Makes the 503 for an index that is damaged, an older Lycosa's, or whose servers are away."""
    ALARM(str(error), getattr(error, "path", None))
    if isinstance(error, ClusterError):
        return _server_away(CLUSTER_AWAY)
    is_away = isinstance(error, Unreadable) and error.is_on_server
    return _server_away(SERVER_AWAY) if is_away else HTTPException(503, INDEX_UNREADABLE)


def database_error(error: Unreadable) -> HTTPException:
    """Makes the 503 for a crawl database that is damaged, whose disk fails or whose server is away."""
    ALARM(str(error), error.path)
    return _server_away(SERVER_AWAY) if error.is_on_server else HTTPException(503, DATABASE_UNREADABLE)


def _server_away(detail: str) -> HTTPException:
    return HTTPException(503, detail, {"Retry-After": str(RETRY_SECONDS)})


async def handle_http_exception(request: Request, error: Exception) -> Response:
    """Answers an HTTPException: its status, its headers, and its detail where it has its own.

    Made in the event loop: the way to a thread, where Starlette calls what is not async, costs 0.1 ms more.
    """
    assert isinstance(error, HTTPException)
    own = error.detail if error.detail != HTTPStatus(error.status_code).phrase else ""
    detail = own or _DETAILS.get(error.status_code, "")
    return _problem(request, error.status_code, detail, error.headers or {})


def handle_server_error(headers: Mapping[str, str], request: Request, _: Exception) -> Response:
    """Answers a server error with a 500 that shows nothing of it; uvicorn logs it and then hangs up.

    It is made outside of our middleware, so it brings the headers itself.
    """
    return _problem(request, 500, _DETAILS[500], {**headers, "Connection": "close"})


def _problem(request: Request, status: int, detail: str, headers: Mapping[str, str]) -> Response:
    title = _TITLES.get(status) or HTTPStatus(status).phrase
    if _asks_a_program(request):
        document = {"type": "about:blank", "title": title, "status": status, "detail": detail}
        return Response(encode_json(document), status, headers, "application/problem+json")
    if detail == BUSY:
        return HTMLResponse(_busy(LANGUAGE.get(), build_own_url("")), status, headers)
    return render_html("problem.html", status, headers, title=title, detail=detail, typed="")


@cache
def _busy(_language: str, _root_path: str) -> bytes:
    """Renders the page of a busy server, once in each language, too short to be compressed."""
    return bytes(render_html("busy.html", title=_TITLES[503], detail=BUSY).body)


def _asks_a_program(request: Request) -> bool:
    """Tells whether a program asks, by path and Accept: browsers want text/html of everything."""
    path, accepted = find_route_path(request.scope), request.headers.get("accept", "")
    if path.startswith(API) or (path in FOR_PROGRAMS and "text/html" not in accepted):
        return True
    return "json" in accepted and "text/html" not in accepted
