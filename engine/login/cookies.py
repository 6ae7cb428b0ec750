"""Keeps the cookies of one host in memory: those of the operator's file, and what the host sets meanwhile."""

import time
from http.cookiejar import Cookie
from pathlib import Path
from typing import Any

from scrapy import Request
from scrapy.http import Response
from scrapy.http.cookies import CookieJar

from engine.errors import EngineError
from engine.login.secrets import read_private_file
from engine.url import host_name

MAX_COOKIES = 50  # of a host; as many as RFC 6265, 6.1 wants a client to keep
MAX_COOKIE_BYTES = 4_096  # of one; the same
_HTTP_ONLY = "#HttpOnly_"  # begins the line of a cookie that no script may read; else # begins a comment
_COLUMNS = 7  # domain, with hosts below it, path, over TLS alone, expires, name, value


class HostCookies:
    """The cookies of one host (scheme, name, port); they are sent to no other, whatever their Domain says."""

    def __init__(self, given: tuple[Cookie, ...] = ()) -> None:
        self._jar = CookieJar()
        for cookie in given:
            self._jar.set_cookie(cookie)

    def add_header(self, request: Request) -> None:
        """Adds the header Cookie to a request, if there is any for its path."""
        self._jar.add_cookie_header(request)

    def take(self, response: Response, request: Request) -> None:
        """Takes the response's cookies out of its headers; what is too long or one too many is dropped."""
        for cookie in self._jar.make_cookies(response, request):
            if len(cookie.name) + len(cookie.value or "") <= MAX_COOKIE_BYTES:
                self._jar.set_cookie_if_ok(cookie, request)
        for cookie in list(self._jar)[MAX_COOKIES:]:
            self._jar.clear(cookie.domain, cookie.path, cookie.name)
        response.headers.pop(b"Set-Cookie", None)


def read_cookie_file(path: Path, host: str, where: str) -> tuple[Cookie, ...]:
    """Reads a host's cookies from a file in Netscape's format, as curl and add-ons of browsers write it.

    Not by http.cookiejar: the 0 that these write for a session's cookie, as logins have them, is a time long
    ago to it. Raises EngineError for a file of another form, and for one without a valid cookie.
    """
    text = read_private_file(path, where).decode("utf-8", "replace")
    name, now, found = host_name(f"{host}/").strip("[]"), time.time(), list[Cookie]()
    for number, written in enumerate(text.splitlines(), 1):
        line = written.removeprefix(_HTTP_ONLY)
        if not line.strip() or line.startswith("#"):
            continue
        parts = line.split("\t")
        if len(parts) != _COLUMNS or not parts[4].isdecimal():
            raise EngineError(
                f"{where}: line {number} of {path} is no cookie; export a cookies.txt in Netscape format"
            )
        domain, below, folder, secure, expires = parts[:5]
        is_valid = expires == "0" or int(expires) > now
        if is_valid and _is_for(domain.removeprefix("."), name, below=below == "TRUE"):
            found.append(_make_cookie(name, folder, parts[5], parts[6], secure=secure == "TRUE"))
    if not found:
        raise EngineError(
            f"{where}: {path} has no valid cookie for {name}; log in with a browser and export it again"
        )
    return tuple(found[:MAX_COOKIES])


def _is_for(domain: str, name: str, *, below: bool) -> bool:
    return name == domain or (below and name.endswith(f".{domain}"))


def _make_cookie(name_of_host: str, folder: str, name: str, value: str, *, secure: bool) -> Cookie:
    """Makes a cookie of this host alone; http.cookiejar adds .local to a name without a dot (RFC 2965, 1)."""
    domain = name_of_host if "." in name_of_host else f"{name_of_host}.local"
    of_host: Any = {"domain": domain, "domain_specified": False, "domain_initial_dot": False}
    rest: Any = {"path": folder, "path_specified": True, "secure": secure, "expires": None, "discard": True}
    none: Any = {"port": None, "port_specified": False, "comment": None, "comment_url": None, "rest": {}}
    return Cookie(0, name, value, **of_host, **rest, **none)
