"""`scrapy alerts`: shows the open alarms, and tries the ways by which the operator is told."""

import argparse
from collections.abc import Iterator

from scrapy.exceptions import UsageError

from engine.alerts import (
    Alert,
    describe_alert,
    load_open,
    send_test,
)
from engine.command import LycosaCommand, add_json_option
from engine.config import Config
from engine.database import ALERTS, open_side
from engine.monitor import legible, legible_json
from engine.report import format_time

EXIT_NOT_SENT = 1


class Command(LycosaCommand):
    """Lists what is wrong now, or sends a test alarm by every way of [alerts]."""

    example = "scrapy alerts test"

    def syntax(self) -> str:
        """Returns the command's syntax for --help."""
        return "[options] [test]"

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "Show the open alarms, or send a test alarm"

    def long_desc(self) -> str:
        """Says who looks for alarms, and what the exit codes mean."""
        return (
            "Shows the alarms that are open: what is wrong, since when, and what to do. A crawl and 'scrapy "
            "schedule' look for them each minute and tell whom [alerts] of crawl.toml names, once, and once "
            "more when it is over. 'scrapy alerts test' sends a test alarm by each of these ways and says "
            "what came of it; exit code 1: by at least one it could not be sent."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Adds --json."""
        super().add_options(parser)
        add_json_option(parser)

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Prints the alarms, or the outcome of the test. Raises EngineError without anybody to tell."""
        config = self.config()
        if args == ["test"]:
            self._test(config, as_json=opts.json)
        elif args:
            raise UsageError(f"unexpected {args[0]!r}, write 'test' or nothing", print_help=False)
        else:
            _show(config, as_json=opts.json)

    def _test(self, config: Config, *, as_json: bool) -> None:
        outcomes = send_test(config)
        if any(outcomes.values()):
            self.exitcode = EXIT_NOT_SENT
        if as_json:
            told = [{"channel": name, "sent": not why, "error": why} for name, why in outcomes.items()]
            print(legible_json({"test": told}))
            return
        for name, why in outcomes.items():
            print(legible(f"{name}: {f'could not be sent: {why}' if why else 'sent'}"))


def _show(config: Config, *, as_json: bool) -> None:
    with open_side(config.database, ALERTS) as connection:
        found = load_open(connection)
    if as_json:
        print(legible_json({"alerts": [describe_alert(alert) for alert in found]}))
        return
    print("\n".join(line for alert in found for line in _lines(alert)) or "no alarm is open")


def _lines(alert: Alert) -> Iterator[str]:
    yield legible(alert.line)
    yield f"    {alert.kind}, since {format_time(alert.since)}"
    yield legible(f"    {alert.advice}")
