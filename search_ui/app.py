"""Assembles the search page as an ASGI application: a list of routes and a list of middleware."""

import gc
import socket
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from threading import Thread
from typing import cast
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from engine.admin import OperatorServices
from engine.audience import EVERYBODY
from engine.config import ServerConfig
from engine.errors import EngineError
from engine.kernels import compile_kernels
from engine.middleware import Identity
from engine.monitor import Progress
from engine.search import SearchViews
from engine.submission import SubmissionService
from search_ui.admin import admin_routes
from search_ui.api import ApiEndpoints, OperatorEndpoints, RecrawlEndpoints
from search_ui.condition import HealthMonitor
from search_ui.owner import owner_routes
from search_ui.pages import (
    CHECK,
    HitPages,
    OwnerPages,
    SearchPages,
    SignInPages,
    SubmitPages,
    open_sign_in,
    show_embedding,
)
from search_ui.rendering import (
    API,
    DESCRIPTION,
    FEED,
    ROOT,
    LocaleMiddleware,
    PlaybackMiddleware,
    handle_http_exception,
    handle_server_error,
)
from search_ui.search_request import Searcher, SearcherOf
from search_ui.search_threads import SWITCH_SECONDS
from search_ui.server import (
    EMBED_HEADERS,
    STATIC_HEADERS,
    AllowedHostsMiddleware,
    ApiCORSMiddleware,
    ConnectionLimiter,
    HttpProtocol,
    Ledger,
    MetricsMiddleware,
    RateLimitMiddleware,
    ResponseHeadersMiddleware,
    RootPathMiddleware,
    Share,
    ViewerMiddleware,
    ViewerPolicy,
    WeakETagMiddleware,
    raise_connection_limit,
    security_headers,
    split_public_url,
)

NO_SERVICES = OperatorServices()
FILES = StaticFiles(directory=ROOT / "static")
KEEP_ALIVE_SECONDS = 5  # an idle connection; browsers open another at no cost worth naming
# Until the system gives up on octets that it sends for us and that a client does not take, even after we have
# closed: a page fits into its buffers (TCP_USER_TIMEOUT, which connections have from their listener).
UNTAKEN_SECONDS = 30
STOP_SECONDS = 10  # for the answers under way when we are asked to stop
# New objects before Python's collector looks at them, and how often at these only before it looks further. By
# default it goes through all that is remembered every 300 pages, for a quarter of a second; so every 50,000.
GARBAGE = (10_000, 50, 100)
MIN_ZIPPED_BYTES = 1_000  # what is shorter fits into one packet as it is
ZIP_LEVEL = 3  # of 1 to 9: ten hits take 0.15 ms and become 3.7 KB; 6 takes 0.1 ms more to save 7 per cent


def create_app(
    search: Searcher | SearchViews,
    progress: Callable[[], Progress | None],
    identity: Identity,
    serving: ServerConfig = ServerConfig(),
    submissions: SubmissionService | None = None,
    ledger: Ledger | None = None,
    services: OperatorServices = NO_SERVICES,
) -> Starlette:
    """Creates the application over one searcher, or those of all views of an index that hides pages; then no
    count of the crawl, which knows no readers, is shown. `ledger` counts what its clients use.

    `progress` returns how far the crawl is, `identity` who crawls, `submissions` takes URLs in, and recrawls,
    `services` stand behind the operator's pages and metrics.
    """
    ledger, proxies = ledger or Ledger(), serving.trusted_proxies
    everybody, searcher_of = _split_by_sender(search, serving, identity)
    pages = SearchPages(searcher_of, progress if search is everybody else lambda: None, proxies)
    taking = submissions if submissions and submissions.is_open else None
    submit = SubmitPages(taking, identity.public_url, proxies, ledger)
    recrawl = RecrawlEndpoints(submissions.recrawls if submissions else None, proxies, ledger)
    health = HealthMonitor(everybody, progress, ledger.clock)
    operator = OperatorEndpoints(
        everybody, health, ledger.metrics, proxies, time.time, services.measure_crawl
    )
    headers, sign_in = security_headers(identity.public_url), open_sign_in(services, identity.public_url)
    root_path = split_public_url(identity.public_url)[1]
    routes = [
        *_page_routes(
            pages, HitPages(searcher_of), OwnerPages(identity, services.config is not None), submit
        ),
        *_api_routes(ApiEndpoints(searcher_of, identity.public_url, proxies), submit, recrawl),
        *_operator_routes(operator),
        *admin_routes(services, serving, identity.public_url),
        *_file_routes(),
        *owner_routes(services, serving, identity, ledger),
        *(sign_in.list_routes() if sign_in else ()),
    ]
    app = Starlette(
        routes=_below(root_path, routes, pages),
        middleware=_list_middleware(identity, serving, ledger, sign_in),
        exception_handlers={
            HTTPException: handle_http_exception,
            Exception: partial(handle_server_error, headers),
        },
    )
    # The redirect would repeat the Host header, which is whatever the client says it is.
    app.router.redirect_slashes = False
    return app


