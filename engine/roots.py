"""Keeps where the URLs came from at which a crawl begins: a seed, a submission (requirement 4).

Of all other URLs the page or sitemap that led to them is kept in their own row.
"""

from collections.abc import Mapping
from enum import StrEnum

import sqlalchemy as sa

from engine.config import Root
from engine.database import insert_new, roots, upsert_rows, urls

MAX_SOURCES = 20  # that are counted one by one, those of most roots


class Submitter(StrEnum):
    """Who has a URL visited that neither crawl.toml nor a page names."""

    OPERATOR = "scrapy submit"
    READER = "submissions"
    PROGRAM = "recrawl requests"


def save_seeds(connection: sa.Connection, seeds: Mapping[str, Root]) -> None:
    """Saves where the seeds of a crawl came from, in place of what was known."""
    if not seeds:
        return
    rows = [{"url": url, "source": root.source, "label": root.label} for url, root in seeds.items()]
    save = upsert_rows(roots, "url", ("source", "label"), only_different=True)
    connection.execute(save, rows)


def save_submitted(connection: sa.Connection, url: str, submitter: Submitter) -> None:
    """Saves who had a URL visited; of one that is known already it stays as it is."""
    if not connection.execute(sa.select(urls.c.id).where(urls.c.url == url)).first():
        row = {"url": url, "source": submitter, "label": ""}
        connection.execute(insert_new(roots), row)


def find_root(connection: sa.Connection, url: str) -> Root | None:
    """Finds where a URL came from, None for one to which a page or a sitemap led."""
    query = sa.select(roots.c.source, roots.c.label).where(roots.c.url == url)
    row = connection.execute(query).first()
    return Root(*row) if row else None


def count_roots(connection: sa.Connection) -> dict[str, int]:
    """Counts the roots of each source that the database still has, MAX_SOURCES of them at most."""
    number = sa.func.count()
    query = sa.select(roots.c.source, number).join(urls, urls.c.url == roots.c.url)
    query = query.group_by(roots.c.source)
    rows = connection.execute(query.order_by(number.desc(), roots.c.source).limit(MAX_SOURCES))
    return dict(map(tuple, rows))
