"""Keeps requests for recrawls in a side database, over kills, processes and machines."""

import secrets
from enum import StrEnum
from typing import NamedTuple

import sqlalchemy as sa

from engine.database import recrawls

MAX_REQUESTS = 10_000  # that can be asked about; the oldest are forgotten
ID_BYTES = 12


class RecrawlKind(StrEnum):
    """What the URL of a request is."""

    PAGE = "page"  # or, with * at its end, all pages whose URLs begin so
    SITEMAP = "sitemap"


class RecrawlRequest(NamedTuple):
    """A request that was taken in; `at` in seconds since 1970."""

    id: str
    token: str  # its name
    kind: RecrawlKind
    url: str  # canonical; a prefix with * at its end
    at: float


def save_request(
    ledger: sa.Connection, token: str, kind: RecrawlKind, url: str, now: float
) -> RecrawlRequest:
    """Saves a request under an id that nobody guesses; forgets the oldest beyond MAX_REQUESTS."""
    request = RecrawlRequest(secrets.token_urlsafe(ID_BYTES), token, kind, url, now)
    ledger.execute(sa.insert(recrawls), request._asdict())
    last = sa.select(sa.func.max(recrawls.c.number)).scalar_subquery()
    ledger.execute(sa.delete(recrawls).where(recrawls.c.number <= last - MAX_REQUESTS))
    return request


def load_request(ledger: sa.Connection, token: str, identity: str) -> RecrawlRequest | None:
    """Loads a request of a token, None where it made none of this id."""
    columns = [recrawls.c[name] for name in RecrawlRequest._fields]
    query = sa.select(*columns).where(recrawls.c.id == identity, recrawls.c.token == token)
    row = ledger.execute(query).first()
    return RecrawlRequest(*row)._replace(kind=RecrawlKind(row.kind)) if row else None