def _split_by_sender(
    search: Searcher | SearchViews, serving: ServerConfig, identity: Identity
) -> tuple[Searcher, SearcherOf]:
    """Returns everybody's searcher, and what finds that of a request."""
    if not isinstance(search, SearchViews):
        return search, lambda _: search
    policy = ViewerPolicy.build(serving, identity.public_url)
    return search.find(EVERYBODY), lambda request: search.find(policy.find_view(request))


def _list_middleware(
    identity: Identity, serving: ServerConfig, ledger: Ledger, sign_in: SignInPages | None
) -> Sequence[Middleware]:
    """Lists what each request passes, the outermost first."""
    is_https, root_path = identity.public_url.startswith("https://"), split_public_url(identity.public_url)[1]
    return [
        Middleware(RootPathMiddleware, root_path),
        Middleware(MetricsMiddleware, ledger.metrics, ledger.clock),
        Middleware(ResponseHeadersMiddleware, security_headers(identity.public_url)),
        Middleware(PlaybackMiddleware, serving.playback),
        Middleware(LocaleMiddleware, is_https, root_path),
        Middleware(WeakETagMiddleware),
        # Nothing in our pages is a secret that could be guessed from their length (BREACH).
        Middleware(GZipMiddleware, MIN_ZIPPED_BYTES, ZIP_LEVEL),
        *_optional_middleware(serving, ledger),
        Middleware(AllowedHostsMiddleware, _allowed_hosts(serving, identity), handle_http_exception),
        *([Middleware(ViewerMiddleware, sign_in.sessions.find, identity.public_url)] if sign_in else ()),
    ]


def _page_routes(
    pages: SearchPages, of_hit: HitPages, owners: OwnerPages, submit: SubmitPages
) -> Iterator[BaseRoute]:
    yield Route("/", pages.home)
    yield Route("/search", pages.results, methods=["GET", "POST"])
    yield Route("/text", of_hit.text)
    yield Route("/why", of_hit.why)
    yield Route("/submit", submit.form, methods=["GET", "POST"])
    yield Route("/embed", partial(show_embedding, owners.identity))
    yield Route("/robot", owners.about)
    yield Route("/robot.json", owners.about_json)
    yield Route(CHECK, owners.check, methods=["GET", "POST"])


def _api_routes(api: ApiEndpoints, submit: SubmitPages, recrawl: RecrawlEndpoints) -> Iterator[BaseRoute]:
    yield Route(API, api.about)
    yield Route("/api/openapi.json", api.openapi)
    yield Route("/api/search", api.search)
    yield Route("/api/explain", api.explain)
    yield Route("/api/suggest", api.suggest)
    yield Route("/api/submit", submit.api, methods=["GET", "POST"])
    yield Route("/api/recrawl", recrawl.request, methods=["POST"])
    yield Route("/api/recrawl/{id}", recrawl.status)
    yield Route(FEED, api.feed)
    yield Route(DESCRIPTION, api.description)


