"""Defines what may be wrong with a cluster, each with one line that says how to mend it."""

from collections.abc import Mapping
from typing import Any

from engine.errors import EngineError, IndexMissing

PASSWORD_VARIABLE = "LYCOSA_OPENSEARCH_PASSWORD"  # noqa: S105 - the name of a variable
OVERLOADED = 429
_ALL_FULL = "index_create_block_exception"  # no index is made while all disks are above the high watermark
UNAVAILABLE = (
    502,
    503,
    504,
)  # of a proxy, or of a node that lacks its shards or its cluster: another may answer
_TOO_LATE = 408  # a state of the cluster that was waited for has not come
_MAX_REASON = 300  # letters; a reason may quote the whole document


class ClusterError(EngineError):
    """The cluster refuses a request; `status` is HTTP's and `kind` OpenSearch's name of the exception."""

    def __init__(self, message: str, status: int = 0, kind: str = "") -> None:
        super().__init__(message)
        self.status, self.kind = status, kind


class UnavailableError(ClusterError):
    """No node has answered in time, or none can: the same may do in a moment."""


class OverloadedError(UnavailableError):
    """The nodes answer, but take no more at present: 429, or all their disks are full (403)."""


class LoginError(ClusterError):
    """The user is not known, or may not do that."""


class CertificateError(ClusterError):
    """A node's certificate is not trusted, or is another host's."""


class ProductError(ClusterError):
    """What answers is no OpenSearch, or an older one."""


def explain_refusal(location: str, status: int, kind: str, reason: str) -> EngineError:
    """Explains an answer that is an error: of a request, or of one document in a bulk request."""
    why = shorten(reason or kind)
    if status == 401:
        message = f"{location} refuses the login: check its user, and the password in {PASSWORD_VARIABLE}"
        return LoginError(message, status, kind)
    if status == 403 and kind in ("security_exception", ""):
        message = f"{location}: this user lacks a right ({why}): give it to one of the user's roles"
        return LoginError(message, status, kind)
    if kind == "index_not_found_exception":
        return IndexMissing(f"{location}: there is {why}: crawl or rebuild")
    if status == OVERLOADED or kind == _ALL_FULL:
        message = f"{location} is overloaded ({why}): try again in a moment, or add memory, disk or nodes"
        return OverloadedError(message, status, kind)
    if status in UNAVAILABLE or status == _TOO_LATE:
        message = f"{location} cannot answer now ({why}): are enough of its nodes up?"
        return UnavailableError(message, status, kind)
    return ClusterError(f"{location} refuses a request ({kind or status}): {why}", status, kind)


def read_refusal(told: Mapping[str, Any]) -> tuple[str, str]:
    """Reads the exception's name and its reason, of the first shard that refused where several did."""
    causes = told.get("root_cause")
    cause = causes[0] if isinstance(causes, list) and causes and isinstance(causes[0], dict) else told
    return str(told.get("type") or ""), str(cause.get("reason") or told.get("reason") or "")


def shorten(reason: str) -> str:
    """Puts a reason on one line, of some length at most."""
    return " ".join(reason.split())[:_MAX_REASON]
