"""Formats an entry of the request log: one JSON object on one line.

What is taken on the crawl's path is a tuple; the line is made of it by the thread that writes.
"""

import json
import re
from datetime import UTC, datetime
from typing import Any, NamedTuple

from engine.model import Fetch, Visit

# Values that let somebody in, by their names: nobody has to see them in a log that is handed on.
_NAME = "token|passw|pwd|secret|key|session|sid|auth|sig|credential"
_IN_PATH = re.compile(rf"(;[^;/=]*(?:{_NAME})[^;/=]*=)[^;/]+", re.IGNORECASE)
_IN_QUERY = re.compile(rf"((?:^|[&;])[^&;=]*(?:{_NAME})[^&;=]*=)[^&;]+", re.IGNORECASE)
_MASK = r"\1***"
_encode = json.JSONEncoder(separators=(",", ":")).encode


class Request(NamedTuple):
    """A request, or a URL whose turn came and that was not requested; times are seconds since 1970."""

    at: float
    kind: str  # engine.model.Purpose
    url: str
    host: str
    status: int  # 0: no answer came, or nothing was sent
    error: str  # why no answer came, or not a whole one
    size: int  # bytes of the answer, as it came
    seconds: float
    address: str  # that answered
    outcome: str
    reason: str
    target: str  # the URL that represents it
    origin: str  # engine.model.Origin
    referrer: str
    replayed: bool


class SkippedUrl(NamedTuple):
    """A URL that never came into the queue, and the rule that kept it out."""

    at: float
    kind: str  # links, sitemap entries, sitemaps
    url: str
    rule: str


def describe_fetch(fetch: Fetch, outcome: str = "", reason: str = "", target: str = "") -> Request:
    """Describes an exchange; costs the crawl a microsecond."""
    claim = fetch.claim
    return Request(
        fetch.at,
        claim.kind,
        claim.url,
        claim.host,
        fetch.status,
        fetch.error,
        fetch.received,
        fetch.seconds,
        fetch.address,
        outcome,
        reason,
        target,
        claim.origin,
        claim.referrer,
        fetch.replayed,
    )


def describe_visit(visit: Visit) -> Request:
    """Describes a visit: what was asked, and what came of it."""
    outcome = "unchanged" if visit.unchanged else visit.state.value
    outcome = "to be tried again" if visit.again else outcome
    return describe_fetch(visit.fetch, outcome, visit.reason, visit.target)


def is_skipped(request: Request) -> bool:
    """Tells whether nothing was sent: a rule spared or forbade it."""
    return not request.status and not request.error


def format_request(request: Request) -> str:
    """Formats the line of a request, or of a URL that was skipped."""
    line: dict[str, Any] = {
        "time": format_moment(request.at),
        "event": "skip" if is_skipped(request) else "request",
        "kind": request.kind,
        "url": mask_secrets(request.url),
        "host": request.host,
    }
    if is_skipped(request):
        line["rule"] = request.reason or request.outcome
    else:
        line |= {"status": request.status, "bytes": request.size, "seconds": round(request.seconds, 3)}
        line |= {"outcome": request.outcome} if request.outcome else {}
        if reason := request.error or request.reason:
            line["reason"] = reason
    named = {
        "target": mask_secrets(request.target),
        "address": request.address,
        "from": request.origin,
        "referrer": mask_secrets(request.referrer),
    }
    line |= {key: text for key, text in named.items() if text}
    return _encode(line | ({"replayed": True} if request.replayed else {}))


def format_skip(skipped: SkippedUrl) -> str:
    """Formats the line of a URL that a rule kept out of the queue."""
    line = {
        "time": format_moment(skipped.at),
        "event": "skip",
        "kind": skipped.kind,
        "url": mask_secrets(skipped.url),
        "rule": skipped.rule,
    }
    return _encode(line)


def format_moment(at: float) -> str:
    """Formats a time with milliseconds: ISO 8601, UTC."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def mask_secrets(url: str) -> str:
    """Masks values of a URL's parameters whose names say that they are keys or sessions."""
    if "=" not in url:
        return url
    path, mark, query = url.partition("?")
    return _IN_PATH.sub(_MASK, path) + mark + _IN_QUERY.sub(_MASK, query)
