"""The search page as one ASGI application: a list of routes and a list of middleware."""

import socket
from collections.abc import Callable
from functools import partial

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from engine.middleware.identity import Identity
from engine.monitor.progress import Progress
from search_ui.api import Api
from search_ui.asked import Searcher
from search_ui.guard import HEADERS, STATIC_HEADERS, AddHeaders
from search_ui.hit_pages import HitPages
from search_ui.owner_pages import CHECK, OwnerPages
from search_ui.problems import broken, refused
from search_ui.render import ROOT
from search_ui.search_pages import SearchPages

STATIC = ROOT / "static"
MAX_CONNECTIONS = 512  # half of the 1,024 file descriptors that a process usually has
MAX_HEAD_BYTES = 64 * 1024  # request line and headers; MAX_TYPED percent-encoded is 12 KiB
KEEP_ALIVE_SECONDS = 5  # an idle connection; browsers open another at no cost worth naming
STOP_SECONDS = 10  # for the answers under way when we are asked to stop


def create_app(search: Searcher, progress: Callable[[], Progress | None], identity: Identity) -> Starlette:
    """The application over one searcher, what tells of the crawl, and who crawls."""
    pages = SearchPages(search, progress)
    api = Api(search)
    of_hit = HitPages(search)
    owners = OwnerPages(identity)
    static = StaticFiles(directory=STATIC)
    routes: list[BaseRoute] = [
        Route("/", pages.home),
        Route("/search", pages.results, methods=["GET", "POST"]),
        Route("/text", of_hit.text),
        Route("/why", of_hit.why),
        Route("/api/search", api.search),
        Route("/api/explain", api.explain),
        Route("/api/suggest", api.suggest),
        Route("/robot", owners.about),
        Route("/robot.json", owners.about_json),
        Route(CHECK, owners.check, methods=["GET", "POST"]),
        Route("/health", health),
        Route("/favicon.ico", partial(static_file, "favicon.svg")),
        Route("/robots.txt", partial(static_file, "robots.txt")),
        Mount("/static", static, middleware=[Middleware(AddHeaders, STATIC_HEADERS)]),
    ]
    app = Starlette(
        routes=routes,
        middleware=[Middleware(AddHeaders, HEADERS)],
        exception_handlers={HTTPException: refused, Exception: broken},
    )
    # The redirect would repeat the Host header, which is whatever the client says it is.
    app.router.redirect_slashes = False
    return app


def health(_: Request) -> Response:
    """Whether this process answers at all."""
    return PlainTextResponse("ok")


def static_file(name: str, _: Request) -> Response:
    """A file of static/ that has to stand at an address of its own."""
    return FileResponse(STATIC / name, headers=STATIC_HEADERS)


def serve(
    search: Searcher,
    progress: Callable[[], Progress | None],
    identity: Identity,
    listener: socket.socket,
) -> None:
    """Serve on a listening socket until told to stop."""
    host, port = listener.getsockname()[:2]
    uvicorn.Server(uvicorn_config(create_app(search, progress, identity), host, port)).run([listener])


def uvicorn_config(app: Starlette, host: str, port: int) -> uvicorn.Config:
    """How the application is served; port 0 takes a free one. The caller sets up logging."""
    return uvicorn.Config(
        app,
        host=host,
        port=port,
        http="h11",  # httptools puts no limit on the size of a request's head
        h11_max_incomplete_event_size=MAX_HEAD_BYTES,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,  # what people search for is theirs
        server_header=False,
        date_header=False,
        proxy_headers=False,  # we use no client's address, so nobody's word for it counts
        limit_concurrency=MAX_CONNECTIONS,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=STOP_SECONDS,
    )
