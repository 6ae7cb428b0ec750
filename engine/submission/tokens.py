"""Keeps the tokens of programs that may have pages recrawled: hashed, for named sites, with URLs an hour.

A token is 256 random bits: nobody finds one by its hash, so that a slow hash would only cost time.
"""

import hmac
import json
import secrets
from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

import sqlalchemy as sa

from engine.database import recrawls, tokens
from engine.errors import EngineError
from engine.store import Extent, Target, parse_target

MARK = "lycosa_"  # how tokens begin, by which scanners of repositories find one that was committed
TOKEN_BYTES = 32
MAX_TOKENS = 100  # each is compared in turn
MAX_NAME = 60  # characters
URLS_PER_HOUR = 1_000  # by default; a site of so many pages may be deployed once an hour
HOUR = 3_600.0


class Token(NamedTuple):
    """A token without its secret; times are seconds since 1970."""

    name: str
    sites: tuple[str, ...]  # hosts and prefixes, as `scrapy recrawl` takes them
    per_hour: int  # URLs
    made_at: float
    used_at: float | None

    def covers(self, target: Target) -> bool:
        """Tells whether all URLs of a target, a URL or a prefix, are of its sites."""
        begins = tuple(begin for site in self.sites for begin in parse_target(site).prefixes)
        return target.text.startswith(begins)


def add_token(ledger: sa.Connection, name: str, sites: Sequence[Target], per_hour: int, now: float) -> str:
    """Adds a token and returns it: it is kept nowhere. Raises EngineError for a name that is taken."""
    if not name.isprintable() or not 0 < len(name) <= MAX_NAME:
        raise EngineError(f"{name!r} is no name for a token: write up to {MAX_NAME} letters")
    known = load_tokens(ledger)
    if name in {one.name for one in known}:
        raise EngineError(f"there is a token {name!r} already; remove it, or choose another name")
    if len(known) >= MAX_TOKENS:
        raise EngineError(f"there are {MAX_TOKENS} tokens, the most that are kept; remove one")
    secret = MARK + secrets.token_urlsafe(TOKEN_BYTES)
    texts = json.dumps([site.text + "*" * (site.extent is Extent.PREFIX) for site in sites])
    row = {"name": name, "digest": _hash(secret), "sites": texts, "per_hour": per_hour, "made_at": now}
    ledger.execute(sa.insert(tokens), {**row, "urls_left": per_hour, "left_at": now})
    return secret


def load_tokens(ledger: sa.Connection) -> list[Token]:
    """Loads all tokens, oldest first."""
    columns = [tokens.c[name] for name in Token._fields]
    rows = ledger.execute(sa.select(*columns).order_by(tokens.c.made_at, tokens.c.name))
    return [Token(name, tuple(json.loads(sites)), *rest) for name, sites, *rest in rows]


def remove_token(ledger: sa.Connection, name: str) -> None:
    """Removes a token, and its requests; what they have queued stays. Raises EngineError for no token."""
    if not ledger.execute(sa.delete(tokens).where(tokens.c.name == name)).rowcount:
        raise EngineError(f"there is no token {name!r}; 'scrapy token list' shows all")
    ledger.execute(sa.delete(recrawls).where(recrawls.c.token == name))


def find_token(ledger: sa.Connection, secret: str, now: float) -> Token | None:
    """Finds the token of a secret, and notes that it was used; compares in constant time."""
    digest, found = _hash(secret), ""
    for name, kept in ledger.execute(sa.select(tokens.c.name, tokens.c.digest)).all():
        if hmac.compare_digest(digest, kept):
            found = name
    ledger.execute(sa.update(tokens).where(tokens.c.name == found).values(used_at=now))
    return next((one for one in load_tokens(ledger) if one.name == found), None)


def spend_urls(ledger: sa.Connection, token: Token, number: int, now: float) -> float:
    """Spends so many URLs of a token's hour; returns 0, or in how many seconds it has them, and spends none.

    A bucket that fills by `per_hour` in an hour; it is kept, so that it holds over processes and machines.
    """
    is_it = tokens.c.name == token.name
    left, at = ledger.execute(sa.select(tokens.c.urls_left, tokens.c.left_at).where(is_it)).one()
    filled = min(token.per_hour, left + max(0.0, now - at) * token.per_hour / HOUR)
    if number > filled:
        return float((number - filled) * HOUR / token.per_hour)
    ledger.execute(sa.update(tokens).where(is_it).values(urls_left=filled - number, left_at=now))
    return 0.0


def _hash(secret: str) -> bytes:
    return sha256(secret.encode("utf-8", "surrogateescape")).digest()
