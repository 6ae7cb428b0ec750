"""Parses the cron times of [schedule], and computes when a job is due."""

from dataclasses import asdict
from datetime import UTC, datetime

from apscheduler.triggers.cron import CronTrigger

from engine.config import Schedule
from engine.errors import EngineError


def read_triggers(schedule: Schedule) -> dict[str, CronTrigger]:
    """Reads when each job runs. Raises EngineError for an invalid time."""
    found = {}
    for name, cron in asdict(schedule).items():
        try:
            if cron:
                found[name] = CronTrigger.from_crontab(cron)
        except ValueError as error:
            raise EngineError(
                f'[schedule] {name} = "{cron}": {error}; write five fields, "30 3 * * *"'
            ) from error
    return found


def next_time(trigger: CronTrigger, after: float) -> float | None:
    """Computes when a job is due next, after a time in seconds since 1970; None for never."""
    due = trigger.get_next_fire_time(None, datetime.fromtimestamp(after, UTC).astimezone(trigger.timezone))
    return due.timestamp() if due else None
