"""Queries the crawl database about one URL: its state, its page, and links that do not count.

All only read. Times are seconds since 1970, None for what did not happen.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import sqlalchemy as sa

from engine.database import changes, is_among, pages, urls
from engine.formats import HTML, PDF
from engine.model import Flag, Purpose, ScannedPages, State
from engine.packing import unpack_links, unpack_rendered, unpack_scanned
from engine.store.revisit import MISSING_SECONDS, is_due

CHUNK = 500  # URLs looked up in one statement; SQLite takes 999 at least
MAX_ALIASES = 10  # of one URL that are named
MAX_READ = 100_000  # pages of the crawl database whose links are gone through; some 3 seconds


@dataclass(frozen=True, slots=True)
class KnownUrl:
    """One row of the crawl database, as far as it says something to a person."""

    url: str
    state: State
    reason: str  # of the state, in a word or two
    kind: Purpose
    depth: int
    found_at: float
    found_on: str  # the page that led to it first (requirement 16), '' for a seed, a sitemap, a submitted URL
    discovered: int  # URLs that were first found on it
    visited_at: float | None
    status: int | None  # of the last answer, 0 when none came
    fails: int  # visits in a row that brought nothing
    alias_of: str  # '' when it represents itself
    fetched_at: float | None  # of the page in the database, None when there is none
    is_due: bool  # to be visited by the next crawl, if it is not queued anyway
    due_at: float | None  # not to be visited before
    priority: float  # these three by a sitemap; seconds
    modified_at: float | None
    every: float | None
    flag: Flag | None  # its page has nothing to say (requirement 85)
    missing_since: float | None  # of the first visit in a row that found it missing
    scanned: ScannedPages | None = None  # pages of its PDF without text
    rendered: bool = False  # its page was read as its scripts have drawn it

    @property
    def final_after(self) -> float | None:
        """When a visit that misses it again removes its page; None: it has none, or is not missing."""
        if self.missing_since is None or self.fetched_at is None:
            return None
        return self.missing_since + MISSING_SECONDS


class LastVisit(NamedTuple):
    """What the last visit to a known URL has left; `at` is when it was found where there was none yet."""

    state: State
    at: float


class UncountedLinks(NamedTuple):
    """Links to a URL that do not count (requirement 301): its own, and pages that say nofollow."""

    own: int = 0
    nofollow: int = 0


_KNOWN = sa.select(urls.c.url).where(is_among(urls.c.url, "wanted"))


def filter_known(connection: sa.Connection, wanted: Sequence[str]) -> set[str]:
    """Selects those of the URLs that the database has."""
    return {*connection.execute(_KNOWN, {"wanted": wanted}).scalars()} if wanted else set()


def load_state(connection: sa.Connection, url: str) -> State | None:
    """Loads the state of a canonical URL, None for one that was never found."""
    word = connection.execute(sa.select(urls.c.state).where(urls.c.url == url)).scalar()
    return State(word) if word else None


def load_change(connection: sa.Connection, url: str) -> int:
    """Loads the sequence number of the last change of a canonical URL, 0 for one that never had any."""
    return connection.execute(sa.select(changes.c.seq).where(changes.c.url == url)).scalar() or 0


def load_last_visit(connection: sa.Connection, url: str) -> LastVisit | None:
    """Loads the last visit to a canonical URL, None for one that was never found; by indexes alone."""
    at = sa.func.coalesce(urls.c.visited_at, urls.c.found_at)
    row = connection.execute(sa.select(urls.c.state, at).where(urls.c.url == url)).first()
    return LastVisit(State(row[0]), row[1]) if row else None


def load_known_url(connection: sa.Connection, url: str, now: float) -> KnownUrl | None:
    """Loads what is known of a canonical URL, None for one that was never found (requirements 16, 309)."""
    parent, child = urls.alias(), urls.alias()
    discovered = sa.select(sa.func.count()).where(child.c.parent_id == urls.c.id).scalar_subquery()
    query = (
        sa.select(
            *(urls.c[name] for name in _COLUMNS),
            sa.func.coalesce(urls.c.visited_at, pages.c.fetched_at).label("visited_at"),
            sa.func.coalesce(urls.c.alias_of, "").label("alias_of"),
            sa.func.coalesce(parent.c.url, "").label("found_on"),
            discovered.label("discovered"),
            pages.c.fetched_at,
            pages.c.flag,
            sa.case((pages.c.media_type == PDF, pages.c.content)).label("scanned"),
            sa.case((pages.c.media_type == HTML, pages.c.content)).label("rendered"),
            is_due(now).label("is_due"),
        )
        .outerjoin(parent, parent.c.id == urls.c.parent_id)
        .outerjoin(pages, pages.c.url_id == urls.c.id)
        .where(urls.c.url == url)
    )
    row = connection.execute(query).mappings().first()
    if row is None:
        return None
    flag = Flag(row["flag"]) if row["flag"] else None
    scanned = unpack_scanned(row["scanned"]) if row["scanned"] else None
    rendered = bool(row["rendered"]) and unpack_rendered(row["rendered"])
    words = {"state": State(row["state"]), "kind": Purpose(row["kind"]), "flag": flag, "scanned": scanned}
    return KnownUrl(**{**row, **words, "rendered": rendered})


def load_aliases(connection: sa.Connection, url: str) -> tuple[str, ...]:
    """Loads the URLs that this one represents, those known first; MAX_ALIASES at most."""
    query = sa.select(urls.c.url).where(urls.c.alias_of == url).order_by(urls.c.id).limit(MAX_ALIASES)
    return tuple(connection.execute(query).scalars())


def count_uncounted_links(connection: sa.Connection, names: frozenset[str]) -> UncountedLinks:
    """Counts the links that do not count for a URL, by any of its `names` (itself, and its aliases).

    What MAX_READ pages say, those known first.
    """
    own = nofollow = 0
    query = sa.select(urls.c.url, pages.c.content).join(pages, pages.c.url_id == urls.c.id)
    for url, content in connection.execute(query.order_by(pages.c.url_id).limit(MAX_READ)):
        links = unpack_links(content)
        if names.isdisjoint(links.urls):
            continue
        pairs = zip(links.urls, links.nofollow, strict=True)
        unfollowed = [is_nofollow for target, is_nofollow in pairs if target in names]
        if url in names:
            own += len(unfollowed)
        else:
            nofollow += all(unfollowed)
    return UncountedLinks(own, nofollow)


_COLUMNS = (
    "url",
    "state",
    "reason",
    "kind",
    "depth",
    "found_at",
    "status",
    "fails",
    "due_at",
    "priority",
    "modified_at",
    "every",
    "missing_since",
)
