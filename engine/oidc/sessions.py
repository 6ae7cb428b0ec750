"""Keeps who has signed in: a random id that the browser has, of which we keep a hash alone."""

import json
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

from engine.admin import hash_session_id
from engine.database import VIEWERS, open_side, viewer_sessions, write_side
from engine.oidc.viewer import Viewer

ID_BYTES = 32  # 256 random bits
MAX_SECONDS = 43_200.0  # from sign-in; a working day, after which groups are asked for anew
MAX_SESSIONS = 10_000  # the oldest ends where there are more


@dataclass(frozen=True, slots=True)
class ViewerSessions:
    """The sessions of a data folder, or of all machines that share a server's database.

    `clock` gives seconds since 1970. Its methods read and write a database, so they are for threads; all
    raise Busy and Unreadable.
    """

    location: Path | str
    clock: Callable[[], float] = time.time

    def begin(self, viewer: Viewer, before: str) -> str:
        """Begins a session and returns its id, always a new one; the session `before` ends."""
        session_id, now = secrets.token_urlsafe(ID_BYTES), self.clock()
        row = {
            "id_hash": hash_session_id(session_id),
            "ends_at": now + MAX_SECONDS,
            "member": viewer.user,
            "member_of": json.dumps(sorted(viewer.groups)),
        }
        columns = viewer_sessions.c
        newest = sa.select(columns.id_hash).order_by(columns.ends_at.desc(), columns.id_hash)
        with write_side(self.location, VIEWERS) as connection:
            connection.execute(sa.delete(viewer_sessions).where(columns.ends_at <= now))
            connection.execute(sa.delete(viewer_sessions).where(_is(before)))
            connection.execute(sa.insert(viewer_sessions), row)
            surplus = columns.id_hash.in_(newest.offset(MAX_SESSIONS))
            connection.execute(sa.delete(viewer_sessions).where(surplus))
        return session_id

    def find(self, session_id: str) -> Viewer | None:
        """Finds who began a session that still lives."""
        query = sa.select(viewer_sessions.c.member, viewer_sessions.c.member_of)
        living = query.where(_is(session_id), viewer_sessions.c.ends_at > self.clock())
        with open_side(self.location, VIEWERS) as connection:
            row = connection.execute(living).first()
        return Viewer(row.member, frozenset(json.loads(row.member_of))) if row else None

    def end(self, session_id: str) -> None:
        """Ends a session."""
        with write_side(self.location, VIEWERS) as connection:
            connection.execute(sa.delete(viewer_sessions).where(_is(session_id)))


def _is(session_id: str) -> sa.ColumnElement[bool]:
    return viewer_sessions.c.id_hash == hash_session_id(session_id)
