"""Looks whether something is wrong, records it and tells the operator: each minute, and at a crawl's end.

What cannot be looked at, or written, is a line in the log. Nothing here ends a crawl.
"""

import logging
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import closing

from engine.alerts import folder_rules, run_rules
from engine.alerts.alert import Alert, Finding
from engine.alerts.channels import make_channels
from engine.alerts.delivery import deliver
from engine.alerts.ledger import load_open, open_ledger, record_findings
from engine.alerts.sampling import sample_crawl
from engine.config import Config
from engine.database import open_run_locks
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

    def look(self, more: Iterable[Finding] = ()) -> list[Alert]:
        """Judges the data folder, takes up what else was found, and sends what is due; returns the news."""
        folder, now = self.config.data_dir, self._clock()
        channels = make_channels(self.config.alerts)
        told: list[Alert] = []
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with open_ledger(folder) as ledger:
                found = [*more, *self._judge(load_open(ledger), now)]
                told = record_findings(ledger, found, tuple(channels), now)
            for alert in told:
                logger.log(logging.INFO if alert.status == "over" else logging.ERROR, "alarm: %s", alert.line)
            deliver(folder, channels, now)
        except (OSError, *OF_DATABASE) as error:
            ALARM(f"alarms cannot be kept in {folder}: {error}", "alerts")
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
        for rule in (self._judge_machine, self._judge_crawls, self._judge_contents):
            try:
                found += rule(known, now)
            except (EngineError, DamagedError, OSError, *OF_DATABASE) as error:
                ALARM(f"cannot look for what is wrong with {self.config.data_dir}: {error}", rule.__name__)
        return found

    def _judge_machine(self, known: Collection[Alert], now: float) -> Iterator[Finding]:
        config = self.config
        yield from folder_rules.judge_disk(FreeSpace(config.data_dir, config.limits.free_bytes), now)
        yield from folder_rules.judge_memory(now)
        yield from folder_rules.judge_rebuild(config.data_dir, now)
        yield from folder_rules.judge_complaints(config.data_dir, known, now)

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
        folder = self.config.data_dir
        with closing(Store(self.config.database)) as store, store.engine.connect() as connection:
            yield from folder_rules.judge_index(store, folder, now)
            yield from folder_rules.judge_suspects(connection, known, now)
            yield from folder_rules.judge_quarantine(connection, known, now)
