"""Defines a complaint."""

from typing import NamedTuple

MAX_TEXT = 2_000  # characters; what needs more can be mailed
MAX_CONTACT = 200  # characters of an address to answer to
MAX_ANSWER = 2_000  # characters


class Complaint(NamedTuple):
    """What the owner of a host complains about; times are seconds since 1970."""

    number: int
    host: str  # scheme://name[:port]
    text: str
    contact: str  # '' where the answer on the page is enough
    at: float
    pauses: bool  # its owner wants the host to be left alone while it is open
    answer: str = ""
    closed_at: float | None = None  # None while it is open
