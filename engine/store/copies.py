"""Finds pages in the crawl database that have the text of another, or nearly so."""

from collections.abc import Iterator, Mapping, Sequence

import sqlalchemy as sa

from engine.database import NEAR, BulkQuery, Given, pages, urls
from engine.model import COPIES, Page, State
from engine.packing import packing

_KEYS = ("fingerprint", *NEAR)
MOST_SHARING = 64  # pages looked at that share a key; where more do, the key says little
MOST_COMPARED = 4  # pages read to be compared with one, those first that share the last key, or most of them

# As text, or built once: building the statements would cost as much again.
_REPRESENTATIVE = sa.text("""
    SELECT urls.url FROM pages JOIN urls ON urls.id = pages.url_id
    WHERE pages.fingerprint = :fingerprint AND urls.url != :url LIMIT 1
""")
_FINGERPRINT = sa.text("""
    SELECT pages.fingerprint FROM pages JOIN urls ON urls.id = pages.url_id WHERE urls.url = :url
""")
_SHARING = " UNION ALL ".join(
    f"SELECT * FROM (SELECT url_id, {weight} AS weight FROM pages WHERE {name} = :{name} "  # noqa: S608
    f"LIMIT {MOST_SHARING}) AS sharing"
    for name, weight in zip(NEAR, (*[1] * (len(NEAR) - 1), len(NEAR)), strict=True)
)
# What stands for it comes first: which of a crowd it is compared with must not change from night to night.
_STANDING = f"""
    SELECT pages.url_id, {2 * len(NEAR)} AS weight FROM urls
    JOIN urls AS standing ON standing.url = urls.alias_of JOIN pages ON pages.url_id = standing.id
    WHERE urls.url = :url AND urls.reason IN ('duplicate', 'near-duplicate')
"""  # noqa: S608  (a number of ours)
_NEAR = sa.text(f"""
    SELECT url, language, media_type, content FROM (
        SELECT url_id, sum(weight) AS shared FROM ({_SHARING} UNION ALL {_STANDING}) AS keys GROUP BY url_id
    ) AS candidates
    JOIN pages USING (url_id) JOIN urls ON urls.id = pages.url_id
    WHERE url != :url ORDER BY shared DESC, pages.url_id LIMIT {MOST_COMPARED}
""")  # noqa: S608  (names and numbers of ours)
_LEFT: sa.BindParameter[int] = sa.bindparam("left", expanding=True)  # ids of URLs
_GONE = sa.select(urls.c.url).where(
    urls.c.id.in_(_LEFT), urls.c.id.not_in(sa.select(pages.c.url_id).where(pages.c.url_id.in_(_LEFT)))
)
_AGAIN = (
    sa.update(urls)
    .where(
        urls.c.alias_of.in_(sa.bindparam("gone", expanding=True)),
        urls.c.reason.in_(COPIES),
        urls.c.state == State.ALIAS,
    )
    .values(state=State.QUEUED, due_at=None, fails=0, hops=0)
    .returning(urls.c.url)
)


def _select_shared(row: Given) -> sa.Select[tuple[int]]:
    others = pages.c.url_id != row["id"]
    shares = (sa.exists().where(pages.c[name] == row[name], others) for name in _KEYS)
    return sa.select(row["id"]).where(sa.or_(*shares))


_SHARED = BulkQuery(_select_shared, {"id": pages.c.url_id, **{name: pages.c[name] for name in _KEYS}})


def find_shared(
    connection: sa.Connection, fingerprints: Mapping[int, bytes], near: Mapping[int, Sequence[int]]
) -> set[int]:
    """Finds which of these URLs (ids) may have another page's text: one that shares a key with it is there.

    For many at once: on a server each statement is a way there and back. `near` has keys or () of each.
    """
    none = [None] * len(NEAR)
    rows = [
        {"id": number, "fingerprint": text, **dict(zip(NEAR, near[number] or none, strict=True))}
        for number, text in fingerprints.items()
    ]
    return set(_SHARED.execute(connection, rows))


def find_representative(connection: sa.Connection, fingerprint: bytes, url: str) -> str:
    """Finds the URL of another page with this text, '' when there is none (requirement 55)."""
    return connection.execute(_REPRESENTATIVE, {"fingerprint": fingerprint, "url": url}).scalar() or ""


def find_fingerprint(connection: sa.Connection, url: str) -> bytes:
    """Finds the fingerprint of a stored page, b'' when it has none."""
    return bytes(connection.execute(_FINGERPRINT, {"url": url}).scalar() or b"")


def find_near_duplicates(connection: sa.Connection, keys: Sequence[int], url: str) -> Iterator[Page]:
    """Yields pages that may be nearly the same, the likeliest first; MOST_COMPARED at most.

    The first is the one that represents the URL as its copy, if there is one. `keys` are those of
    engine.text.duplicates, one a column: seven steps into indexes, however many pages there are.
    """
    if not keys:
        return
    sought = {**dict(zip(NEAR, keys, strict=True)), "url": url}
    for row in connection.execute(_NEAR, sought).mappings().all():
        yield packing.unpack(row["content"], dict(row))


def requeue_copies(connection: sa.Connection, departed: Sequence[int]) -> list[str]:
    """Queues the copies of URLs (ids) whose page has left: one of them may stand now.

    Returns the URLs that are queued.
    """
    gone = connection.execute(_GONE, {"left": departed}).scalars().all()
    return list(connection.execute(_AGAIN, {"gone": gone}).scalars())