def _operator_routes(operator: OperatorEndpoints) -> Iterator[BaseRoute]:
    yield Route("/health", operator.health)
    yield Route("/health/ready", operator.ready)
    yield Route("/metrics", operator.metrics)


def _file_routes() -> Iterator[BaseRoute]:
    yield Route("/favicon.ico", partial(static_file, "favicon.svg"))
    yield Route("/robots.txt", partial(static_file, "robots.txt"))
    yield Route("/static/embed.js", partial(static_file, "embed.js", headers=EMBED_HEADERS))
    yield Mount("/static", FILES, middleware=[Middleware(ResponseHeadersMiddleware, STATIC_HEADERS)])


def _optional_middleware(serving: ServerConfig, ledger: Ledger) -> Iterator[Middleware]:
    if serving.cors_origins:
        yield Middleware(ApiCORSMiddleware, API, serving.cors_origins)
    if serving.requests_per_second:
        buckets = ledger.limit(Share.REQUESTS, serving.requests_per_second, serving.burst)
        yield Middleware(RateLimitMiddleware, serving.trusted_proxies, buckets, handle_http_exception)


def _allowed_hosts(serving: ServerConfig, identity: Identity) -> tuple[str, ...]:
    return (*serving.allowed_hosts, urlsplit(identity.public_url).hostname or "")


def _below(root_path: str, routes: Sequence[BaseRoute], pages: SearchPages) -> Sequence[BaseRoute]:
    """Adds the root path itself, without the slash at its end, where there is one.

    Raises EngineError where a web server that strips the path could not be told from one that does not.
    """
    if not root_path:
        return routes
    own_paths = [
        route.path + "/" * isinstance(route, Mount) for route in routes if isinstance(route, Route | Mount)
    ]
    if any(path.startswith(f"{root_path}/") for path in own_paths):
        raise EngineError(f"public_url: {root_path} is a path of the search page's own; choose another")
    return [*routes, Route(root_path, pages.home)]


async def static_file(name: str, request: Request, headers: Mapping[str, str] = STATIC_HEADERS) -> Response:
    """Serves a file of static/ that has an address of its own, or needs other headers than the rest."""
    answer = await FILES.get_response(name, request.scope)
    answer.headers.update(headers)
    return answer


def serve(
    search: Searcher | SearchViews,
    progress: Callable[[], Progress | None],
    identity: Identity,
    serving: ServerConfig,
    submissions: SubmissionService | None,
    listeners: Sequence[socket.socket],
    services: OperatorServices,
) -> None:
    """Serves on listening sockets until told to stop."""
    tune_process(listeners)
    Thread(target=compile_kernels, daemon=True).start()  # beside the first queries, which load what they call
    app = create_app(search, progress, identity, serving, submissions, services=services)
    places = ConnectionLimiter(raise_connection_limit(), proxies=serving.trusted_proxies)
    root_path = split_public_url(identity.public_url)[1]
    host, port = listeners[0].getsockname()[:2]
    uvicorn.Server(uvicorn_config(app, host, port, places, root_path)).run([*listeners])


def tune_process(listeners: Sequence[socket.socket]) -> None:
    """Prepares the process and its listening sockets for many short answers."""
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.freeze()  # what was imported stays
    gc.set_threshold(*GARBAGE)
    for listener in listeners:
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNTAKEN_SECONDS * 1_000)


def uvicorn_config(
    app: Starlette, host: str, port: int, places: ConnectionLimiter | None = None, root_path: str = ""
) -> uvicorn.Config:
    """Builds the configuration of the server; port 0 takes a free one. The caller sets up logging."""
    protocol = partial(HttpProtocol, ConnectionLimiter() if places is None else places, root_path)
    return uvicorn.Config(
        app,
        host=host,
        port=port,
        http=cast("type[HttpProtocol]", protocol),
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,  # what people search for is theirs
        server_header=False,
        date_header=False,
        proxy_headers=False,  # search_ui.server.clients reads them, from those whom the operator trusts
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=STOP_SECONDS,
    )
