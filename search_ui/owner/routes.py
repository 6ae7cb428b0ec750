"""Lists the pages of owners."""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from functools import partial

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from engine.admin import OperatorServices
from engine.config import ServerConfig
from engine.middleware import Identity
from engine.ownership import OwnerAccess
from search_ui.admin import Gate
from search_ui.owner.complaint import act_on_complaint, show_complaint
from search_ui.owner.context import (
    CHECKS_AT_ONCE,
    CHECKS_PER_HOUR,
    COOKIE,
    FOREIGN,
    HEADERS,
    HOUR,
    ROOT,
    UNSAFE,
    OwnerContext,
)
from search_ui.owner.entry import answer_check, answer_entry, answer_logout
from search_ui.owner.removals import act_on_removals, show_removals
from search_ui.owner.site_page import Act, Show, answer_site
from search_ui.owner.site_pages import show_errors, show_links, show_overview, show_skipped, show_titles
from search_ui.server import Ledger, Share, split_public_url

PAGES: Mapping[str, tuple[Show, Act | None]] = {
    "": (show_overview, None),
    "/errors": (show_errors, None),
    "/links": (show_links, None),
    "/titles": (show_titles, None),
    "/skipped": (show_skipped, None),
    "/removals": (show_removals, act_on_removals),
    "/complaint": (show_complaint, act_on_complaint),
}
"""The pages of a host, by what is added to its path."""

Answer = Callable[[OwnerContext, Request], Awaitable[Response]]


def owner_routes(
    services: OperatorServices, serving: ServerConfig, identity: Identity, ledger: Ledger
) -> Iterator[BaseRoute]:
    """Lists the routes of the pages, none without the configuration of what they show."""
    if services.config is None:
        return
    root_path = split_public_url(identity.public_url)[1]
    gate = Gate(root_path, serving.trusted_proxies, None, COOKIE, UNSAFE, FOREIGN)
    shares = ledger.limit(Share.CHECKS, CHECKS_PER_HOUR / HOUR, CHECKS_AT_ONCE)
    context = OwnerContext(OwnerAccess(services.config, identity), gate, shares)
    yield Route(ROOT, OwnerEndpoint(context, answer_entry))
    yield Route(f"{ROOT}/check", OwnerEndpoint(context, answer_check))
    yield Route(f"{ROOT}/logout", OwnerEndpoint(context, answer_logout))
    for tab, (show, act) in PAGES.items():
        answer = partial(answer_site, tab, show, act)
        yield Route(f"{ROOT}/{{scheme}}/{{authority}}{tab}", OwnerEndpoint(context, answer))


class OwnerEndpoint:
    """An ASGI application that answers on a safe connection."""

    def __init__(self, context: OwnerContext, answer: Answer) -> None:
        self.context, self.answer = context, answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request; nothing of it is to be kept by anybody."""
        request = Request(scope, receive)
        try:
            self.context.gate.require_safe(request)
            if request.method not in ("GET", "HEAD", "POST"):
                raise HTTPException(405, headers={"Allow": "GET, HEAD, POST"})
            response = await self.answer(self.context, request)
        except HTTPException as error:
            raise HTTPException(
                error.status_code, error.detail, {**HEADERS, **(error.headers or {})}
            ) from error
        await response(scope, receive, send)
