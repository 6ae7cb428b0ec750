"""Keeps complaints beside the crawl database, for all machines that share that, and pauses their hosts.

The pause is that of `scrapy pause`. It is the complaint's if it began with it: one that the operator has made
before stays when the complaint is closed, and so does one that he has made since. All of this raises Busy and
Unreadable, too.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from engine.complaints.complaint import MAX_ANSWER, MAX_CONTACT, MAX_TEXT, Complaint
from engine.database import COMPLAINTS, complaints, open_side, write_side
from engine.errors import Busy, EngineError, Unreadable
from engine.frontier import load_paused, pause_host, release_host
from engine.model import Message

MAX_OPEN = 1_000  # of all hosts; of one host there is one at a time
MAX_KEPT = 10_000  # the oldest that are closed are forgotten

_ROW = [complaints.c[name] for name in Complaint._fields]
_IS_OPEN = complaints.c.closed_at.is_(None)


def make_complaint(
    location: Path | str, host: str, text: str, contact: str, now: float, *, pauses: bool = True
) -> Complaint:
    """Opens a complaint and pauses its host. Raises EngineError: without text, or while another is open."""
    text, contact = text.strip(), contact.strip()
    if not text:
        raise EngineError(Message("Say what is wrong."))
    if len(text) > MAX_TEXT or len(contact) > MAX_CONTACT:
        raise EngineError(Message("A complaint may have at most {limit} characters.", limit=MAX_TEXT))
    with write_side(location, COMPLAINTS) as connection:
        _require_room(connection, host)
        row = {"host": host, "text": text, "contact": contact, "at": now, "pauses": pauses, "answer": ""}
        insert = sa.insert(complaints).values(row).returning(complaints.c.number)
        number = connection.execute(insert).scalar_one()
        _forget_oldest(connection)
        if pauses:
            with _pass_over_refusal():  # as many are paused as can be: the complaint counts all the same
                pause_host(location, host, now)
    return Complaint(number, host, text, contact, now, pauses)


def close_complaint(location: Path | str, number: int, answer: str, now: float) -> Complaint:
    """Closes a complaint, and ends its pause. Raises EngineError where no such complaint is open."""
    answer = answer.strip()
    if len(answer) > MAX_ANSWER:
        raise EngineError(f"an answer has at most {MAX_ANSWER:,} characters")
    change = sa.update(complaints).where(complaints.c.number == number, _IS_OPEN)
    with write_side(location, COMPLAINTS) as connection:
        row = connection.execute(change.values(answer=answer, closed_at=now).returning(*_ROW)).first()
        if row is None:
            raise EngineError(f"there is no open complaint {number}; 'scrapy complaints' lists them")
        closed = Complaint(*row)
        if has_pause(load_paused(location), closed):
            with _pass_over_refusal():  # somebody has released it meanwhile
                release_host(location, closed.host)
    return closed


def has_pause(paused: Mapping[str, float], complaint: Complaint) -> bool:
    """Tells whether the host is one of the paused (load_paused) since this complaint, and by it."""
    return complaint.pauses and paused.get(complaint.host) == float(f"{complaint.at:.0f}")


def load_open_complaints(location: Path | str) -> list[Complaint]:
    """Loads the open complaints, oldest first."""
    return _load(location, sa.select(*_ROW).where(_IS_OPEN).order_by(complaints.c.number))


def load_complaints(location: Path | str, host: str, most: int) -> list[Complaint]:
    """Loads the last complaints about a host, the newest first."""
    of_host = sa.select(*_ROW).where(complaints.c.host == host)
    return _load(location, of_host.order_by(complaints.c.number.desc()).limit(most))


def load_complaint(location: Path | str, number: int) -> Complaint | None:
    """Loads one complaint, None where there is none."""
    return next(iter(_load(location, sa.select(*_ROW).where(complaints.c.number == number))), None)


def _load(location: Path | str, query: sa.Select[Any]) -> list[Complaint]:
    with open_side(location, COMPLAINTS) as connection:
        return [Complaint(*row) for row in connection.execute(query)]


def _require_room(connection: sa.Connection, host: str) -> None:
    """Raises EngineError while a complaint about the host is open, or too many are."""
    of_host = sa.func.count().filter(complaints.c.host == host)
    total, own = connection.execute(sa.select(sa.func.count(), of_host).where(_IS_OPEN)).one()
    if own:
        raise EngineError(Message("Your complaint before is open still."))
    if total >= MAX_OPEN:
        raise EngineError(Message("Too many complaints are open. Write to the operator."))


def _forget_oldest(connection: sa.Connection) -> None:
    order = (_IS_OPEN.desc(), complaints.c.number.desc())
    oldest = sa.select(complaints.c.number).order_by(*order).offset(MAX_KEPT)
    connection.execute(sa.delete(complaints).where(complaints.c.number.in_(oldest)))


@contextmanager
def _pass_over_refusal() -> Iterator[None]:
    """Goes on without a pause that is refused; where a server is away, nothing of the complaint is done."""
    try:
        yield
    except (Busy, Unreadable):
        raise
    except EngineError:
        pass
