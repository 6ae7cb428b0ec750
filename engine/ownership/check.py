"""Looks whether a host shows a value: in a file at its root, else in the head of its front page.

The file is asked for whatever robots.txt says, as robots.txt itself is (RFC 9309, 2.2.2): it exists for us
alone, and an owner who keeps us out is the one who most wants to remove what we have. The front page is an
ordinary page, so that robots.txt decides. A stranger who presses the button causes two requests and no more.
"""

from enum import StrEnum
from typing import NamedTuple

import sqlalchemy as sa

from engine.middleware import Identity, PrivateHosts
from engine.ownership.fetch import FetchError, fetch_small_file
from engine.ownership.mark import file_path, is_in_file, is_in_page
from engine.robots import AGENT, Verdict
from engine.store import select_robots

MAX_FILE_BYTES = 1_024  # the file has 55
MAX_HEAD_BYTES = 64 * 1_024  # in which a head ends; the rest of a front page is not read
SUCCESS = 200  # alone: what a server says instead of a page does not count


class MarkState(StrEnum):
    """What there was in place of the value."""

    SHOWN = "shown"
    STATUS = "status"  # another than 200
    OTHER_TEXT = "other text"
    FORBIDDEN = "forbidden"  # by robots.txt
    REDIRECT = "redirect"  # to another host, or without end
    ADDRESS = "address"  # a private one, that we may not contact
    NO_HOST = "no such host"
    NO_ANSWER = "no answer"


class MarkLook(NamedTuple):
    """One place where the value may stand, and what was there."""

    url: str
    state: MarkState
    status: int = 0


class Question(NamedTuple):
    """What is asked of a host: who asks, and where the value may stand."""

    host: str
    value: str
    identity: Identity
    private: PrivateHosts
    may_ask_page: bool  # by what is known of its robots.txt


def may_ask_page(connection: sa.Connection, host: str) -> bool:
    """Tells whether robots.txt, as it was read last, lets us have the front page."""
    robots = select_robots(connection, host)
    return robots is None or robots.verdict is Verdict.DEFER or robots.allowed(AGENT, f"{host}/")


def look_for_value(asked: Question) -> list[MarkLook]:
    """Looks at the file, and if it is not there at the page; the last look tells."""
    looks = [_look(asked, file_path(asked.value))]
    if looks[0].state is not MarkState.SHOWN:
        page = f"{asked.host}/"
        looks.append(_look(asked, "/") if asked.may_ask_page else MarkLook(page, MarkState.FORBIDDEN))
    return looks


def _look(asked: Question, path: str) -> MarkLook:
    is_page, url = path == "/", f"{asked.host}{path}"
    most = MAX_HEAD_BYTES if is_page else MAX_FILE_BYTES
    try:
        answer = fetch_small_file(url, asked.identity, asked.private, most)
    except FetchError as error:
        return MarkLook(url, MarkState(str(error)))
    if answer.status != SUCCESS:
        return MarkLook(url, MarkState.STATUS, answer.status)
    is_shown = (is_in_page if is_page else is_in_file)(answer.body, asked.value)
    return MarkLook(url, MarkState.SHOWN if is_shown else MarkState.OTHER_TEXT, answer.status)
