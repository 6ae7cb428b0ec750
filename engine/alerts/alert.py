"""Defines alarms: what a rule has found, and what the operator is told of it."""

import socket
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Literal, NamedTuple

from engine.monitor import legible, span
from engine.report import format_time


class AlertKind(StrEnum):
    """What may be wrong; programs of the operator get these words."""

    HOST_DOWN = "host-down"
    HOSTS_DOWN = "hosts-down"  # half of the seeds' hosts
    ROBOTS_OUTAGE = "robots-outage"
    ROBOTS_FORBID = "robots-forbid"
    LOGIN_FAILED = "login-failed"
    ERROR_RATE = "error-rate"
    STALL = "stall"
    SLOW = "slow"
    FAILED = "failed"
    SILENT = "silent"
    NOT_STARTED = "not-started"
    TRAP = "trap"
    QUARANTINE = "quarantine"
    COMPLAINT = "complaint"
    DISK = "disk"
    MEMORY = "memory"
    INDEX_BEHIND = "index-behind"
    REBUILD_REFUSED = "rebuild-refused"
    TEST = "test"


class Finding(NamedTuple):
    """What a rule says of one subject now: that something is wrong, or is not. Silence changes nothing."""

    kind: AlertKind
    subject: str  # a host, or what runs: crawl, rebuild
    is_wrong: bool
    at: float  # since when it is wrong; or when it was seen to be well, seconds since 1970
    message: str = ""
    advice: str = ""  # what the operator can do
    hold: float = 0.0  # seconds for which it has to be wrong before anybody is told
    mark: str = ""  # what has to stay the same meanwhile


Status = Literal["open", "over", "test"]


class Alert(NamedTuple):
    """An alarm as it is told; times are seconds since 1970."""

    id: str  # the same for all that is told of one alarm
    status: Status
    kind: AlertKind
    subject: str
    since: float
    until: float | None  # None while it is open
    message: str
    advice: str = ""
    times: int = 1  # that it came, each within an hour of its end

    @property
    def line(self) -> str:
        """Describes it in one line."""
        if self.status != "over":
            again = f" (it came {self.times} times in short order)" if self.times > 1 else ""
            return legible(f"{self.message}{again}")
        lasted = span(max((self.until or self.since) - self.since, 0.0))
        came = f", and came {self.times} times" if self.times > 1 else ""
        return legible(f"over, after {lasted}{came}: {self.message}")


def describe_alert(alert: Alert) -> Mapping[str, Any]:
    """Describes an alarm as a JSON object; `text` is what chats show of a webhook's message."""
    lasted = None if alert.until is None else round(max(alert.until - alert.since, 0.0))
    return {
        "id": alert.id,
        "status": alert.status,
        "kind": alert.kind,
        "subject": alert.subject,
        "since": format_time(alert.since),
        "until": None if alert.until is None else format_time(alert.until),
        "seconds": lasted,
        "times": alert.times,
        "message": alert.message,
        "what_to_do": alert.advice,
        "machine": socket.gethostname(),
        "text": f"Lycosa: {alert.line}",
    }
