"""Looks whether something is wrong, records it and tells the operator: each minute, and at a crawl's end.

What cannot be looked at, or written, is a line in the log. Nothing here ends a crawl.
"""

import logging
import socket
from collections.abc import Callable, Collection, Iterator
from contextlib import closing

from engine.alerts import folder_rules, run_rules
from engine.alerts.alert import Alert, Finding
from engine.alerts.channels import make_channels
from engine.alerts.delivery import deliver, send_unkept
from engine.alerts.ledger import load_open, record_findings
from engine.alerts.sampling import sample_crawl
from engine.config import Config
from engine.database import ALERTS, open_run_locks, open_side, write_side
from engine.errors import DamagedError, EngineError
from engine.folder import OF_DATABASE, FreeSpace
from engine.monitor import ALARM
from engine.store import Store

LOOK_SECONDS = 60.0  # between two looks; requirement 62

logger = logging.getLogger("lycosa")


class AlertWatch:
    """Watches one data folder. `clock` gives seconds since 1970.

    `is_crawling`: this process does a crawl, so that it says of none that it is silent.
    """

    def __init__(self, config: Config, clock: Callable[[], float], *, is_crawling: bool) -> None:
        self.config, self._clock, self._is_crawling = config, clock, is_crawling
        self._since = clock()
        place = f" on {socket.gethostname()}, {config.data_dir.absolute()}"
        self._machine = place if config.database_url else ""

    def look(self, more: Collection[Finding] = ()) -> list[Alert]:
        """Judges folder and crawl, takes up what else was found, and sends what is due; returns the news."""
        location, now = self.config.database, self._clock()
        channels = make_channels(self.config.alerts)
        told: list[Alert] = []
        try:
            with open_side(location, ALERTS) as connection:
                known = load_open(connection)
            found = [*more, *self._judge(known, now)]
            with write_side(location, ALERTS) as connection:
                told = record_findings(connection, found, tuple(channels), now)
            for alert in told:
                logger.log(logging.INFO if alert.status == "over" else logging.ERROR, "alarm: %s", alert.line)
            deliver(location, channels, now)
        except (EngineError, OSError, *OF_DATABASE) as error:
            ALARM(f"alarms cannot be kept in {location}: {error}", "alerts")
            send_unkept(more, channels)
        self._sample(now)
        return told

    def _sample(self, now: float) -> None:
        try:
            sample_crawl(self.config, now)
        except (EngineError, DamagedError, OSError, *OF_DATABASE) as error:
            ALARM(f"the plots of the operator's pages lack a minute: {error}", "samples")

    def _judge(self, known: Collection[Alert], now: float) -> list[Finding]:
        """Asks every rule; one that cannot read what it needs is passed over."""
        found: list[Finding] = []
        for rule in (self._judge_machine, self._judge_complaints, self._judge_crawls, self._judge_contents):
            try:
                found += rule(known, now)
            except (EngineError, DamagedError, OSError, *OF_DATABASE) as error:
                ALARM(f"cannot look for what is wrong with {self.config.data_dir}: {error}", rule.__name__)
        return found

    def _judge_machine(self, known: Collection[Alert], now: float) -> Iterator[Finding]:
        config = self.config
        space = FreeSpace(config.data_dir, config.limits.free_bytes)
        yield from map(self._name_machine, folder_rules.judge_disk(space, now))
        yield from map(self._name_machine, folder_rules.judge_memory(now))
        yield from map(self._name_machine, folder_rules.judge_rebuild(config.index, now))

    def _judge_complaints(self, known: Collection[Alert], now: float) -> Iterator[Finding]:
        yield from folder_rules.judge_complaints(self.config.database, known, now)

    def _name_machine(self, finding: Finding) -> Finding:
        """Names the machine where several share their alarms: one that is well ends no alarm of another."""
        if not self._machine:
            return finding
        message = f"{finding.message}{self._machine}" if finding.message else ""
        return finding._replace(subject=f"{finding.subject}{self._machine}".strip(), message=message)

    def _judge_crawls(self, known: Collection[Alert], now: float) -> Iterator[Finding]:
        config = self.config
        with closing(Store(config.database)) as store, store.engine.connect() as connection:
            yield from run_rules.judge_ends(connection)
            yield from run_rules.judge_starts(connection, config, known, self._since, now)
            yield from run_rules.judge_progress(connection, config, now)
            if not self._is_crawling:
                with closing(open_run_locks(config.database)) as locks:
                    yield from run_rules.judge_signs_of_life(connection, locks.is_locked, now)

    def _judge_contents(self, known: Collection[Alert], now: float) -> Iterator[Finding]:
        with closing(Store(self.config.database)) as store, store.engine.connect() as connection:
            yield from map(self._name_machine, folder_rules.judge_index(store, self.config.index, now))
            yield from folder_rules.judge_suspects(connection, known, now)
            yield from folder_rules.judge_quarantine(connection, known, now)
