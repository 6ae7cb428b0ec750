"""`scrapy schedule`: crawls, reads feeds and rebuilds at the cron times of crawl.toml."""

import argparse
import logging
import subprocess
import sys
import time
from datetime import datetime

from apscheduler.schedulers.blocking import BlockingScheduler
from apscheduler.triggers.cron import CronTrigger

from engine import generations
from engine.alerts import LOOK_SECONDS, AlertWatch, Finding, describe_end
from engine.command import LycosaCommand, no_arguments
from engine.commands.crawl import EXIT_UNANSWERED
from engine.commands.rebuild import EXIT_REFUSED
from engine.config import Schedule
from engine.cron import read_triggers
from engine.errors import EngineError
from engine.generations import IndexLocation
from engine.store import CRAWL, FEEDS

logger = logging.getLogger("lycosa")
FAILURES = {EXIT_UNANSWERED: "at least half of the seeds' hosts gave no answer, see their names above"}
JOBS = {CRAWL: ("crawl", "web"), "rebuild": ("rebuild",), FEEDS: ("crawl", "web", "-a", "feeds=1")}


class Command(LycosaCommand):
    """Runs until it is stopped: one job of a kind at a time, each in a process of its own."""

    example = "scrapy schedule"

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "Run crawl, feeds and rebuild at the times of crawl.toml"

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Runs the jobs when they are due. Raises EngineError when crawl.toml names no times."""
        no_arguments(args)
        logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
        logging.getLogger("apscheduler").setLevel(logging.ERROR)
        options = [word for setting in opts.set for word in ("-s", setting)]
        config, scheduler = self.config(), BlockingScheduler()
        watch, at_work = AlertWatch(config, time.time, is_crawling=False), set[str]()
        scheduler.add_job(
            watch.look, "interval", seconds=LOOK_SECONDS, coalesce=True, misfire_grace_time=None
        )
        for name, trigger in triggers(config.schedule).items():
            # What came due while the last one was still at work is made up for once, not each time.
            scheduler.add_job(
                _run_job,
                trigger,
                [scheduler, name, options, watch, at_work],
                id=name,
                coalesce=True,
                max_instances=1,
                misfire_grace_time=None,
            )
            _log_next(name, trigger)
        scheduler.start()


def triggers(schedule: Schedule) -> dict[str, CronTrigger]:
    """Returns when each job runs. Raises EngineError for an invalid time, or when there is none at all."""
    found = read_triggers(schedule)
    if not found:
        raise EngineError(
            "crawl.toml has no [schedule] with times for crawl, feeds or rebuild ('scrapy init' shows how)"
        )
    return found


def _run_job(
    scheduler: BlockingScheduler, name: str, options: list[str], watch: AlertWatch, at_work: set[str]
) -> None:
    """Runs a job; `at_work` are those that run now. A crawl that is at work reads feeds itself."""
    if name == FEEDS and CRAWL in at_work:
        return
    command = [sys.executable, "-m", "scrapy", *JOBS[name], *options]
    logger.info("%s begins", name)
    at_work.add(name)
    try:
        code = subprocess.call(command)  # noqa: S603
    finally:
        at_work.remove(name)
    if code:
        logger.error("%s failed with exit code %d: %s", name, code, FAILURES.get(code, "see above"))
    else:
        logger.info("%s ended with exit code %d", name, code)
    watch.look([_describe_end(name, code, watch.config.index)])
    if job := scheduler.get_job(name):
        _log_next(name, job.trigger)


def _describe_end(name: str, code: int, index: IndexLocation) -> Finding:
    """Describes how a job ended; hosts without an answer and a refused index have alarms of their own."""
    told = code == 0 or (name, code) == ("crawl", EXIT_UNANSWERED)
    if (name, code) == ("rebuild", EXIT_REFUSED):  # also that of an error of ours
        told = generations.refused_generation(index) is not None
    why = (
        f"it was killed by signal {-code}" if code < 0 else f"exit code {code}, see its last line in the log"
    )
    return describe_end(name, "" if told else why, time.time())


def _log_next(name: str, trigger: CronTrigger) -> None:
    due = trigger.get_next_fire_time(None, datetime.now(trigger.timezone))
    logger.info("next %s: %s", name, due.isoformat(" ", "minutes") if due else "never")
