"""Links hits to a playback of web archives: a Wayback Machine, pywb, or the like."""

from contextvars import ContextVar

from starlette.types import ASGIApp, Receive, Scope, Send

from engine.model import Hit
from search_ui.rendering.formatting import as_web_link

_TEMPLATE: ContextVar[str] = ContextVar("playback", default="")  # of the application that answers
_TIMESTAMP = 14  # digits of year to second, in UTC, as playbacks have them


class PlaybackMiddleware:
    """Sets for each request where its hits are played back: a URL with {timestamp} and {url} in it."""

    def __init__(self, app: ASGIApp, template: str) -> None:
        self.app = app
        self.template = template

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on."""
        _TEMPLATE.set(self.template)
        await self.app(scope, receive, send)


def build_playback_url(hit: Hit) -> str:
    """Builds the URL at which a hit is seen as it was when it was fetched, '' where there is no playback."""
    template = _TEMPLATE.get()
    if not template or not as_web_link(hit.url):
        return ""
    digits = "".join(filter(str.isdigit, hit.fetched_at))[:_TIMESTAMP]
    return template.replace("{timestamp}", digits).replace("{url}", hit.url)
