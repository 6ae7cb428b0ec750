"""Sites that show their pages only to who proves who he is, and a proxy, all on loopback."""

import asyncio
import itertools
import ssl
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from http.cookies import SimpleCookie
from urllib.parse import parse_qs, urlsplit

from tests.web.scripted import Answer, Request, Route, Site, anchors, html, pages, read_head, send

USER = "crawler"
SESSION = "canary-of-session"  # begins the values of the cookies of a session
MANY = 1 << 16  # bytes that a tunnel passes on at once
UNAUTHORIZED = Answer(401, "Who are you?", {"WWW-Authenticate": 'Basic realm="x"'})
_OURS = "proxy-authorization"  # goes no further than to the proxy (RFC 9110, 11.7.2)
PROXY_ASKS = Answer(407, "Who are you?", {"Proxy-Authenticate": 'Basic realm="x"'})
FORM = """<form action="/login" method="post"><input name="user">
<input type="password" name="word"><input type="hidden" name="token" value="{token}">
<input type="checkbox" name="remember"><button name="go" value="in">Log in</button></form>"""


def private_pages(number: int = 8, links: Sequence[str] = ()) -> dict[str, Route]:
    """Pages of which each links to the next, and to all of `links`."""
    last = f"/page{number - 1}"
    chain = {"/": ["/page0"], **{f"/page{n}": [f"/page{n + 1}"] for n in range(number - 1)}, last: []}
    return pages({path: [*targets, *links] for path, targets in chain.items()})


class PrivateSite(Site):
    """A site that asks `admits` of each request, robots.txt included, and refuses by `refusal`."""

    def __init__(
        self,
        routes: Mapping[str, Route],
        admits: Callable[[Request], bool],
        refusal: Answer = UNAUTHORIZED,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        super().__init__(routes, tls=tls)
        self.admits, self._refusal = admits, refusal

    def answer(self, request: Request) -> Answer:
        """What this site says to a request."""
        return super().answer(request) if self.admits(request) else self._refusal


def by_basic(secret: str) -> Callable[[Request], bool]:
    """Admits who knows the password of USER."""
    pair = b64encode(f"{USER}:{secret}".encode()).decode()
    return lambda request: request.headers.get("authorization") == f"Basic {pair}"


def by_bearer(secret: str) -> Callable[[Request], bool]:
    """Admits who has the token."""
    return lambda request: request.headers.get("authorization") == f"Bearer {secret}"


def by_cookie(secret: str) -> Callable[[Request], bool]:
    """Admits who has the cookie."""
    return lambda request: cookie(request, "sid") == secret


def cookie(request: Request, name: str) -> str:
    """A cookie of a request, '' where it has none of this name."""
    jar = SimpleCookie(request.headers.get("cookie", ""))
    return jar[name].value if name in jar else ""


class FormSite(Site):
    """A site with a login form. A session ends after `lives` pages, or by /logout and /bye.

    `refusal` is what is answered to who is not logged in; None: a redirect to the form.
    """

    def __init__(
        self, routes: Mapping[str, Route], secret: str, lives: int = 1_000, refusal: Answer | None = None
    ) -> None:
        super().__init__(routes)
        self.secret, self.lives, self._refusal = secret, lives, refusal
        self.logins = 0
        self.ended: list[str] = []  # the paths that have ended a session
        self._numbers = itertools.count(1)
        self._sessions: dict[str, int] = {}  # how many pages each may still see

    def answer(self, request: Request) -> Answer:
        """What this site says to a request."""
        path = request.path.partition("?")[0]
        if path == "/login":
            return self._post(request) if request.method == "POST" else self._form()
        session = cookie(request, "session")
        if not self._sessions.get(session):
            return self._refusal or Answer(302, headers={"Location": f"/login?next={path}"})
        self._sessions[session] -= 1
        if path in ("/logout", "/bye"):
            self.ended.append(path)
            self._sessions.pop(session)
        answer = super().answer(request)
        given = answer.headers.items() if isinstance(answer.headers, Mapping) else answer.headers
        return replace(answer, headers=[*given, ("Set-Cookie", f"last={SESSION}{path}")])

    def _form(self, status: int = 200) -> Answer:
        token = f"t{next(self._numbers)}"
        page = html("Log in", FORM.format(token=token), status=status)
        return Answer(page.status, page.body, [("Set-Cookie", f"token={token}; Path=/login; HttpOnly")])

    def _post(self, request: Request) -> Answer:
        said = parse_qs(request.body.decode(), keep_blank_values=True)
        wanted = {"user": [USER], "word": [self.secret], "token": [cookie(request, "token")], "go": ["in"]}
        if said != wanted:
            return self._form()
        self.logins += 1
        session = f"{SESSION}{next(self._numbers)}"
        self._sessions[session] = self.lives
        return Answer(
            303, headers=[("Location", "/"), ("Set-Cookie", f"session={session}; Path=/; HttpOnly")]
        )


class ForwardProxy(Site):
    """An HTTP proxy that knows the hosts of `sites`, by name and port; CONNECT leads to these as well.

    With a `secret` it serves only who tells it.
    """

    def __init__(self, sites: Mapping[str, Site], secret: str = "") -> None:
        super().__init__({})
        self.sites = sites
        self._told = b64encode(f"{USER}:{secret}".encode()).decode() if secret else ""

    def _admits(self, request: Request) -> bool:
        told = request.headers.get(_OURS, "")
        request.headers = {name: text for name, text in request.headers.items() if name != _OURS}
        return told == (f"Basic {self._told}" if self._told else "")

    def answer(self, request: Request) -> Answer:
        """What the site says to a request with a whole URL (RFC 9112, 3.2.2)."""
        parts = urlsplit(request.path)
        site = self.sites.get(f"{parts.hostname}:{parts.port or 80}")
        if site is None:
            return html("No such host", "The proxy does not know it", status=502)
        request.path = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
        site.log.append(request)
        return site.answer(request)

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Reads one request and answers it, or makes a tunnel (RFC 9110, 9.3.6)."""
        head = await reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"CONNECT "):
            request = read_head(head)
            self.log.append(read_head(head))
            answer = self.answer(request) if self._admits(request) else PROXY_ASKS
            await send(writer, answer.pieces)
            return request.keep_alive
        request = read_head(head)
        self.log.append(request)
        if not self._admits(request):
            await send(writer, [PROXY_ASKS.head()])
            return False
        site = self.sites.get(request.path)
        if site is None:
            await send(writer, [Answer(502).head()])
            return False
        theirs, ours = await asyncio.open_connection(site.address, site.port)
        await send(writer, [b"HTTP/1.1 200 OK\r\n\r\n"])
        with suppress(OSError):
            await asyncio.gather(_pass_on(reader, ours), _pass_on(theirs, writer))
        return False


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while octets := await reader.read(MANY):
        writer.write(octets)
        await writer.drain()
    writer.close()


def link_page(*urls: str) -> Answer:
    """A page that links to these."""
    return html("Links", anchors(urls))
