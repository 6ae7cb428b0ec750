"""Interprets an HTTP response to GET /robots.txt: what it permits, and for how long (requirements 104-123).

No network here: who asks follows up to MAX_REDIRECTS hops and hands over the last answer.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from enum import StrEnum
from functools import cached_property, lru_cache

from engine.robots.lines import MAX_ROBOTS_BYTES
from engine.robots.rules import RobotsTxt
from engine.robots.timing import longest_pause, seconds_to_opening

MAX_REDIRECTS = 5  # hops; RFC 9309, 2.3.1.2; C4; pages get the same
DEFAULT_LIFETIME = 86_400.0  # seconds; RFC 9309, 2.4: not more than 24 hours; requirements 118, 119
MAX_LIFETIME = 86_400.0  # seconds; C16
MIN_LIFETIME = 600.0  # seconds; C16
FIRST_PAUSE = 5.0  # seconds; doubles with every failure
MAX_PAUSE = 3_600.0  # seconds
MAX_RETRY_AFTER = 86_400.0  # seconds; a longer wish is asked about again after a day
MAX_CRAWL_DELAY = 300.0  # seconds; C37: a host that asks for more is suspended, and a warning says so
OUTAGE_DAYS = 30  # RFC 9309, 2.3.1.4: "a reasonably long period of time (for example, 30 days)"; C3
MAX_READ = 4  # files whose rules are kept as they were read, for an answer with the same; 12 MB each at most
PARTIAL = (206, 226)  # a part of the file, or what changed of it: the rules in the rest are not known
AUTH_STATUS = ("deny", "allow")
OUTAGE_AFTER = ("stay", "cached", "allow")

_MAX_AGE = re.compile(r"(?:^|[\s,])max-age\s*=\s*\"?(\d{1,9})")
_UNCACHED = re.compile(r"(?:^|[\s,])no-(?:store|cache)\b")


_read = lru_cache(MAX_READ)(RobotsTxt.parse)


class Verdict(StrEnum):
    """What robots.txt permits."""

    OBEY = "obey"  # what its rules say
    ALLOW_ALL = "allow all"
    DISALLOW_ALL = "disallow all"
    DEFER = "defer"  # nothing for now: ask again later


@dataclass(frozen=True, slots=True)
class Policy:
    """The operator's choices where the standards leave one."""

    auth_status: str = "deny"  # what 401 and 403 mean: one of AUTH_STATUS (C1)
    outage_days: int = OUTAGE_DAYS  # for so long a host without a readable robots.txt is only waited for
    outage_after: str = "stay"  # then: one of OUTAGE_AFTER, "cached" means the last good copy (C3)


@dataclass(frozen=True, slots=True)
class RobotsResponse:
    """The last HTTP answer to GET /robots.txt; header names in lower case."""

    status: int | None  # None: there was no answer
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    error: str = ""  # why there was none


@dataclass(frozen=True)
class RobotsState:
    """The known state of one host's robots.txt. Every field is plain, so that it fits a row of a table."""

    verdict: Verdict
    body: bytes  # the last good copy; only OBEY asks its rules
    fetched_at: float  # seconds since 1970, UTC, as all times here
    expires_at: float  # when to ask again
    status: int | None = None
    fails: int = 0  # in a row
    etag: str = ""  # for the conditional request
    last_modified: str = ""
    down_since: float | None = None  # when the first of the failures in a row was
    error: str = ""  # why there was no answer
    ignore_case: bool = False  # to the server `/Private` and `/private` are one: a rule holds for both

    @cached_property
    def rules(self) -> RobotsTxt:
        """The rules in the body, read when first asked for."""
        return self.rules_by()

    def rules_by(self, profile: str = "rfc9309") -> RobotsTxt:
        """Returns the rules by a profile; in lower case where case means nothing: see `normalize`."""
        return _read(self.body.lower() if self.ignore_case else self.body, profile)

    def normalize(self, url: str) -> str:
        """Normalizes a URL as the rules are to be asked about it."""
        return url.lower() if self.ignore_case else url

    @property
    def is_confirmable(self) -> bool:
        """Tells whether a 304 has something to confirm."""
        return self.verdict is Verdict.OBEY or bool(self.etag or self.last_modified)

    def is_fresh(self, now: float) -> bool:
        """Tells whether this may still be used; otherwise robots.txt is requested before anything else."""
        return now < self.expires_at

    def allowed(self, agent: str, url: str) -> bool:
        """Tells whether this robot may fetch this URL now.

        On DEFER nobody may yet: the URL waits, and is kept.
        """
        if self.verdict is Verdict.OBEY:
            return self.rules.allowed(agent, self.normalize(url))
        return self.verdict is Verdict.ALLOW_ALL

    def reason(self, agent: str, url: str) -> str:
        """Explains why, in one line for a person."""
        if self.verdict is not Verdict.OBEY:
            return f"robots.txt {self.outcome}: {self.verdict}"
        reason = self.rules.explain(agent, self.normalize(url))
        return f"robots.txt, line {reason.line}: {reason.rule}" if reason.line else "robots.txt: no rule"

    @property
    def outcome(self) -> str:
        """The outcome of the request, in a few words."""
        if self.status is not None:
            return f"answered {self.status}"
        return f"gave no answer ({self.error})" if self.error else "gave no answer"

    def indexable(self, agent: str) -> bool:
        """Tells whether the owner allows search (Content-Signal: search=no counts as noindex)."""
        return self.verdict is not Verdict.OBEY or self.rules.indexable(agent)

    def crawl_delay(self, agent: str, now: float) -> float | None:
        """Returns the seconds between fetches that the owner asks of this robot now, None if nothing.

        Of a Crawl-delay and the Request-rates of this hour the slowest counts (requirements 186, 187, 191).
        """
        if self.verdict is not Verdict.OBEY:
            return None
        wishes = (self.rules.crawl_delay(agent), longest_pause(self.rules.request_rates(agent), now))
        return max((wish for wish in wishes if wish is not None), default=None)

    def seconds_to_opening(self, agent: str, now: float) -> float:
        """Seconds until the owner receives this robot, 0.0 when he does now (Visit-time; requirement 188)."""
        return seconds_to_opening(self.rules.visit_times(agent), now) if self.verdict is Verdict.OBEY else 0.0

    @property
    def sitemaps(self) -> tuple[str, ...]:
        """The sitemaps that the file names, as written."""
        if self.verdict is not Verdict.OBEY:
            return ()
        return (RobotsTxt.parse(self.body) if self.ignore_case else self.rules).sitemaps


