"""Keeps the blocklist: what the operator removed, and no crawl requests again (requirements 49, 50)."""

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

import sqlalchemy as sa

from engine.database import blocks
from engine.errors import EngineError
from engine.url import canonicalize, host_name, host_of

_WITH_PATH = re.compile(r"://[^/\\?]*[/\\?]")  # also as browsers read it, with \ for /
_WITH_PORT = re.compile(r"[^/:\[\]]+:\d{1,5}|\[[^]]+\]:\d{1,5}")
# Blocks come, and are undone, but never go. As text, and by indexes alone: each commit of a crawl asks.
_EDITION = sa.text("""
    SELECT coalesce((SELECT max(id) FROM blocks), 0),
        (SELECT count(*) FROM blocks WHERE undone_at IS NOT NULL)
""")


class Extent(StrEnum):
    """How much is removed; the database keeps the word."""

    URL = "URL"
    HOST = "host"
    PREFIX = "prefix"


@dataclass(frozen=True, slots=True)
class Target:
    """A target of a removal: a canonical URL, a URL prefix, a host, or a host name (any scheme and port)."""

    extent: Extent
    text: str

    @property
    def prefixes(self) -> tuple[str, ...]:
        """Returns the beginnings of the URLs that it holds; () for a single URL."""
        if self.extent is Extent.URL:
            return ()
        if self.extent is Extent.PREFIX:
            return (self.text,)
        if "://" in self.text:
            return (f"{self.text}/",)
        return tuple(f"{scheme}://{self.text}{end}" for scheme in ("http", "https") for end in "/:")

    @property
    def hosts(self) -> tuple[str, ...]:
        """Returns the hosts (scheme://name[:port]) of its URLs; of a host name those on default ports."""
        if self.extent is Extent.HOST and "://" not in self.text:
            return (f"http://{self.text}", f"https://{self.text}")
        return (host_of(f"{self.text}/"),)


class Block(NamedTuple):
    """One line of the blocklist; times are seconds since 1970, `undone_at` None while it holds."""

    number: int
    target: Target
    reason: str
    contact: str
    at: float
    undone_at: float | None


@dataclass(frozen=True, slots=True)
class Blocklist:
    """All current blocks, indexed for a lookup of every link."""

    urls: frozenset[str] = frozenset()
    prefixes: tuple[str, ...] = ()  # sorted, and none begins with another
    edition: tuple[int, int] = (0, 0)  # changes with every block that comes or goes

    @classmethod
    def of(cls, targets: Iterable[Target], edition: tuple[int, int] = (0, 0)) -> "Blocklist":
        """Builds the blocklist of these targets."""
        targets = list(targets)
        single = frozenset(target.text for target in targets if target.extent is Extent.URL)
        return cls(
            single, _select_outermost(begin for target in targets for begin in target.prefixes), edition
        )

    def refuses(self, url: str) -> bool:
        """Tells whether a canonical URL is blocked."""
        return url in self.urls or self._covers(url)

    def refuses_host(self, host: str) -> bool:
        """Tells whether all of a host (scheme://name[:port]) is blocked."""
        return self._covers(f"{host}/")

    def _covers(self, url: str) -> bool:
        # Of all prefixes only the last one before the URL can be its own, as none begins with another.
        place = bisect_right(self.prefixes, url)
        return place > 0 and url.startswith(self.prefixes[place - 1])


def _select_outermost(prefixes: Iterable[str]) -> tuple[str, ...]:
    kept: list[str] = []
    for prefix in sorted(prefixes):
        if not (kept and prefix.startswith(kept[-1])):
            kept.append(prefix)
    return tuple(kept)


def parse_target(text: str) -> Target:
    """Parses a target; in doubt the smaller one. Raises EngineError for what is no URL or host."""
    address = text.partition("#")[0]
    try:
        if "://" not in address:
            return Target(Extent.HOST, _parse_name(address))
        if address.endswith("*"):
            return Target(Extent.PREFIX, _parse_prefix(address[:-1]))
        url = _canonicalize_address(address)
    except ValueError as error:
        raise EngineError(
            f"{text!r}: {error}; write a URL (https://www.example.org/page), a host (www.example.org or "
            "https://www.example.org) or a prefix (https://www.example.org/shop/*)"
        ) from error
    return Target(Extent.URL, url) if _WITH_PATH.search(address) else Target(Extent.HOST, host_of(url))


def _parse_name(address: str) -> str:
    """Parses the name of a host: any scheme, any port."""
    if _WITH_PORT.fullmatch(address):
        raise ValueError(f"a port belongs to a scheme: write http://{address} or https://{address}")
    url = _canonicalize_address(f"http://{address}:1/")  # with a second port behind it no address is valid
    if url != f"http://{host_name(url)}:1/":
        raise ValueError("no name of a host")
    return host_name(url)


def _parse_prefix(beginning: str) -> str:
    """Canonicalizes a beginning; x keeps a last dot or half an escape from being mended."""
    if not _WITH_PATH.search(beginning):
        raise ValueError("a prefix without path")
    return _canonicalize_address(f"{beginning}x")[:-1]


def _canonicalize_address(address: str) -> str:
    url = canonicalize(address)
    if "*" in host_of(url):
        raise ValueError("a host with *")
    return url


def add_block(connection: sa.Connection, target: Target, reason: str, contact: str, now: float) -> int:
    """Inserts a block; returns its number."""
    row = {"kind": target.extent, "target": target.text, "reason": reason, "contact": contact, "at": now}
    return int(connection.execute(sa.insert(blocks).returning(blocks.c.id), row).scalar_one())


def lift_block(connection: sa.Connection, number: int, now: float) -> Block:
    """Marks a block as undone; returns it. Raises EngineError when there is no such block now."""
    holds = (blocks.c.id == number) & blocks.c.undone_at.is_(None)
    lifted = sa.update(blocks).where(holds).values(undone_at=now).returning(*blocks.c)
    row = connection.execute(lifted).first()
    if row is None:
        raise EngineError(f"there is no removal {number} in force; 'scrapy remove --list' shows all")
    return _parse_block(row)


def load_blocks(connection: sa.Connection) -> list[Block]:
    """Loads every block there ever was, oldest first."""
    return [_parse_block(row) for row in connection.execute(sa.select(blocks).order_by(blocks.c.id))]


def load_blocklist(connection: sa.Connection, known: Blocklist = Blocklist()) -> Blocklist:
    """Loads the current blocklist; returns `known` itself when it has not changed."""
    last, undone = connection.execute(_EDITION).one()
    if (last, undone) == known.edition:
        return known
    holding = (block.target for block in load_blocks(connection) if block.undone_at is None)
    return Blocklist.of(holding, (last, undone))


def _parse_block(row: sa.Row[Any]) -> Block:
    target = Target(Extent(row.kind), row.target)
    return Block(row.id, target, row.reason, row.contact, row.at, row.undone_at)
