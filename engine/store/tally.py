"""Counts what an index must contain: pages by host, and withdrawn URLs."""

from collections.abc import Sequence

import sqlalchemy as sa

from engine.database import changes, hosts, is_among, pages, urls
from engine.store.blocklist import load_blocklist
from engine.store.page_store import LEAVING

_PAGES = (
    sa.select(hosts.c.host, sa.func.count())
    .select_from(pages)
    .join(urls, urls.c.id == pages.c.url_id)
    .join(hosts, hosts.c.id == urls.c.host_id)
    .group_by(hosts.c.host)
)
_LATER = _PAGES.join(changes, changes.c.url == urls.c.url).where(changes.c.seq > sa.bindparam("seq"))
_LEFT = sa.select(urls.c.url).where(is_among(urls.c.url, "wanted"), urls.c.state.in_(LEAVING))


def count_pages_by_host(connection: sa.Connection, seq: int) -> dict[str, int]:
    """Counts the pages of each host, but for those that changed after a sequence number.

    In one transaction, as a crawl may go on meanwhile. Reads an index of all pages, no text.
    """
    counts = {host: int(number) for host, number in connection.execute(_PAGES)}
    for host, number in connection.execute(_LATER, {"seq": seq}):
        counts[host] -= number
    return counts


def count_withdrawn(connection: sa.Connection, wanted: Sequence[str]) -> int:
    """Counts the URLs withdrawn by their owner, their server or the operator.

    That is what state and blocklist know. A URL that nobody knows any more, or that has lost its page
    while its state says that there is one, is not among them.
    """
    if not wanted:
        return 0
    blocklist = load_blocklist(connection)
    gone = {url for url in wanted if blocklist.refuses(url)}
    gone.update(connection.execute(_LEFT, {"wanted": wanted}).scalars())
    return len(gone)
