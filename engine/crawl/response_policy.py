"""Classifies a response by its status (requirements 77-80, 86; RFC 9110, 15) and its owner's directives."""

import re
from collections.abc import Iterable
from dataclasses import replace

from engine.errors import DAMAGED_BODY
from engine.model import Claim, Fetch, State, Visit
from engine.robots import MAX_REDIRECTS
from engine.url import MAX_URL_LENGTH, canonicalize

REDIRECTS = frozenset({301, 302, 303, 307, 308})
SUCCESS = range(200, 300)
PARTIAL = frozenset(
    {206, 226}
)  # of a page, or what changed of it (RFC 9110, 15.3.7; RFC 3229): none was asked for
NO_CONTENT = frozenset({204, 205})  # success without a page (RFC 9110, 15.3.5): what we have of it stands
NO_REDIRECTS = frozenset(
    {304, 305}
)  # nothing has changed; the Location is a proxy's (RFC 9110, 15.4.5, 15.4.6)
UNAVAILABLE = frozenset({0, 429, 503})  # no answer, or "not now": the host wants a rest
HEAD_TOO_LARGE, NO_HTTP, CUT_SHORT = "response head too large", "no HTTP answer", "answer cut short"
LOGIN_FAILED, NEEDS_LOGIN = "its login failed", "it asks for another login"  # the host; a page of it
MAX_TRIES = 3  # visits in a row without an answer before a URL counts as failed
OUT_OF_MEMORY = "too many bytes under way"
PERMANENT_ERRORS = frozenset({HEAD_TOO_LARGE, "too large", DAMAGED_BODY, "not allowed"})
PAGE_ERRORS = PERMANENT_ERRORS | {
    NO_HTTP,
    CUT_SHORT,
    OUT_OF_MEMORY,
    NEEDS_LOGIN,
}  # the page's, not its host's; these may pass

_LEFT = frozenset({"set-cookie", "set-cookie2"})
_VALIDATORS = frozenset({"etag", "last-modified"})
_VALIDATOR = re.compile(r"[ -~]{1,256}").fullmatch  # characters; most have 20 to 40 (RFC 9110, 8.8)


def classify_response(fetch: Fetch) -> Visit:
    """Makes a visit of an answer. Unknown codes count as their class (requirement 78)."""
    status = fetch.status
    if status == 304 and (fetch.claim.etag or fetch.claim.last_modified):
        return Visit(fetch, State.STORED, unchanged=True)
    if status in REDIRECTS or (
        status in range(300, 400) and status not in NO_REDIRECTS and fetch.header("location")
    ):
        return _redirect(fetch)
    if status in SUCCESS and status not in PARTIAL | NO_CONTENT:
        return Visit(fetch, State.STORED)
    if status in (404, 410):
        return Visit(fetch, State.GONE, reason=f"http {status}")
    if not status:
        return Visit(fetch, State.FAILED, reason=fetch.error, again=fetch.error not in PERMANENT_ERRORS)
    again = status == 429 or status >= 500
    return Visit(fetch, State.FAILED, reason=f"http {status}", again=again)


def select_headers(headers: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Drops cookies, which are private, and validators that are not fit to be sent back."""
    return tuple(
        (name, value)
        for name, value in headers
        if name not in _LEFT and (name not in _VALIDATORS or _VALIDATOR(value))
    )


def limit_tries(visit: Visit) -> Visit:
    """Ends the retries of a visit after MAX_TRIES in a row."""
    over = visit.again and visit.fetch.claim.fails + 1 >= MAX_TRIES
    return replace(visit, again=False) if over else visit


def apply_directives(visit: Visit, *, indexable: bool) -> Visit:
    """Reduces a visit to what its owner permits; `indexable`: what robots.txt says."""
    reading = visit.reading
    if reading is None:
        return visit
    if reading.moved_to and visit.fetch.claim.hops < MAX_REDIRECTS:  # META refresh (requirement 82)
        left = None if reading.secrets else reading.strip()
        return replace(visit, state=State.ALIAS, reason="redirect", target=reading.moved_to, reading=left)
    if not (indexable and reading.directives.index):
        return replace(visit, state=State.NOINDEX, reason="noindex")
    return visit


def next_hop(fetch: Fetch) -> Claim | None:
    """Resolves the redirect of a robots.txt; None when it is no http(s) URL, too long or too far."""
    location = fetch.header("location")
    if fetch.status not in REDIRECTS or not location or fetch.claim.hops >= MAX_REDIRECTS:
        return None
    try:
        target = canonicalize(location, fetch.claim.url)
    except ValueError:
        return None
    if len(target) > MAX_URL_LENGTH:
        return None
    return replace(fetch.claim, url=target, hops=fetch.claim.hops + 1, etag="", last_modified="")


def is_unavailable(fetch: Fetch) -> bool:
    """Tells whether the answer says that the host, not only this page, cannot be asked now."""
    return fetch.status in UNAVAILABLE and fetch.error not in PAGE_ERRORS


def is_overloaded(fetch: Fetch) -> bool:
    """Tells whether the answer says that the host is overloaded or broken."""
    return fetch.status == 429 or fetch.status >= 500


def _redirect(fetch: Fetch) -> Visit:
    try:
        target = canonicalize(fetch.header("location"), fetch.claim.url)
    except ValueError:
        return Visit(fetch, State.FAILED, reason="redirect to no URL")
    if len(target) > MAX_URL_LENGTH:  # also of a sitemap, which no rule for pages looks at
        return Visit(fetch, State.FAILED, reason="redirect too long")
    if target == fetch.claim.url or fetch.claim.hops >= MAX_REDIRECTS:
        return Visit(fetch, State.FAILED, reason="redirect loop")
    return Visit(fetch, State.ALIAS, reason="redirect", target=target)
