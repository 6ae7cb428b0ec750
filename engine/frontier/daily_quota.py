"""Limits the pages requested of a host in one day (requirement 44)."""

import sqlalchemy as sa

from engine.database import connect_to_read, urls
from engine.frontier.host_queue import HostQueue
from engine.model import Purpose

DAY = 86_400  # seconds; days begin at midnight UTC


class DailyQuota:
    """Counts from what the database has of the day, so a restart begins no new one.

    `per_day` None: any number. Times are seconds since 1970; memory is a number for each host with a queue.
    """

    def __init__(self, engine: sa.Engine, per_day: int | None) -> None:
        self._engine = engine
        self._per_day = per_day
        self._day = 0
        self._asked: dict[int, int] = {}

    def seconds_to_wait(self, queue: HostQueue, now: float) -> float:
        """Returns the seconds until the next page of a host may be fetched, 0.0 for now."""
        if self._per_day is None:
            return 0.0
        if self._day != (day := int(now // DAY)):
            self._day = day
            self._asked.clear()
        if queue.id not in self._asked:
            self._asked[queue.id] = self._count_visited(queue.id)
        return 0.0 if self._asked[queue.id] < self._per_day else (day + 1) * DAY - now

    def count_request(self, queue: HostQueue) -> None:
        """Counts a request for a page of the host."""
        if queue.id in self._asked:
            self._asked[queue.id] += 1

    def reset(self) -> None:
        """Forgets the counts: other runs may have asked these hosts."""
        self._asked.clear()

    def _count_visited(self, host_id: int) -> int:
        of_today = (urls.c.host_id == host_id) & (urls.c.visited_at >= self._day * DAY)
        count = sa.select(sa.func.count()).where(of_today, urls.c.kind == Purpose.PAGE)
        with connect_to_read(self._engine) as connection:
            return int(connection.execute(count).scalar_one())
