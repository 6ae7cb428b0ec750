"""Follows an alarm from its first sight to its end: when the operator is told, and when not again.

An alarm is told once it has been seen for as long as its rule wants, and once more when it is over. One that
comes back within REST_SECONDS of its end flaps: it is told when that time is over, if it is there still.
"""

import uuid
from typing import NamedTuple

from engine.alerts.alert import Alert, AlertKind, Finding, Status

REST_SECONDS = 3_600.0  # from the end of an alarm, in which it is not told again
FORGOTTEN_SECONDS = 14 * 86_400.0  # without a word of any rule: its site or job was given up


class AlertRow(NamedTuple):
    """An alarm as it is kept; times are seconds since 1970."""

    kind: str
    subject: str
    id: str
    since: float
    seen_at: float  # when a rule found it first
    judged_at: float  # when a rule spoke of it last, while it was open
    mark: str
    message: str
    advice: str
    is_told: int = 0
    over_at: float | None = None
    quiet_until: float = 0.0  # it came back so soon that nobody is told before
    times: int = 1

    @property
    def is_open(self) -> bool:
        """Tells whether the operator was told of it, and not yet of its end."""
        return bool(self.is_told) and self.over_at is None

    def to_alert(self, status: Status) -> Alert:
        """Makes what is told of it."""
        kind, times = AlertKind(self.kind), self.times
        alert = Alert(self.id, status, kind, self.subject, self.since, self.over_at, self.message)
        return alert._replace(advice=self.advice, times=times)


def advance(row: AlertRow | None, finding: Finding, now: float) -> tuple[AlertRow | None, list[Alert]]:
    """Advances an alarm, None while there is none, by what a rule has found; with what is to be told."""
    if finding.is_wrong:
        return _continue(row, finding, now)
    # What was seen to be well before the alarm was found says nothing of it.
    if row is None or row.over_at is not None or finding.at < row.seen_at:
        return row, []
    return _end(row, finding.at, now)


def forget(row: AlertRow, now: float) -> tuple[AlertRow | None, list[Alert]]:
    """Ends an alarm of which no rule speaks any more, and drops one that ended long ago."""
    if row.over_at is not None:
        return (row if now - row.judged_at < REST_SECONDS else None), []
    if now - row.judged_at < FORGOTTEN_SECONDS:
        return row, []
    return _end(row, now, now)


def _continue(row: AlertRow | None, finding: Finding, now: float) -> tuple[AlertRow, list[Alert]]:
    told: list[Alert] = []
    if row and row.is_open and row.mark != finding.mark:  # it was over meanwhile, and this is the next
        row, told = _end(row, now, now)
    if row is None or row.over_at is not None:
        row = _begin(row, finding, now)
    elif row.mark != finding.mark:
        row = row._replace(since=finding.at, seen_at=now, mark=finding.mark)
    row = row._replace(judged_at=now, message=finding.message, advice=finding.advice)
    if not row.is_told and now >= max(row.seen_at + finding.hold, row.quiet_until):
        row = row._replace(is_told=1)
        told.append(row.to_alert("open"))
    return row, told


def _begin(ended: AlertRow | None, finding: Finding, now: float) -> AlertRow:
    number = uuid.uuid4().hex
    begun = AlertRow(finding.kind, finding.subject, number, finding.at, now, now, finding.mark, "", "")
    if ended is None or ended.over_at is None or now - ended.judged_at >= REST_SECONDS:
        return begun
    return begun._replace(quiet_until=ended.over_at + REST_SECONDS, times=ended.times + 1)


def _end(row: AlertRow, at: float, now: float) -> tuple[AlertRow | None, list[Alert]]:
    """Ends an alarm; of one that nobody was told of, nothing is told."""
    if row.is_told:
        row = row._replace(over_at=at, judged_at=now)
        return row, [row.to_alert("over")]
    if not row.quiet_until:
        return None, []
    return row._replace(over_at=row.quiet_until - REST_SECONDS, judged_at=now), []
