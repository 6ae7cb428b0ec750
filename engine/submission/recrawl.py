"""Queues what a program wants recrawled: known pages, and new ones in scope on hosts that are known."""

from enum import StrEnum

import sqlalchemy as sa

from engine.config import Config
from engine.crawl import SITEMAP_DEPTH
from engine.database import hosts
from engine.errors import EngineError
from engine.roots import Submitter, save_submitted
from engine.store import REMOVED, Extent, Target, queue_recrawl, queue_url
from engine.submission.recrawl_ledger import RecrawlKind
from engine.submission.targets import robots_denial, rule_against, settled_target, sites_written
from engine.url import MAX_URL_LENGTH, host_of, parse_typed_url

PREFIX_END = "*"


class Denial(StrEnum):
    """Why a request for a recrawl is refused."""

    TOKEN = "token"  # noqa: S105 - none is known that is so
    SITE = "site"  # it is no site of the token's
    URL = "url"  # it is no URL
    RULE = "rule"  # a rule of the crawl excludes it, or its owner
    SIZE = "size"  # more URLs than the token has in an hour
    RATE = "rate"  # more URLs than are left
    UNKNOWN = "unknown"  # there is no such request


class RecrawlRefused(EngineError):  # noqa: N818 - says what is so
    """A request for a recrawl is refused; `wait`: seconds until it may be made again, 0 for never."""

    def __init__(self, denial: Denial, why: str = "", wait: float = 0.0) -> None:
        super().__init__(why or denial)
        self.denial, self.why, self.wait = denial, why, wait


def parse_recrawl(typed: str, kind: RecrawlKind, config: Config) -> Target:
    """Parses a URL, or a prefix with * at its end. Raises RecrawlRefused for anything else."""
    if len(typed) > MAX_URL_LENGTH:
        raise RecrawlRefused(Denial.URL, f"the URL is longer than {MAX_URL_LENGTH} characters")
    try:
        if typed.endswith(PREFIX_END) and kind is RecrawlKind.PAGE:
            target = settled_target(typed, config.aliases)
        else:
            target = Target(Extent.URL, parse_typed_url(typed, config.aliases))
    except EngineError as error:
        raise RecrawlRefused(Denial.URL, str(error.__cause__ or error)) from error
    if target.extent is Extent.HOST:
        raise RecrawlRefused(Denial.URL, "a prefix has a scheme and a path: https://www.example.org/docs/*")
    return target


class RecrawlAdmission:
    """Queues targets in the caller's transaction, which is rolled back where one is refused.

    `now`: seconds since 1970.
    """

    def __init__(self, connection: sa.Connection, config: Config, now: float) -> None:
        self._connection, self._config, self._now = connection, config, now
        self._sites = sites_written(connection, config)

    def queue(self, target: Target, kind: RecrawlKind) -> int:
        """Queues a target, and returns how many URLs; pages stay until the visit. Raises RecrawlRefused."""
        known = queue_recrawl(self._connection, target)
        self._require_site(host_of(target.text), is_known=known > 0)
        if target.extent is Extent.URL:
            self._require_permission(target.text, kind)
        elif not known:
            raise RecrawlRefused(Denial.RULE, "no crawl has found a URL that begins so")
        if not known:
            depth = SITEMAP_DEPTH if kind is RecrawlKind.SITEMAP else None
            save_submitted(self._connection, target.text, Submitter.PROGRAM)
            queue_url(self._connection, target.text, self._now, sitemap_depth=depth)
        return known or 1

    def _require_permission(self, url: str, kind: RecrawlKind) -> None:
        """Raises RecrawlRefused for a URL that the operator or its owner keeps out."""
        rule = rule_against(self._connection, self._config, self._sites, url)
        if rule == REMOVED:
            raise RecrawlRefused(Denial.RULE, "the operator has removed it")
        if kind is RecrawlKind.PAGE and rule:
            raise RecrawlRefused(Denial.RULE, f"the crawl's rule {rule} excludes it")
        if why := robots_denial(self._connection, url, self._now):
            raise RecrawlRefused(Denial.RULE, why)

    def _require_site(self, host: str, *, is_known: bool) -> None:
        """Raises RecrawlRefused for a host in no site, and for a new URL of one that no crawl has met."""
        if self._sites and not self._sites.admits(host):
            raise RecrawlRefused(Denial.RULE, "its host is in none of the operator's sites")
        if is_known:
            return
        met = self._connection.execute(sa.select(hosts.c.id).where(hosts.c.host == host)).first()
        if not self._sites or not (met or host in map(host_of, self._sites.seeds)):
            raise RecrawlRefused(Denial.RULE, "no crawl has met its host, and a request adds none")
