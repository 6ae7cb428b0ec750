"""Holds what all pages of owners share, and how they read files in threads."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from engine.errors import Busy, Unreadable
from engine.folder import OF_DATABASE
from engine.model import Message
from engine.monitor import legible
from engine.opensearch import ClusterError
from engine.ownership import OwnerAccess
from engine.report import escape_text, format_time
from search_ui.admin import Gate
from search_ui.rendering import database_error, index_error, render_html
from search_ui.server import NetworkKey, ThreadLimiter, TokenBuckets, identify_client

ROOT = "/owner"
COOKIE = "lycosa-owner"
# Threads that read for these pages, that ask hosts, and that write; who waits for one. No search does.
READERS, CHECKERS, WRITERS, MAX_WAITING = 2, 2, 1, 8
CHECKS_PER_HOUR = 20  # of one client: who makes a mistake corrects it a few times
CHECKS_AT_ONCE = 10  # of these
HOUR = 3_600
RETRY_SECONDS = 5
UNSAFE = Message(
    "This page is served over https, or over http to a browser on the same machine, so that nobody reads the "
    "key on its way."
)
FOREIGN = Message("This form is accepted only from our own page: {page}.", page=ROOT)
STALE = Message("This form is too old. Nothing was done; send it again.")
BUSY = Message("The crawl database is busy. Send it again in a few seconds.")
# Nothing of a page is to be kept by anybody; our other pages say no-referrer, which hides from us, too, where
# a form was sent from.
HEADERS = {"Cache-Control": "no-store", "Referrer-Policy": "same-origin"}

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class OwnerContext:
    """What all pages of one server share; `shares` are the checks of each client."""

    access: OwnerAccess
    gate: Gate
    shares: TokenBuckets
    reading: ThreadLimiter = field(default_factory=lambda: ThreadLimiter(READERS, MAX_WAITING))
    checking: ThreadLimiter = field(default_factory=lambda: ThreadLimiter(CHECKERS, MAX_WAITING))
    writing: ThreadLimiter = field(default_factory=lambda: ThreadLimiter(WRITERS, MAX_WAITING))

    def identify_client(self, request: Request) -> NetworkKey:
        """Identifies who asks, for limits."""
        return identify_client(request.scope, self.gate.proxies).network_key

    async def read(self, work: Callable[..., T], *args: object) -> T:
        """Reads in a thread. HTTPException 503 where that cannot be done now."""
        return await self._run(self.reading, work, *args)

    async def check(self, work: Callable[..., T], *args: object) -> T:
        """Asks a host in a thread."""
        return await self._run(self.checking, work, *args)

    async def write(self, work: Callable[..., T], *args: object) -> T:
        """Writes in a thread."""
        return await self._run(self.writing, work, *args)

    async def _run(self, room: ThreadLimiter, work: Callable[..., T], *args: object) -> T:
        try:
            return await room.run(work, *args)
        except Busy as error:
            raise HTTPException(503, BUSY, {"Retry-After": str(RETRY_SECONDS)}) from error
        except ClusterError as error:
            raise index_error(error) from error
        except Unreadable as error:
            raise database_error(error) from error
        except (OSError, *OF_DATABASE) as error:
            raise database_error(Unreadable(self.access.config.data_dir, str(error))) from error

    async def list_hosts(self, request: Request) -> list[str]:
        """Lists the hosts that the browser's session may see."""
        return await self.read(self.access.list_hosts, self.gate.read_session_id(request))


def render_owner(template: str, status: int = 200, **values: object) -> Response:
    """Renders a page that nobody keeps."""
    return render_html(template, status, HEADERS, typed="", **FORMATS, **values)


def mark_time(at: float) -> Markup:
    """Marks a time, in ISO 8601 and UTC, which is written the same from right to left."""
    text = format_time(at)
    shown = f"{text.removesuffix('+00:00').replace('T', ' ')} UTC"
    return Markup('<time datetime="{}"><bdi dir="ltr">{}</bdi></time>').format(text, shown)


def site_path(host: str) -> str:
    """Returns the path of the pages of a host, as scheme://name[:port]."""
    return f"{ROOT}/{host.replace('://', '/', 1)}"


FORMATS: Mapping[str, Callable[..., str]] = {
    "visible": escape_text,  # a line of a stranger's
    "legible": legible,  # a line that is shown whole
    "moment": mark_time,
    "site_path": site_path,
}
"""How the templates of these pages show values."""
