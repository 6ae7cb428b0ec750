"""Recognises answers to somebody who is not, or no longer, logged in."""

import re
from collections.abc import Callable
from enum import StrEnum
from urllib.parse import urlsplit

from engine.config import Login
from engine.login.form import find_login_form


class Sign(StrEnum):
    """How a host says that it wants a login; a message has the words."""

    STATUS = "it answers {status}"
    REDIRECT = "it redirects to the page that asks for a login"
    FORM = "it shows the form for a login"


# What refuses the credentials that were sent (RFC 9110, 15.5.2, 15.5.4); nginx answers 400 to a certificate
# that it does not know.
_STATUS = {
    "basic": (401,),
    "bearer": (401,),
    "cookies": (401, 403),
    "form": (401, 403),
    "certificate": (400, 401, 403),
}
_ASKS = ("cookies", "form")  # kinds of hosts that ask by a page
# Where hosts send who is not logged in, as far as crawl.toml does not say it.
_LOGIN_PATH = re.compile(
    r"[/_.-](?:(?:log|sign)[-_]?(?:in|on)|sso|saml2?|oauth2?|openid(?:-connect)?|cas|adfs|auth)(?=[/_.-]|$)",
    re.IGNORECASE,
)


def find_sign(login: Login, status: int, target: str, body: Callable[[], bytes]) -> Sign | None:
    """Finds what in an answer asks for a login, None where nothing does.

    `target` is the canonical URL that a redirect leads to, `body` gives the unpacked body.
    """
    if status in _STATUS[login.kind]:
        return Sign.STATUS
    if login.kind not in _ASKS:
        return None
    if target:
        return Sign.REDIRECT if _asks_for_login(login, target) else None
    if status in range(200, 300) and find_login_form(body(), tuple(name for name, _ in login.fields)):
        return Sign.FORM
    return None


def _asks_for_login(login: Login, target: str) -> bool:
    if login.url:
        return target.partition("?")[0].rstrip("/") == login.url.partition("?")[0].rstrip("/")
    return bool(_LOGIN_PATH.search(urlsplit(target).path))
