"""Leases hosts to runs in the crawl database: only the run that holds a lease asks the host.

A lease holds as long as its run lives (engine.store.runs). Who queues URLs of a host that it may not
ask calls for it; the run whose share the host is hears that at its next look.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import sqlalchemy as sa

from engine.database import QUEUED, hosts, is_among, urls
from engine.frontier.host_queue import HostQueue
from engine.frontier.host_share import BUCKETS, HostShare

_KNOWN = (hosts.c.id, hosts.c.host, hosts.c.place, hosts.c.robots, hosts.c.ready_at, hosts.c.rest_until)
_BUCKET = sa.func.coalesce(hosts.c.place, hosts.c.id % sa.literal_column(str(BUCKETS)))
_QUEUED = (urls.c.host_id == hosts.c.id) & QUEUED
# Asked four times a second: building it would cost as much again.
_CALLED = sa.select(hosts.c.host).where(hosts.c.called)
_CALLED_OF_SHARE = _CALLED.where(is_among(_BUCKET, "buckets"))


def take_share(connection: sa.Connection, share: HostShare) -> None:
    """Leases every host of the share that no other living run holds."""
    free = _free(share) & (hosts.c.lease.is_distinct_from(share.run))
    connection.execute(sa.update(hosts).where(free, _of(share)).values(lease=share.run))


class LeasedHost(NamedTuple):
    """A newly leased host with its stored state; `queued`: its number of queued URLs."""

    id: int
    host: str
    place: int | None  # its bucket (engine.frontier.host_share), where its address is known
    robots: bytes | None  # engine.packing.packing
    ready_at: float | None  # seconds since 1970
    rest_until: float | None  # seconds since 1970
    queued: int = 0


def take(connection: sa.Connection, share: HostShare, host_id: int) -> LeasedHost | None:
    """Leases one host; returns None when it is not of the share, or another run holds it."""
    taken = sa.update(hosts).where(hosts.c.id == host_id, _free(share), _of(share)).values(lease=share.run)
    row = connection.execute(taken.returning(*_KNOWN)).first()
    return LeasedHost(*row) if row else None


def load_leased(connection: sa.Connection, share: HostShare) -> Iterator[LeasedHost]:
    """Loads the hosts that a share holds and where URLs wait."""
    query = (
        sa.select(*_KNOWN, sa.func.count())
        .join(urls, _QUEUED)
        .where(hosts.c.lease == share.run, _of(share))
        .group_by(hosts.c.id)
    )
    return (LeasedHost(*row) for row in connection.execute(query))


def count_urls(connection: sa.Connection, host_id: int) -> int:
    """Counts the known URLs of a host."""
    known = sa.select(sa.func.count()).where(urls.c.host_id == host_id)
    return int(connection.execute(known).scalar_one())


def count_queued(connection: sa.Connection, host_id: int) -> int:
    """Counts the queued URLs of a host."""
    waiting = sa.select(sa.func.count()).where(urls.c.host_id == host_id, QUEUED)
    return int(connection.execute(waiting).scalar_one())


def call_for(connection: sa.Connection, host_id: int) -> None:
    """Tells whichever run may ask this host that new URLs of it wait."""
    connection.execute(sa.update(hosts).where(hosts.c.id == host_id).values(called=True))


def load_calls(connection: sa.Connection, share: HostShare) -> list[str]:
    """Loads the hosts of the share that another run has called for."""
    if share.is_whole:
        return list(connection.execute(_CALLED).scalars())
    return list(connection.execute(_CALLED_OF_SHARE, {"buckets": share.buckets}).scalars())


def has_calls(connection: sa.Connection) -> bool:
    """Tells whether a request for a host is pending."""
    return connection.execute(sa.select(hosts.c.id).where(hosts.c.called).limit(1)).first() is not None


def clear_calls(connection: sa.Connection, names: Sequence[str]) -> None:
    """Clears these requests, which were handled."""
    if not names:
        return
    heard = sa.update(hosts).where(hosts.c.host == sa.bindparam("of")).values(called=None)
    connection.execute(heard, [{"of": name} for name in names])


def release(connection: sa.Connection, share: HostShare, busy: Sequence[HostQueue]) -> None:
    """Releases the leases of hosts that are no longer of the share, but for the busy ones."""
    waits = sa.exists().where(_QUEUED)
    left = hosts.c.id.not_in([queue.id for queue in busy]) & ~_of(share)
    returned = sa.update(hosts).where(hosts.c.lease == share.run, left)
    connection.execute(returned.values(lease=None, called=waits))


def release_all(connection: sa.Connection, share: HostShare) -> None:
    """Releases every lease; the other runs see that this one has gone."""
    connection.execute(sa.update(hosts).where(hosts.c.lease == share.run).values(lease=None))


def save_rests(connection: sa.Connection, share: HostShare, queues: Sequence[HostQueue]) -> None:
    """Saves when these of our hosts may be asked again, for the run that asks them next.

    A suspended one may be up again: it is tried once, unless it asked for its rest.
    """
    if queues:
        ours = (hosts.c.id == sa.bindparam("of")) & (hosts.c.lease == share.run)
        rest = sa.update(hosts).where(ours)
        rest = rest.values(ready_at=sa.bindparam("at"), rest_until=sa.bindparam("rest"))
        rows = [
            {
                "of": queue.id,
                "at": None if queue.pause_reason else queue.ready_at,
                "rest": queue.rest_until or None,
            }
            for queue in queues
        ]
        connection.execute(rest, rows)


def save_places(connection: sa.Connection, places: Mapping[int, int]) -> None:
    """Saves the buckets of hosts, by their ids."""
    if places:
        placed = sa.update(hosts).where(hosts.c.id == sa.bindparam("of")).values(place=sa.bindparam("at"))
        connection.execute(placed, [{"of": host, "at": place} for host, place in places.items()])


def load_place(connection: sa.Connection, host_id: int) -> int | None:
    """Loads a host's bucket, which another run may have found meanwhile; None: that of its id."""
    return connection.execute(sa.select(hosts.c.place).where(hosts.c.id == host_id)).scalar()


def _of(share: HostShare) -> sa.ColumnElement[bool]:
    return sa.true() if share.is_whole else _BUCKET.in_(share.buckets)


def _free(share: HostShare) -> sa.ColumnElement[bool]:
    return hosts.c.lease.is_(None) | hosts.c.lease.not_in(share.others)
