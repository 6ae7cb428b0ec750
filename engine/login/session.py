"""Keeps the login of one host while a crawl runs: sends what proves who we are, and renews what has ended."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from http.cookiejar import Cookie
from typing import Any, NoReturn
from urllib.parse import urlencode

from OpenSSL import SSL
from scrapy import Request
from scrapy.http import Response

from engine.config import Login
from engine.crawl import LOGIN_FAILED, NEEDS_LOGIN
from engine.errors import PageError
from engine.login.basic import encode_basic
from engine.login.cookies import HostCookies
from engine.login.form import MAX_FORM_BYTES, LoginForm, find_login_form
from engine.login.signs import Sign, find_sign
from engine.robots import MAX_REDIRECTS
from engine.url import canonicalize, host_of
from engine.workers import decompress

NO_LOGIN_NOW = "its login is overloaded"  # a kind of PageError: the host is to be left alone for a while
MAX_REFUSED = 3  # pages in a row that refuse what cannot be renewed; one or two may want another login
MAX_VAIN = 20  # logins that changed nothing, after which a status is believed for
VAIN_SECONDS = 60.0  # from each on; a host may have many pages that are not for us
LOGIN_SECONDS = 30.0  # that each request of a login may take; as that of a page
_REDIRECTS = range(300, 400)
_OVERLOADED = (429, *range(500, 600))  # the host's trouble, not the login's

Send = Callable[[Request], Awaitable[Response]]
logger = logging.getLogger("lycosa")


class Session:
    """The session of a host. `secret` is '' where cookies or a certificate are; `headers` say who crawls."""

    def __init__(
        self,
        login: Login,
        secret: str,
        cookies: tuple[Cookie, ...] = (),
        headers: Mapping[str, str] = {},
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.login = login
        self.failure = ""  # why nothing more is asked of the host in this crawl
        self.works = False  # a page was read with it, or its form has led to where it should
        self._secret, self._headers, self._clock = secret, dict(headers), clock
        self._given = cookies
        self._cookies = HostCookies(cookies)
        self._number = 0  # of the logins so far
        self._turn = asyncio.Lock()  # of who logs in; all others wait for it
        self._refused: set[str] = set()  # pages in a row
        self._vain, self._vain_at = 0, 0.0  # logins that changed nothing, and when the last was

    def __repr__(self) -> str:
        return f"<Session of {self.login.host}>"

    async def fetch(self, request: Request, send: Send) -> Response:
        """Sends a request for a page of the host as who is logged in; robots.txt and sitemaps are pages here.

        A response that asks for a login is none: there is one new login, and the page is asked for again.
        Raises PageError: LOGIN_FAILED once it has failed, NEEDS_LOGIN where this page alone asks for another.
        """
        if not self._number:
            await self._renew(0, send)
        number = self._number
        response, sign = await self._ask(request, send)
        if sign is None or self._is_believed(sign):
            return response
        if self.login.kind != "form":
            self._refuse(request.url, describe(sign, response))
        await self._renew(number, send)
        response, sign = await self._ask(request, send)
        if sign is None:
            return response
        self._vain, self._vain_at = self._vain + 1, self._clock()
        if sign is Sign.STATUS:
            return response
        raise PageError(NEEDS_LOGIN)

    async def _ask(self, request: Request, send: Send) -> tuple[Response, Sign | None]:
        """Sends a request with what proves who we are, which is in its headers no longer than it is sent."""
        if self.failure:
            raise PageError(LOGIN_FAILED)
        try:
            response = await self._exchange(request, send)
        except Exception as error:
            if self.login.kind == "certificate" and is_tls_alert(error):
                self._refuse(request.url, "it refuses the certificate")
            raise
        sign = find_sign(self.login, response.status, find_target(response), lambda: unpack(response))
        if sign is None and response.status < 400:
            self._refused.clear()
            self.works = self.works or not request.url.endswith("/robots.txt")
        return response, sign

    async def _exchange(self, request: Request, send: Send) -> Response:
        cookies = self._cookies  # a new login makes others, which the answers of an old session leave alone
        cookies.add_header(request)
        if authorization := self._authorize():
            request.headers[b"Authorization"] = authorization
        try:
            response = await send(request)
        finally:
            for name in (b"Authorization", b"Cookie"):
                request.headers.pop(name, None)
        cookies.take(response, request)
        return response

    def _authorize(self) -> str:
        """Returns the header Authorization, '' for kinds without one."""
        if self.login.kind == "basic":
            return encode_basic(self.login.user, self._secret)
        return f"Bearer {self._secret}" if self.login.kind == "bearer" else ""

    def _is_believed(self, sign: Sign) -> bool:
        """Tells whether a status is the page's own without another try: too many logins have changed none."""
        if sign is not Sign.STATUS or self._vain < MAX_VAIN:
            return False
        return self._clock() - self._vain_at < VAIN_SECONDS

    def _refuse(self, url: str, why: str) -> NoReturn:
        """Counts a page that refuses what cannot be renewed. Raises PageError always."""
        self._refused.add(url)
        if not self.works or len(self._refused) >= MAX_REFUSED:
            self._fail(f"{url}: {why}")
        raise PageError(NEEDS_LOGIN)

    def _fail(self, why: str) -> NoReturn:
        """Ends the session for this crawl. Raises PageError always."""
        self.failure = self.failure or why
        logger.error("the login to %s failed: %s", self.login.host, self.failure)
        raise PageError(LOGIN_FAILED)

    async def _renew(self, number: int, send: Send) -> None:
        """Logs in, unless somebody else has done so since the login of this number."""
        async with self._turn:
            if self.failure:
                raise PageError(LOGIN_FAILED)
            if self._number == number:
                if self.login.kind == "form":
                    await self._log_in(send)
                self._number += 1

    async def _log_in(self, send: Send) -> None:
        """Logs in by the form. Raises PageError where that fails, and what kept an answer away."""
        login = self.login
        self._cookies = HostCookies(self._given)
        page = await self._follow(self._make_request(login.url), send)
        form = find_login_form(unpack(page), tuple(name for name, _ in login.fields))
        if form is None:
            found = (
                f"answers {page.status}" if page.status >= 400 else "has no form with a field for a password"
            )
            self._fail(f"{_without_query(page.url)} {found}")
        answer = await self._follow(self._make_post(form, page), send)
        text = unpack(answer)
        if login.success is None:
            is_in = answer.status < 400 and not find_login_form(text, tuple(name for name, _ in login.fields))
            why = f"answers {answer.status}" if answer.status >= 400 else "shows the form again"
        else:
            is_in = bool(login.success.search(text.decode("utf-8", "replace")))
            why = f"has nothing that {login.success.pattern!r} matches"
        if not is_in:
            self._fail(f"{_without_query(answer.url)}, which the form led to, {why}")
        self.works = True

    def _make_request(self, url: str, **more: Any) -> Request:
        meta = {"download_slot": self.login.host, "download_timeout": LOGIN_SECONDS}
        meta["download_maxsize"] = MAX_FORM_BYTES
        return Request(url, headers=dict(self._headers), meta=meta, dont_filter=True, **more)

    def _make_post(self, form: LoginForm, page: Response) -> Request:
        """Makes the request that the form sends; only by POST, and only to the host itself."""
        try:
            target = canonicalize(form.action, page.url) if form.action else page.url
        except ValueError:
            target = ""
        if not target or host_of(target) != self.login.host:
            self._fail(f"the form of {_without_query(page.url)} sends to another host")
        if form.method != "post":
            self._fail(f"the form of {_without_query(page.url)} would send the password in an address")
        filled = urlencode(form.fill(dict(self.login.fields), self._secret), errors="surrogateescape")
        request = self._make_request(target, method="POST", body=filled.encode("ascii"))
        request.headers[b"Content-Type"] = b"application/x-www-form-urlencoded"
        request.headers[b"Referer"] = page.url
        return request

    async def _follow(self, request: Request, send: Send) -> Response:
        """Sends a request of the login and follows its redirects, on the host alone."""
        for _ in range(MAX_REDIRECTS):
            response = await self._exchange(request, send)
            target = find_target(response)
            if response.status in _OVERLOADED:
                raise PageError(NO_LOGIN_NOW)
            if not target or host_of(target) != self.login.host:
                return response
            request = self._make_request(target)
        return response


