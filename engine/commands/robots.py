"""`scrapy robots URL`: tells whether a URL may be fetched, by which line, and why."""

import argparse
import json
import sys
from contextlib import nullcontext

from scrapy.exceptions import UsageError
from scrapy.utils.misc import load_object

from engine.command import LycosaCommand, add_json_option
from engine.config import choose, require_contact
from engine.database import open_database
from engine.errors import EngineError
from engine.monitor import count
from engine.report import explain_robots, ruling_lines, ruling_object, ruling_of_host
from engine.robots import AGENT, MAX_ROBOTS_BYTES, PROFILES, RobotsState, RobotsTxt
from engine.store import Store, load_robots
from engine.url import NO_ALIASES, host_of, parse_typed_url

EXIT_DISALLOWED = 1


class Command(LycosaCommand):
    """Decides by a file's rules, or by what the data folder knows of the host.

    Exit code 0 allowed, 1 disallowed.
    """

    example = "scrapy robots https://www.example.org/private/ --file robots.txt"

    def syntax(self) -> str:
        """Returns the command's syntax for --help."""
        return "[options] URL | --refresh HOST"

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "Say whether robots.txt allows a URL, and why"

    def long_desc(self) -> str:
        """Says which rules decide."""
        return (
            "Prints the verdict, the line that decides and why. The rules are those of --file, "
            f"or those that the last crawl found. --profile is one of {', '.join(PROFILES)}. "
            "Exit code 0: allowed, 1: disallowed, 2: no answer."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Adds whose robots.txt is read, for which robot, by which standard."""
        super().add_options(parser)
        parser.add_argument("--agent", default=AGENT, metavar="NAME", help=f"the robot (default: {AGENT})")
        parser.add_argument(
            "--refresh",
            metavar="HOST",
            help="fetch this host's robots.txt now and obey it; pages that it forbids leave the index",
        )
        parser.add_argument("--file", metavar="FILE", help="decide by this robots.txt; - is standard input")
        # Scrapy has a --profile of its own, which this one replaces: its value would start cProfile.
        parser.set_defaults(profile=None)
        parser.add_argument(
            "--profile",
            dest="rules",
            default="rfc9309",
            metavar="P",
            help="the standard to read it by (default: rfc9309)",
        )
        add_json_option(parser)

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Prints the verdict and why. Raises EngineError when there are no rules to decide by."""
        if bool(args) == bool(opts.refresh) or len(args) > 1:
            raise UsageError
        url = parse_typed_url(opts.refresh or args[0], NO_ALIASES)
        profile = choose(opts.rules, tuple(PROFILES), "--profile")
        if opts.refresh:
            self._refresh(host_of(url), quiet=opts.loglevel is None)
        if opts.file is None:
            state = self._known(host_of(url))
            found = ruling_of_host(state, opts.agent, url, profile)
        else:
            state = None
            found = explain_robots(RobotsTxt.parse(_read(opts.file), profile), opts.agent, url)
        # ASCII, because a stranger's text may hold what a terminal takes for orders.
        print(json.dumps(ruling_object(found, state)) if opts.json else "\n".join(ruling_lines(found, state)))
        self.exitcode = 0 if found.allowed else EXIT_DISALLOWED

    def _refresh(self, host: str, *, quiet: bool) -> None:
        """Asks a host now, and obeys. Raises EngineError when no contact is configured."""
        # Here, because a verdict from a file or the database needs no crawl: they take a third of a start.
        from engine.crawl import LOGIN_FAILED, save_refreshed_robots
        from engine.index.indexing import make_follower

        config = self.config()
        require_contact(config, f"the owner of {host}")
        assert self.settings is not None
        spider = self.run_spider(load_object(self.settings["ROBOTS_SPIDER"]), {"host": host}, quiet=quiet)
        if spider.answer.error == LOGIN_FAILED:
            raise EngineError(f"the login to {host} failed: {spider.logins.outcomes[host]}")
        store = Store(config.database)
        follower = make_follower(store, config)
        _, left = save_refreshed_robots(store, spider.answer, config)
        if left:
            follower.catch_up()
        store.close()
        sys.stderr.write(f"{count(left, 'page')} left the index\n")

    def _known(self, host: str) -> RobotsState:
        database = open_database(self.config().database)
        state = load_robots(database, host)
        database.dispose()
        if state is None:
            raise EngineError(
                f"robots.txt of {host} was never fetched: fetch it now with --refresh {host}, "
                "or decide by a file with --file robots.txt"
            )
        return state


def _read(name: str) -> bytes:
    """Reads as much of a file as is ever read of a robots.txt, and one byte more, so that the cut is seen."""
    try:
        with nullcontext(sys.stdin.buffer) if name == "-" else open(name, "rb") as file:
            return file.read(MAX_ROBOTS_BYTES + 1)
    except OSError as error:
        raise EngineError(f"cannot read {name}: {error.strerror}") from error
