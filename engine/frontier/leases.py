"""Leases hosts to runs in the crawl database: only the run that holds a lease asks the host.

A lease holds as long as its run lives (engine.store.runs). Who queues URLs of a host that it may not
ask calls for it; the run whose share the host is hears that at its next look.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import sqlalchemy as sa

from engine.database import QUEUED, BulkStatement, Given, hosts, is_among, list_table, urls
from engine.frontier.host_queue import HostQueue
from engine.frontier.host_share import BUCKETS, HostShare

# Hosts that change hands in one transaction, between two of which others write: so many take 0.15 s.
HOSTS_AT_ONCE = 1_000

_KNOWN = (hosts.c.id, hosts.c.host, hosts.c.place, hosts.c.robots, hosts.c.ready_at, hosts.c.rest_until)
_BUCKET = sa.func.coalesce(hosts.c.place, hosts.c.id % sa.literal_column(str(BUCKETS)))
_QUEUED = (urls.c.host_id == hosts.c.id) & QUEUED
# Each host by itself: joining the two, a server soon reads and sorts all URLs from end to end.
_WAITING_OF = sa.select(sa.func.count()).where(_QUEUED).scalar_subquery()
# Asked four times a second: building it would cost as much again.
_CALLED = sa.select(hosts.c.host).where(hosts.c.called).limit(sa.bindparam("most"))
_CALL = (
    sa.update(hosts).where(is_among(hosts.c.id, "wanted"), hosts.c.called.is_not(True)).values(called=True)
)
_HEARD = sa.update(hosts).where(is_among(hosts.c.host, "wanted")).values(called=None)
_WAITING = (
    sa.select(urls.c.host_id, sa.func.count().label("waiting"))
    .where(is_among(urls.c.host_id, "wanted"), QUEUED)
    .group_by(urls.c.host_id)
)
# Likewise.
_WANTED = list_table("wanted", hosts.c.id.type)
_KNOWN_URLS = sa.select(sa.func.count()).where(urls.c.host_id == _WANTED.c.value).scalar_subquery()
_COUNTS = sa.select(_WANTED.c.value.label("host_id"), _KNOWN_URLS.label("known"))
_CALLED_OF_SHARE = _CALLED.where(is_among(_BUCKET, "buckets"))


_RELEASE = (
    sa.update(hosts)
    .where(is_among(hosts.c.id, "wanted"), hosts.c.lease == sa.bindparam("run"))
    .values(lease=None, called=sa.exists().where(_QUEUED))
)


def _update_rest(row: Given) -> sa.Update:
    ours = (hosts.c.id == row["of"]) & (hosts.c.lease == row["run"])
    return sa.update(hosts).where(ours).values(ready_at=row["at"], rest_until=row["rest"])


def _update_place(row: Given) -> sa.Update:
    return sa.update(hosts).where(hosts.c.id == row["of"]).values(place=row["at"])


_REST = BulkStatement(
    _update_rest,
    {"of": hosts.c.id, "run": hosts.c.lease, "at": hosts.c.ready_at, "rest": hosts.c.rest_until},
)
_PLACE = BulkStatement(_update_place, {"of": hosts.c.id, "at": hosts.c.place})


def take_share(connection: sa.Connection, share: HostShare) -> frozenset[int]:
    """Leases every host of the share that no other living run holds; returns the ids of the new ones."""
    free = _free(share) & (hosts.c.lease.is_distinct_from(share.run))
    taken = sa.update(hosts).where(free, _of(share)).values(lease=share.run).returning(hosts.c.id)
    return frozenset(connection.execute(taken).scalars())


class MovingHost(NamedTuple):
    """A host that changes hands."""

    id: int
    host: str
    leaves: bool  # it is ours, and of the share of another run; else it is free, and of our share


def find_moving(
    connection: sa.Connection, share: HostShare, after: int, returning: Sequence[int]
) -> list[MovingHost]:
    """Finds the next hosts that change hands, HOSTS_AT_ONCE at most, in the order of their ids.

    `after`: the id of the last that was found before; `returning`: ids of hosts that are of the share again,
    whose lease may not have been released meanwhile.
    """
    leaves = (hosts.c.lease == share.run) & ~_of(share)
    is_new = hosts.c.lease.is_distinct_from(share.run) | is_among(hosts.c.id, returning)
    moving = sa.select(hosts.c.id, hosts.c.host, _of(share).label("stays"))
    moving = moving.where(hosts.c.id > after, leaves | (is_new & _free(share) & _of(share)))
    rows = connection.execute(moving.order_by(hosts.c.id).limit(HOSTS_AT_ONCE))
    return [MovingHost(row.id, row.host, not row.stays) for row in rows]


def load_held(connection: sa.Connection, share: HostShare) -> frozenset[int]:
    """Loads the ids of the hosts that a run has leased."""
    held = sa.select(hosts.c.id).where(hosts.c.lease == share.run)
    return frozenset(connection.execute(held).scalars())


class LeasedHost(NamedTuple):
    """A newly leased host with its stored state; `queued`: its number of queued URLs."""

    id: int
    host: str
    place: int | None  # its bucket (engine.frontier.host_share), where its address is known
    robots: bytes | None  # engine.packing.packing
    ready_at: float | None  # seconds since 1970
    rest_until: float | None  # seconds since 1970
    queued: int = 0


def take(connection: sa.Connection, share: HostShare, host_ids: Sequence[int]) -> list[LeasedHost]:
    """Leases those of these hosts that are of the share, and that no other living run holds."""
    return _take(connection, share, is_among(hosts.c.id, host_ids)) if host_ids else []


def take_waiting(connection: sa.Connection, share: HostShare, host_ids: Sequence[int]) -> list[LeasedHost]:
    """Leases those of these hosts that are of the share and free; returns them with their queued URLs."""
    return _count_waiting(connection, take(connection, share, host_ids))


def load_leased(connection: sa.Connection, share: HostShare) -> Iterator[LeasedHost]:
    """Loads the hosts that a share holds and where URLs wait."""
    query = sa.select(*_KNOWN, _WAITING_OF).where(hosts.c.lease == share.run, _of(share))
    return (known for row in connection.execute(query) if (known := LeasedHost(*row)).queued)


def count_urls(connection: sa.Connection, host_ids: Sequence[int]) -> Mapping[int, int]:
    """Counts the known URLs of hosts, by the hosts' ids."""
    rows = connection.execute(_COUNTS, {"wanted": host_ids}) if host_ids else ()
    return {row.host_id: row.known for row in rows}


