"""Elects the URL that represents a cluster of copies, and moves the page to it."""

from collections.abc import Sequence
from typing import NamedTuple

import sqlalchemy as sa

from engine.database import log_change, pages, urls

MOST_CANDIDATES = 1_000  # of one cluster, those with the shortest URLs

# `may_stand`: a copy whose owner asks nothing special of its visitors; what was kept of the page that stands
# for it says nothing of what he asks.
_COPY = "reason IN ('duplicate', 'near-duplicate') AND state = 'alias' AND may_stand"
_CONTESTED = sa.text(f"""
    SELECT DISTINCT alias_of FROM urls WHERE alias_of > :after AND {_COPY} ORDER BY alias_of LIMIT :most
""")  # noqa: S608  (text of ours)
_NAMED = "EXISTS (SELECT 1 FROM urls other WHERE other.alias_of = urls.url AND other.reason = 'canonical')"
_CHOSEN = sa.text("""
    SELECT DISTINCT host_id FROM urls
    WHERE depth = 0 AND parent_id IS NULL AND url NOT IN (SELECT url FROM submissions)
""")
_STANDS = sa.text(f"""
    SELECT url, {_NAMED}, host_id, found_at, COALESCE(listed, FALSE)
    FROM urls JOIN pages ON url_id = urls.id WHERE url = :page AND state = 'stored'
""")  # noqa: S608
_COPIES = sa.text(f"""
    SELECT url, {_NAMED}, host_id, found_at, COALESCE(listed, FALSE)
    FROM urls JOIN hosts ON hosts.id = host_id
    WHERE alias_of = :page AND {_COPY} AND twin IS NULL ORDER BY length(url), url LIMIT {MOST_CANDIDATES}
""")  # noqa: S608
_COLUMNS = ", ".join(column.name for column in pages.c)
_TAKE_OVER = tuple(
    sa.text(statement)
    for statement in (
        "DELETE FROM pages WHERE url_id = (SELECT id FROM urls WHERE url = :page)",
        f"""INSERT INTO pages ({_COLUMNS})
        SELECT {_COLUMNS} FROM copies WHERE url_id = (SELECT id FROM urls WHERE url = :to)""",  # noqa: S608
        "DELETE FROM copies WHERE url_id = (SELECT id FROM urls WHERE url = :to)",
        """UPDATE urls SET state = 'alias', alias_of = :to, may_stand = NULL,
            reason = (SELECT reason FROM urls WHERE url = :to) WHERE url = :page""",
        """UPDATE urls SET alias_of = :to, reason = COALESCE((
            SELECT CASE WHEN copies.fingerprint = pages.fingerprint THEN 'duplicate' ELSE 'near-duplicate' END
            FROM copies JOIN pages ON pages.url_id = (SELECT id FROM urls stands WHERE stands.url = :to)
            WHERE copies.url_id = urls.id
        ), reason)
        WHERE alias_of = :page AND reason IN ('duplicate', 'near-duplicate') AND url != :to""",
        "UPDATE urls SET state = 'stored', alias_of = NULL, reason = '' WHERE url = :to",
    )
)
_HAS_OWN_TEXT = sa.text("SELECT 1 FROM copies JOIN urls ON urls.id = url_id WHERE url = :url")
_READ_AGAIN = sa.text("UPDATE urls SET due_at = NULL, rest = NULL WHERE url = :url")


class Candidate(NamedTuple):
    """A URL that may represent a cluster; `named`: others of its site say by LINK that it should.

    `listed`: its site's sitemap names it; `found_at` in seconds since 1970.
    """

    url: str
    named: bool
    host_id: int
    found_at: float
    listed: bool


def load_seed_hosts(connection: sa.Connection) -> frozenset[int]:
    """Loads the ids of the operator's seed hosts, without those that others submitted."""
    return frozenset(connection.execute(_CHOSEN).scalars())


def find_contested(connection: sa.Connection, after: str, limit: int) -> list[str]:
    """Finds the next URLs that a copy might represent, in alphabetical order."""
    return list(connection.execute(_CONTESTED, {"after": after, "most": limit}).scalars())


def load_candidates(connection: sa.Connection, page: str) -> Sequence[Candidate]:
    """Loads the representative page, then its copies; nothing when it has no text any more."""
    found = [
        Candidate(url, bool(named), host_id, found_at, bool(listed))
        for query in (_STANDS, _COPIES)
        for url, named, host_id, found_at, listed in connection.execute(query, {"page": page})
    ]
    return found if found and found[0].url == page else ()


def promote_copy(connection: sa.Connection, page: str, to: str) -> bool:
    """Makes a copy the page, with its own text, and the page and its other copies those of it.

    Where that text is not there, as in a database of older days, it is due at once, and returns False: no URL
    is shown with the text of another. The index hears of all.
    """
    if not connection.execute(_HAS_OWN_TEXT, {"url": to}).first():
        connection.execute(_READ_AGAIN, {"url": to})
        return False
    connection.execute(
        log_change(sa.select(urls.c.url).where(sa.or_(urls.c.alias_of == page, urls.c.url == page)))
    )
    for statement in _TAKE_OVER:
        connection.execute(statement, {"page": page, "to": to})
    return True