def _without_query(url: str) -> str:
    """Returns what may be told of a URL: its query may name a session."""
    return url.partition("?")[0]


def find_target(response: Response) -> str:
    """Finds the canonical URL that a redirect leads to, '' where it is none."""
    location = response.headers.get(b"Location")
    if response.status not in _REDIRECTS or not location:
        return ""
    try:
        return canonicalize(location.decode("latin-1"), response.url)
    except ValueError:
        return ""


def unpack(response: Response) -> bytes:
    """Unpacks the beginning of a body, as far as a form is looked for; b'' for a damaged one."""
    coding = (response.headers.get(b"Content-Encoding") or b"").lower()
    if not coding or coding == b"identity":
        return response.body[:MAX_FORM_BYTES]
    try:
        return decompress(response.body, MAX_FORM_BYTES, cut=True)[0]
    except PageError:
        return b""


def describe(sign: Sign, response: Response) -> str:
    """Describes a sign in words."""
    return sign.format(status=response.status)


def is_tls_alert(error: BaseException | None) -> bool:
    """Tells whether an exchange ended as the host refused the handshake (RFC 8446, 6)."""
    while error is not None:
        reasons = [one.value for one in getattr(error, "reasons", ())]
        if any(isinstance(one, SSL.Error) and "alert" in str(one) for one in (error, *reasons)):
            return True
        error = error.__cause__
    return False