def precompile_rules(body: bytes, agent: str) -> None:
    """Parses the rules for this robot: those of a long file take up to a second, best in a thread."""
    _read(body[: MAX_ROBOTS_BYTES + 1], "rfc9309").allowed(agent, "/")


def verdict_for_status(status: int | None, policy: Policy = Policy()) -> Verdict:
    """Returns what the status permits (RFC 9309, 2.3.1); unknown codes count by class (requirement 78)."""
    if status is None:
        return Verdict.DEFER
    if status in (401, 403):  # C1
        return Verdict.DISALLOW_ALL if policy.auth_status == "deny" else Verdict.ALLOW_ALL
    if status == 429:  # C2
        return Verdict.DEFER
    if 300 <= status < 500:  # a 3xx is a redirect too many: as 404 (C4)
        return Verdict.ALLOW_ALL
    return Verdict.OBEY if 200 <= status < 300 and status not in PARTIAL else Verdict.DEFER  # C3


def interpret_response(
    answer: RobotsResponse, now: float, before: RobotsState | None = None, policy: Policy = Policy()
) -> RobotsState:
    """Returns the state after this answer; `before` is the state before, None on the first visit."""
    expires_at = now + compute_lifetime(answer.headers, now)
    if answer.status == 304 and before and before.is_confirmable:  # requirement 122
        return replace(
            before,
            verdict=Verdict.OBEY,
            fetched_at=now,
            expires_at=expires_at,
            status=200,
            fails=0,
            down_since=None,
            error="",
        )
    decided = verdict_for_status(answer.status, policy)
    if decided is Verdict.DEFER:
        return _defer(answer, now, before, policy)
    if decided is not Verdict.OBEY:  # a 404 may carry rules: they are none (requirement 105)
        return RobotsState(decided, b"", now, expires_at, answer.status)
    return RobotsState(
        verdict=decided,
        body=answer.body[: MAX_ROBOTS_BYTES + 1],  # one more, so that the cut is seen
        fetched_at=now,
        expires_at=expires_at,
        status=answer.status,
        etag=answer.headers.get("etag", ""),
        last_modified=answer.headers.get("last-modified", ""),
    )


def _defer(answer: RobotsResponse, now: float, before: RobotsState | None, policy: Policy) -> RobotsState:
    """Waits longer after each unusable answer; keeps the last good copy (requirements 108, 109, 114)."""
    before = before or RobotsState(Verdict.DEFER, b"", now, now)
    since = now if before.down_since is None else before.down_since
    decided = Verdict.DEFER
    if now - since >= policy.outage_days * 86_400:
        if policy.outage_after == "allow":
            decided = Verdict.ALLOW_ALL
        elif policy.outage_after == "cached" and before.body:
            decided = Verdict.OBEY
    return replace(
        before,
        verdict=decided,
        fetched_at=now,
        expires_at=now + max(retry_pause(before.fails + 1), parse_retry_after(answer.headers, now)),
        status=answer.status,
        fails=before.fails + 1,
        down_since=since,
        error=answer.error,
    )


def compute_lifetime(headers: Mapping[str, str], now: float) -> float:
    """Computes the seconds robots.txt may be used: Cache-Control before Expires, within limits (C16)."""
    control = headers.get("cache-control", "").lower()
    if _UNCACHED.search(control):
        return MIN_LIFETIME
    if age := _MAX_AGE.search(control):
        seconds = float(age[1])
    elif "expires" in headers:  # one that is no date has passed (RFC 9111, 5.3)
        seconds = (_parse_time(headers["expires"]) or 0.0) - (_parse_time(headers.get("date", "")) or now)
    else:
        seconds = DEFAULT_LIFETIME
    return min(max(seconds, MIN_LIFETIME), MAX_LIFETIME)


def retry_pause(fails: int) -> float:
    """Returns the seconds until the next request for a robots.txt that failed so many times in a row."""
    doublings = min(max(fails, 1) - 1, 32)  # more would only overflow
    return min(FIRST_PAUSE * 2.0**doublings, MAX_PAUSE)


def parse_retry_after(headers: Mapping[str, str], now: float) -> float:
    """Parses the seconds for which the server asks to be left alone (RFC 9110, 10.2.3), 0.0 without."""
    wish = headers.get("retry-after", "").strip()
    if wish.isascii() and wish.isdigit():
        return float(min(int(wish[:9]), MAX_RETRY_AFTER))
    return min(max((_parse_time(wish) or now) - now, 0.0), MAX_RETRY_AFTER)


def _parse_time(text: str) -> float | None:
    """Parses an HTTP date to seconds since 1970, None for anything else."""
    try:
        return parsedate_to_datetime(text).timestamp()
    except (ValueError, OverflowError, OSError):
        return None