def count_queued(connection: sa.Connection, host_id: int) -> int:
    """Counts the queued URLs of a host."""
    waiting = sa.select(sa.func.count()).where(urls.c.host_id == host_id, QUEUED)
    return int(connection.execute(waiting).scalar_one())


def call_for(connection: sa.Connection, host_ids: Sequence[int]) -> None:
    """Tells whichever runs may ask these hosts that new URLs of them wait."""
    if host_ids:
        connection.execute(_CALL, {"wanted": host_ids})


def load_calls(connection: sa.Connection, share: HostShare) -> list[str]:
    """Loads the hosts of the share that another run has called for, HOSTS_AT_ONCE at most."""
    if share.is_whole:
        return list(connection.execute(_CALLED, {"most": HOSTS_AT_ONCE}).scalars())
    wanted = {"buckets": share.buckets, "most": HOSTS_AT_ONCE}
    return list(connection.execute(_CALLED_OF_SHARE, wanted).scalars())


def has_calls(connection: sa.Connection) -> bool:
    """Tells whether a request for a host is pending."""
    return connection.execute(sa.select(hosts.c.id).where(hosts.c.called).limit(1)).first() is not None


def answer_calls(connection: sa.Connection, share: HostShare, names: Sequence[str]) -> list[LeasedHost]:
    """Clears calls for these hosts, and leases those of the share that no other run holds, or none did."""
    if not names:
        return []
    connection.execute(_HEARD, {"wanted": names})
    return _count_waiting(connection, _take(connection, share, is_among(hosts.c.host, names)))


def release(connection: sa.Connection, share: HostShare, host_ids: Sequence[int]) -> None:
    """Releases our leases of these hosts, and calls for whoever may ask them where URLs wait."""
    if host_ids:
        connection.execute(_RELEASE, {"wanted": host_ids, "run": share.run})


def release_all(connection: sa.Connection, share: HostShare) -> None:
    """Releases every lease; the other runs see that this one has gone."""
    connection.execute(sa.update(hosts).where(hosts.c.lease == share.run).values(lease=None))


def save_rests(connection: sa.Connection, share: HostShare, queues: Sequence[HostQueue]) -> None:
    """Saves when these of our hosts may be asked again, for the run that asks them next.

    A suspended one may be up again: it is tried once, unless it asked for its rest.
    """
    rows = [
        {
            "of": queue.id,
            "run": share.run,
            "at": None if queue.pause_reason else queue.ready_at,
            "rest": queue.rest_until or None,
        }
        for queue in queues
    ]
    _REST.execute(connection, rows)


def save_places(connection: sa.Connection, places: Mapping[int, int]) -> None:
    """Saves the buckets of hosts, by their ids."""
    _PLACE.execute(connection, [{"of": host, "at": place} for host, place in places.items()])


def _take(connection: sa.Connection, share: HostShare, some: sa.ColumnElement[bool]) -> list[LeasedHost]:
    taken = sa.update(hosts).where(some, _free(share), _of(share)).values(lease=share.run)
    return [LeasedHost(*row) for row in connection.execute(taken.returning(*_KNOWN))]


def _count_waiting(connection: sa.Connection, taken: Sequence[LeasedHost]) -> list[LeasedHost]:
    """Adds how many URLs of hosts are queued."""
    counts = connection.execute(_WAITING, {"wanted": [known.id for known in taken]}) if taken else ()
    waiting = {row.host_id: row.waiting for row in counts}
    return [known._replace(queued=waiting.get(known.id, 0)) for known in taken]


def _of(share: HostShare) -> sa.ColumnElement[bool]:
    return sa.true() if share.is_whole else is_among(_BUCKET, share.buckets)


def _free(share: HostShare) -> sa.ColumnElement[bool]:
    return hosts.c.lease.is_(None) | hosts.c.lease.not_in(share.others)
