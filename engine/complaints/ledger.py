"""Keeps complaints in a small database beside the crawl's, and pauses their hosts while they are open.

The pause is that of `scrapy pause`. It is the complaint's if it began with it: one that the operator has made
before stays when the complaint is closed, and so does one that he has made since.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from engine.complaints.complaint import MAX_ANSWER, MAX_CONTACT, MAX_TEXT, Complaint
from engine.errors import EngineError
from engine.folder import open_side_database, transaction
from engine.frontier import load_paused, pause_host, release_host
from engine.model import Message

COMPLAINTS = "complaints.db"  # in the data folder
BUSY_SECONDS = 5.0  # a writer waits this long for another process
MAX_OPEN = 1_000  # of all hosts; of one host there is one at a time
MAX_KEPT = 10_000  # the oldest that are closed are forgotten

_SCHEMA = """
CREATE TABLE IF NOT EXISTS complaints (
    number INTEGER PRIMARY KEY AUTOINCREMENT, host TEXT, text TEXT, contact TEXT, at REAL, pauses INTEGER,
    answer TEXT, closed_at REAL
);
CREATE INDEX IF NOT EXISTS complaints_open ON complaints (host) WHERE closed_at IS NULL;
"""
_COLUMNS = ", ".join(Complaint._fields)


def make_complaint(
    data_dir: Path, host: str, text: str, contact: str, now: float, *, pauses: bool = True
) -> Complaint:
    """Opens a complaint and pauses its host. Raises EngineError: without text, or while another is open."""
    text, contact = text.strip(), contact.strip()
    if not text:
        raise EngineError(Message("Say what is wrong."))
    if len(text) > MAX_TEXT or len(contact) > MAX_CONTACT:
        raise EngineError(Message("A complaint may have at most {limit} characters.", limit=MAX_TEXT))
    with _open_ledger(data_dir) as ledger:
        query = "SELECT count(*), total(host = ?) FROM complaints WHERE closed_at IS NULL"
        total, of_host = ledger.execute(query, (host,)).fetchone()
        if of_host:
            raise EngineError(Message("Your complaint before is open still."))
        if total >= MAX_OPEN:
            raise EngineError(Message("Too many complaints are open. Write to the operator."))
        row = (host, text, contact, now, pauses)
        insert = "INSERT INTO complaints (host, text, contact, at, pauses, answer) VALUES (?, ?, ?, ?, ?, '')"
        number = ledger.execute(insert, row).lastrowid or 0
        oldest = (
            "SELECT number FROM complaints ORDER BY closed_at IS NULL DESC, number DESC LIMIT -1 OFFSET ?"
        )
        ledger.execute(f"DELETE FROM complaints WHERE number IN ({oldest})", (MAX_KEPT,))  # noqa: S608
    if pauses:
        with suppress(EngineError):  # as many hosts are paused as can be: the complaint counts all the same
            pause_host(data_dir, host, now)
    return Complaint(number, host, text, contact, now, pauses)


def close_complaint(data_dir: Path, number: int, answer: str, now: float) -> Complaint:
    """Closes a complaint, and ends its pause. Raises EngineError where no such complaint is open."""
    answer = answer.strip()
    if len(answer) > MAX_ANSWER:
        raise EngineError(f"an answer has at most {MAX_ANSWER:,} characters")
    with _open_ledger(data_dir) as ledger:
        change = "UPDATE complaints SET answer = ?, closed_at = ? WHERE number = ? AND closed_at IS NULL"
        if not ledger.execute(f"{change} RETURNING number", (answer, now, number)).fetchone():
            raise EngineError(f"there is no open complaint {number}; 'scrapy complaints' lists them")
        (closed,) = _select(ledger, "number = ?", number)
    if has_pause(data_dir, closed):
        with suppress(EngineError):  # somebody has released it meanwhile
            release_host(data_dir, closed.host)
    return closed


def has_pause(data_dir: Path, complaint: Complaint) -> bool:
    """Tells whether the host is paused since this complaint, and by it."""
    began = load_paused(data_dir).get(complaint.host)
    return complaint.pauses and began == float(f"{complaint.at:.0f}")


def load_open_complaints(data_dir: Path) -> list[Complaint]:
    """Loads the open complaints, oldest first."""
    return _load(data_dir, "closed_at IS NULL ORDER BY number")


def load_complaints(data_dir: Path, host: str, most: int) -> list[Complaint]:
    """Loads the last complaints about a host, the newest first."""
    return _load(data_dir, "host = ? ORDER BY number DESC LIMIT ?", host, most)


def load_complaint(data_dir: Path, number: int) -> Complaint | None:
    """Loads one complaint, None where there is none."""
    return next(iter(_load(data_dir, "number = ?", number)), None)


def _load(data_dir: Path, condition: str, *values: object) -> list[Complaint]:
    if not (data_dir / COMPLAINTS).exists():
        return []
    with _open_ledger(data_dir) as ledger:
        return _select(ledger, condition, *values)


def _select(ledger: sqlite3.Connection, condition: str, *values: object) -> list[Complaint]:
    rows = ledger.execute(f"SELECT {_COLUMNS} FROM complaints WHERE {condition}", values)  # noqa: S608
    return [Complaint(*row)._replace(pauses=bool(row[5])) for row in rows]


@contextmanager
def _open_ledger(data_dir: Path) -> Iterator[sqlite3.Connection]:
    """Opens the complaints for one transaction, made when they are not there. Raises sqlite3.Error."""
    with open_side_database(data_dir / COMPLAINTS, _SCHEMA, BUSY_SECONDS) as ledger, transaction(ledger):
        yield ledger
