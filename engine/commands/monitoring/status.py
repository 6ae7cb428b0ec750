"""`scrapy status`: summarises what the data folder holds."""

import argparse
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from itertools import islice

from engine.command import LycosaCommand, add_json_option, no_arguments
from engine.config import Config
from engine.database import CrawlDatabase
from engine.errors import IndexMissing, Unreadable
from engine.history import HISTORY, HostRow, load_host_rows, open_history
from engine.monitor import legible, legible_json
from engine.report import census_lines, census_object, crawl_progress, host_lines, host_object
from engine.search import SearchService, SeenIndex
from engine.store import Store
from engine.workers import describe_fences, probe_fences

NOBODY = "no host was asked yet"
MAX_LISTED = 50  # hosts on the terminal, those of most requests


class Command(LycosaCommand):
    """Prints the census (requirement 17), for people or as JSON."""

    example = "scrapy status --json"

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "Show what was crawled and indexed so far"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Adds --json."""
        super().add_options(parser)
        add_json_option(parser)
        parser.add_argument(
            "--hosts", action="store_true", help="what each host answered in this crawl, or the last"
        )

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Prints the census. Raises EngineError when the data folder cannot be read."""
        no_arguments(args)
        config = self.config()
        if opts.hosts:
            _print_hosts(config, as_json=opts.json)
            return
        store = Store(config.database)
        census = census_object(store, config.index, _list_damage(config))
        store.close()
        print(legible_json(census) if opts.json else "\n".join(map(legible, census_lines(census))))
        if not opts.json:
            print(f"{'readers':<14}confined by {describe_fences(probe_fences())}")
        self.tell_damage(census["damaged"])


def _list_damage(config: Config) -> Sequence[str]:
    """Lists what answers are without; nothing where there is no index."""
    with (
        closing(SearchService(config.data_dir, index=SeenIndex(config.index))) as search,
        suppress(IndexMissing),
    ):
        return search.list_damage()
    return ()


def _print_hosts(config: Config, *, as_json: bool) -> None:
    """Prints the counts of each host (requirement 86), a row at a time."""
    if not (config.data_dir / HISTORY).exists():
        print('{"hosts": []}' if as_json else NOBODY)
        return
    is_running = _is_crawl_running(config)
    with open_history(config.data_dir) as connection:
        rows = load_host_rows(connection, time.time())
        if as_json:
            print('{"hosts": [', end="")
            for number, row in enumerate(rows):
                print(
                    ", " if number else "",
                    legible_json(host_object(row, is_running=is_running)),
                    sep="",
                    end="",
                )
            print("]}")
        else:
            _print_table(rows, is_running=is_running)


def _is_crawl_running(config: Config) -> bool:
    """Tells whether a crawl gave a sign of life of late; none, as far as a damaged database can say."""
    with closing(CrawlDatabase(config.database)) as database, suppress(Unreadable):
        return crawl_progress(database) is not None
    return False


def _print_table(rows: Iterator[HostRow], *, is_running: bool) -> None:
    listed = list(islice(rows, MAX_LISTED))
    if listed and not is_running:
        print("no crawl is running; in the last one:")
    lines = [line for row in listed for line in host_lines(row, is_running=is_running)]
    print("\n".join(lines) or NOBODY)
    if more := sum(1 for _ in rows):
        print(f"and {more:,} more hosts, of fewer requests; --json has all")
