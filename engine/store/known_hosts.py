"""Queries and updates the crawl database for one host."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import sqlalchemy as sa

from engine.database import hosts, is_among, upsert, urls
from engine.model import Purpose, State, Visit
from engine.packing import pack_robots, unpack_robots
from engine.robots import RobotsState
from engine.url import is_public, machine_network, registrable_domain

CUT_SHORT = 0  # in the place of a round's number, which is a run's


class ErrorPage(NamedTuple):
    """What a host returns, with status 200, for a missing page."""

    shape: bytes  # engine.text.duplicates.fingerprint
    url: str  # the URL to which it sends who asks for one, '' when it shows it in place
    at: float  # when it was asked, seconds since 1970


_ROBOTS = sa.select(hosts.c.host, hosts.c.robots).where(
    is_among(hosts.c.host, "wanted"), hosts.c.robots.is_not(None)
)
_AT_MACHINE = (
    sa.update(hosts)
    .where(hosts.c.host == sa.bindparam("of"), hosts.c.machine.is_distinct_from(sa.bindparam("at")))
    .values(machine=sa.bindparam("at"))
)


def load_robots(engine: sa.Engine, host: str) -> RobotsState | None:
    """Loads the last answer to the host's robots.txt, None when it was never fetched (requirement 120)."""
    with engine.connect() as connection:
        return select_robots(connection, host)


def select_robots(connection: sa.Connection, host: str) -> RobotsState | None:
    """Loads the same as load_robots(), within a transaction."""
    return select_robots_of(connection, [host]).get(host)


def select_robots_of(connection: sa.Connection, names: Sequence[str]) -> Mapping[str, RobotsState]:
    """Loads the same of several hosts, of those that were asked for it."""
    rows = connection.execute(_ROBOTS, {"wanted": names})
    return {row.host: unpack_robots(row.robots) for row in rows}


def save_robots(connection: sa.Connection, host: str, state: RobotsState, *, refreshed: bool = False) -> int:
    """Saves an answer; returns the host's id. `refreshed`: not the crawl asked, so that it has to look."""
    row = {
        "host": host,
        "domain": registrable_domain(f"{host}/"),
        "robots": pack_robots(state),
        "refreshed": refreshed,
    }
    keep = upsert(hosts, "host", row, row).returning(hosts.c.id)
    number: int = connection.execute(keep).scalar_one()
    return number


def load_rest_until(connection: sa.Connection, host: str) -> float:
    """Loads until when the host asked not to be asked, seconds since 1970; 0.0 when it did not."""
    return connection.execute(sa.select(hosts.c.rest_until).where(hosts.c.host == host)).scalar() or 0.0


def load_error_page(connection: sa.Connection, host: str) -> ErrorPage | None:
    """Loads the host's error page as last seen, None when it has none or was not asked."""
    columns = (hosts.c.soft_shape, hosts.c.soft_page, hosts.c.soft_at)
    row = connection.execute(sa.select(*columns).where(hosts.c.host == host)).first()
    return ErrorPage(*row) if row and row.soft_shape else None


def save_error_page(connection: sa.Connection, host: str, answer: ErrorPage | None) -> None:
    """Saves what a known host returns for a missing page; None: a proper error status."""
    shape, page, at = answer or (None, None, None)
    kept = sa.update(hosts).where(hosts.c.host == host)
    connection.execute(kept.values(soft_shape=shape, soft_page=page, soft_at=at))


def count_pages_and_useless(connection: sa.Connection, host_id: int) -> tuple[int, int]:
    """Counts a host's URLs with a page of their own, and those that are copies or errors."""
    useless = (urls.c.state == State.ALIAS) & (urls.c.reason == "duplicate")
    useless |= urls.c.state.in_((State.GONE, State.FAILED))
    total = (sa.func.count().filter(which) for which in (urls.c.state == State.STORED, useless))
    query = sa.select(*total).where(urls.c.host_id == host_id, urls.c.kind == Purpose.PAGE)
    row = connection.execute(query).one()
    return row[0], row[1]


def find_hosts_with_pages(connection: sa.Connection) -> Iterator[str]:
    """Finds the hosts of which there are pages that can be found."""
    is_stored = sa.exists().where(urls.c.host_id == hosts.c.id, urls.c.state == State.STORED)
    yield from connection.execute(sa.select(hosts.c.host).where(is_stored).order_by(hosts.c.id)).scalars()


def request_recheck(connection: sa.Connection, host_id: int) -> None:
    """Requests that all pages of a host are checked again, from the first."""
    connection.execute(sa.update(hosts).where(hosts.c.id == host_id).values(rechecked=0))


def find_host_to_recheck(
    connection: sa.Connection, condition: sa.ColumnElement[bool]
) -> tuple[int, bytes] | None:
    """Finds a host with pages still to be judged by new rules: its id, and these, packed."""
    query = sa.select(hosts.c.id, hosts.c.robots).where(hosts.c.rechecked.is_not(None), condition)
    row = connection.execute(query.limit(1)).first()
    return (row.id, row.robots) if row else None


def mark_cut_short(connection: sa.Connection, numbers: Sequence[int]) -> None:
    """Notes that the round of these hosts (ids) ended in the middle: the next run goes on with it."""
    if numbers:
        these = sa.update(hosts).where(hosts.c.id == sa.bindparam("of")).values(round=CUT_SHORT)
        connection.execute(these, [{"of": number} for number in numbers])


def take_refreshed_robots(connection: sa.Connection) -> Iterator[tuple[str, RobotsState]]:
    """Takes the hosts whose answer was refreshed from elsewhere since the last look, each once."""
    rows = connection.execute(sa.select(hosts.c.host, hosts.c.robots).where(hosts.c.refreshed)).all()
    if rows:
        connection.execute(sa.update(hosts).where(hosts.c.refreshed).values(refreshed=False))
    return ((host, unpack_robots(packed)) for host, packed in rows)


def save_machines(connection: sa.Connection, visits: Sequence[Visit]) -> None:
    """Saves at which public addresses the hosts of these visits answered."""
    answered = {visit.fetch.claim.host: visit.fetch.address for visit in visits}
    rows = [
        {"of": host, "at": machine_network(address)}
        for host, address in answered.items()
        if is_public(address)
    ]
    if rows:
        connection.execute(_AT_MACHINE, rows)
