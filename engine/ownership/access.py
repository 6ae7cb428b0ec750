"""Lets the owner of a host in, and nobody else."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass

import sqlalchemy as sa

from engine.admin import end_session
from engine.config import Config
from engine.database import OWNERS, CrawlDatabase, open_side, write_side
from engine.errors import EngineError
from engine.middleware import Identity
from engine.ownership.check import MarkLook, MarkState, Question, look_for_value, may_ask_page
from engine.ownership.known_hosts import find_known_host, private_hosts
from engine.ownership.mark import is_key, make_value
from engine.ownership.proofs import (
    begin_owner_session,
    drop_proof,
    is_proved,
    list_granted_hosts,
    save_proof,
    take_check,
)

BUSY_SECONDS = 5.0  # a stranger waits for the crawl's commit; the longest takes a second


class NotProved(EngineError):  # noqa: N818 - says what is so
    """The host does not show the value; `looks`: what stood in its places, none for what is no key."""

    def __init__(self, looks: Sequence[MarkLook] = ()) -> None:
        super().__init__("not proved")
        self.looks = looks


class CheckedOften(EngineError):  # noqa: N818 - the same
    """The host was asked as often as it is asked in an hour."""

    def __init__(self, seconds: float) -> None:
        super().__init__("checked often")
        self.seconds = seconds


@dataclass(frozen=True, slots=True)
class OwnerAccess:
    """Access to what is known of hosts; `clock` gives seconds since 1970.

    Its methods read and write databases, and `prove` asks a host, so they are for threads; all raise Busy and
    Unreadable.
    """

    config: Config
    identity: Identity
    clock: Callable[[], float] = time.time

    @contextmanager
    def connect(self) -> Iterator[sa.Connection]:
        """Connects to the crawl database for one request, after which nothing of it stays in memory.

        Raises Busy and Unreadable.
        """
        with (
            closing(CrawlDatabase(self.config.database, BUSY_SECONDS)) as database,
            database.open_engine() as engine,
            engine.connect() as connection,
        ):
            yield connection

    def find_host(self, typed: str) -> str:
        """Finds the host that is meant, as scheme://name[:port]. Raises UnknownHost, Busy and Unreadable."""
        with self.connect() as connection:
            return find_known_host(connection, self.config, typed)

    def prove(self, typed: str, key: str, before: str = "") -> tuple[str, str]:
        """Begins a session for the owner of a host; returns its id and the host. The session `before` ends.

        Raises UnknownHost, NotProved, CheckedOften, Busy and Unreadable.
        """
        host, location = self.find_host(typed), self.config.database
        if not is_key(key):
            raise NotProved
        value = make_value(host, key)
        with write_side(location, OWNERS) as connection:
            is_known = is_proved(connection, host, value, self.clock())
            wait = 0.0 if is_known else take_check(connection, host, self.clock())
        if wait:
            raise CheckedOften(wait)
        looks = [] if is_known else look_for_value(self._ask(host, value))
        with write_side(location, OWNERS) as connection:
            now = self.clock()
            if looks and looks[-1].state is not MarkState.SHOWN:
                drop_proof(connection, host, value)
            else:
                if looks:
                    save_proof(connection, host, value, now)
                return begin_owner_session(connection, host, value, before, now), host
        raise NotProved(looks)

    def list_hosts(self, session_id: str) -> list[str]:
        """Lists the hosts that a session may see."""
        if not session_id:
            return []
        with open_side(self.config.database, OWNERS) as connection:
            return list_granted_hosts(connection, session_id, self.clock())

    def log_out(self, session_id: str) -> None:
        """Ends a session."""
        with write_side(self.config.database, OWNERS) as connection:
            end_session(connection, session_id)

    def _ask(self, host: str, value: str) -> Question:
        with self.connect() as connection:
            may_ask = may_ask_page(connection, host)
            return Question(host, value, self.identity, private_hosts(connection, self.config), may_ask)
