"""One page about a host: what it shows, and what its forms do, for a session that may see that host."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from engine.errors import Busy, EngineError
from engine.model import Message
from search_ui.admin import is_token, make_token
from search_ui.owner.context import HEADERS, ROOT, STALE, OwnerContext, render_owner, site_path
from search_ui.search_request import parse_form, parse_number, read_form_body
from search_ui.server import build_own_url

MAX_FORM_BYTES = 64 * 1024  # a complaint of 2,000 characters, percent-encoded, is 24 KiB at most
TABS: Mapping[str, str] = {
    "": Message("Overview"),
    "/errors": Message("Errors"),
    "/links": Message("Broken links"),
    "/titles": Message("Titles and descriptions"),
    "/skipped": Message("Left out"),
    "/removals": Message("Removals"),
    "/complaint": Message("Complaint"),
}
"""The pages of a host, by what is added to its path."""


@dataclass(frozen=True, slots=True)
class SiteRequest:
    """A request of the owner of a host; `fields` are those of its form, else of its address."""

    context: OwnerContext
    session_id: str
    host: str
    tab: str
    fields: Mapping[str, str]
    error: str = ""  # why the form that was sent is refused

    @property
    def token(self) -> str:
        """Makes a token for this page's forms."""
        return make_token(self.session_id)

    def number(self, name: str) -> int | None:
        """Reads a field as a whole number, None where it is none."""
        return parse_number(self.fields.get(name, ""))

    def render(self, template: str, **values: object) -> Response:
        """Renders the page; 422 where its form is refused."""
        return render_owner(template, 422 if self.error else 200, asked=self, tabs=TABS, **values)


Show = Callable[[SiteRequest], Response]
Act = Callable[[SiteRequest], str]  # returns the query of the page that is shown then


async def answer_site(
    tab: str, show: Show, act: Act | None, context: OwnerContext, request: Request
) -> Response:
    """Answers a page: shows it, or does what its form says and shows it then."""
    host = f"{request.path_params['scheme']}://{request.path_params['authority']}"
    if host not in await context.list_hosts(request):
        return RedirectResponse(build_own_url(ROOT), 303, HEADERS)
    session_id = context.gate.read_session_id(request)
    asked = SiteRequest(context, session_id, host, tab, {})
    if request.method != "POST":
        fields = _read_fields(request.scope["query_string"])
        return await context.read(show, replace(asked, fields=fields))
    if act is None:
        raise HTTPException(405, headers={"Allow": "GET, HEAD"})
    context.gate.require_own_form(request)
    fields = _read_fields(await read_form_body(request, MAX_FORM_BYTES))
    if not is_token(session_id, fields.get("token", "")):
        raise HTTPException(403, STALE)
    return await context.write(_act, show, act, replace(asked, fields=fields))


def _act(show: Show, act: Act, asked: SiteRequest) -> Response:
    """Does what a form says, and sends the browser to the page (RFC 9110, 15.4.4)."""
    try:
        query = act(asked)
    except Busy:
        raise
    except EngineError as error:
        # A sentence of ours is a Message; any other is of the same words as for a command.
        said = error.args[0] if error.args else ""
        return show(replace(asked, error=said if isinstance(said, Message) else str(error)))
    return RedirectResponse(f"{build_own_url(site_path(asked.host))}{asked.tab}{query}", 303, HEADERS)


def _read_fields(encoded: bytes) -> Mapping[str, str]:
    """Reads fields without NUL, which no page can show again (HTML, 13.2.3.5)."""
    return {name: value.replace("\0", "") for name, value in parse_form(encoded).items()}
