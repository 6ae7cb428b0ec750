"""`scrapy crawl`: crawls as Scrapy does, with exit codes and a summary at the end."""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import chain, islice
from pathlib import Path
from typing import Any

from scrapy.exceptions import UsageError
from scrapy.utils.conf import arglist_to_dict, feed_process_params_from_cli
from scrapy.utils.misc import load_object

from engine.command import LycosaCommand
from engine.crawl import SilentHosts, WaitingHost, find_waiting_hosts
from engine.export import begin_export, describe_export, export_to_file
from engine.history import compare_last_rounds, open_history
from engine.middleware import ALLOW_PRIVATE, NO_ADDRESS
from engine.monitor import legible
from engine.report import comparison_lines, crawl_summary, format_time
from engine.store import FEEDS, Store, find_hosts_with_pages

EXIT_UNANSWERED = 3
MOST_NAMED = 20  # hosts at the end of a run; more say the same


class Command(LycosaCommand):
    """Crawls until nothing is left to fetch; the same command continues a stopped crawl."""

    example = "scrapy crawl web -a seeds=https://example.org/ -a max_pages=500 -s CONTACT=you@example.org"

    def syntax(self) -> str:
        """Returns the command's syntax for --help."""
        return "[options] SPIDER"

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "Crawl sites and index their pages"

    def long_desc(self) -> str:
        """Says what the -a arguments are."""
        return (
            "Crawls the sites of crawl.toml, or those given by -a seeds=URL[,URL...] or -a seeds=FILE, by "
            "the spider 'web' or by one of your own ('scrapy list', docs/extending.md). "
            "More arguments: -a scope=host|domain|prefix|any, -a include=REGEX, -a exclude=REGEX, -a "
            "max_pages=N, -a max_depth=N, -a host_pages=N, -a profile=polite|brisk|strict, -a own=1 for "
            "your own hosts, -a revisit=1 to visit only what is likely to have changed, -a fresh=1 to "
            "start over. Exit code 0: the crawl came to its end, 1: an internal error of Scrapy, 2: "
            "something that you can fix, which one line explains, 3: at least half of the seeds' hosts "
            "gave no answer at all in this run, or never did and wait for their next try, and are named at "
            "its end. A host that is paused, forbidden or not due is no failure."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Adds the -a arguments."""
        super().add_options(parser)
        parser.add_argument(
            "-a",
            dest="arguments",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="what to crawl, and how far (may be repeated)",
        )
        for short, long, says in (("-o", "--output", "append"), ("-O", "--overwrite-output", "write")):
            parser.add_argument(
                short,
                long,
                metavar="FILE",
                help=f"{says} what is new and changed to FILE.jsonl or .tsv, as 'scrapy export' does; of a "
                "spider with items() those, in a format of Scrapy's",
            )

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Runs the crawl. Raises EngineError for the operator's mistakes and for a full disk."""
        if len(args) != 1:
            raise UsageError
        crawling = self.find_spider(args[0])
        try:
            arguments = arglist_to_dict(opts.arguments)
        except ValueError:
            raise UsageError("Invalid -a value, use -a NAME=VALUE", print_help=False) from None
        target = None if self._write_items(crawling, opts) else self._begin_export(opts)
        spider = self.run_spider(crawling, arguments, quiet=opts.loglevel is None)
        spider.alerts.end(str(spider.crawl.error or ""))
        if spider.crawl.error:
            raise spider.crawl.error
        store = Store(self.config().database)
        if target:
            written = export_to_file(store, target, 0.0, lambda change, last: None)
            print(describe_export(str(target), written))
        if spider.crawl.run.kind == FEEDS and not spider.crawl.counters.asked:
            print("no feed was due")
        else:
            summary = crawl_summary(store, self.config().index, spider.crawl.run.id)
            print("\n".join(map(legible, summary.split("\n"))))
        if spider.crawl.run.kind != FEEDS:
            self._print_round(spider, store)
        store.close()

    def _print_round(self, spider: Any, store: Store) -> None:
        """Prints how a round of visits differs from the one before, and which hosts it did not reach."""
        silent = spider.crawl.silent_hosts
        with store.engine.connect() as connection:
            waiting = list(find_waiting_hosts(connection, silent.not_asked))
            admits = spider.crawl.discovery.sites.admits
            found = (host for host in find_hosts_with_pages(connection) if not admits(host))
            left_out = list(describe_hosts_left_out(found))
        with open_history(self.config().data_dir) as history:
            compared = compare_last_rounds(history)
        if compared and compared.before:
            print("\n".join(comparison_lines(compared)))
        for line in chain(left_out, describe_silent_hosts(silent, waiting)):
            print(legible(line))
        if silent.are_too_many(waiting):
            self.exitcode = EXIT_UNANSWERED

    def _write_items(self, spider: type[Any], opts: argparse.Namespace) -> bool:
        """Has the file of -o or -O written by Scrapy where the spider has items; tells whether it has."""
        assert self.settings is not None
        if spider.items is load_object(self.settings["SPIDER_BASE"]).items:
            return False
        added, written = ([name] if name else [] for name in (opts.output, opts.overwrite_output))
        feeds = feed_process_params_from_cli(self.settings, added, overwrite_output=written)
        self.settings.set("FEEDS", feeds, priority="cmdline")
        return True

    def _begin_export(self, opts: argparse.Namespace) -> Path | None:
        """Begins the file of -o or -O, before anything is asked of a host. Raises EngineError."""
        target = opts.overwrite_output or opts.output
        if not target:
            return None
        with closing(Store(self.config().database)) as store:
            begin_export(store, Path(target), anew=bool(opts.overwrite_output))
        return Path(target)


def describe_hosts_left_out(hosts: Iterable[str]) -> Iterator[str]:
    """Describes the hosts of pages that were found once and that no crawl of these sites visits again."""
    hosts = iter(hosts)
    first = list(islice(hosts, MOST_NAMED))
    number = len(first) + sum(1 for _ in hosts)
    yield from _name_hosts(
        "hosts that no site of this crawl names; their pages stay as they are", first, number
    )
    if first:
        yield "add a [[site]] to crawl.toml for them, or remove them by 'scrapy remove HOST --reason TEXT'"


def describe_silent_hosts(unanswered: SilentHosts, waiting: Sequence[WaitingHost]) -> Iterator[str]:
    """Describes which of the seeds' hosts gave no answer, and why, and which wait since they gave none."""
    silent = [f"{host} ({why})" for host, why in unanswered.reasons.items()]
    yield from _name_hosts("seeds' hosts that gave no answer at all in this run", silent, len(silent))
    if NO_ADDRESS in unanswered.reasons.values():
        yield ALLOW_PRIVATE
    waits = [f"{one.host} ({one.why}), until {format_time(one.until)}" for one in waiting]
    yield from _name_hosts(
        "seeds' hosts that gave no answer before, and wait for their next try", waits, len(waits)
    )


def _name_hosts(what: str, hosts: Sequence[str], number: int) -> Iterator[str]:
    """Tells the number of hosts, and names the first MOST_NAMED."""
    if number:
        yield f"{what}: {number:,}"
    yield from (f"  {host}" for host in hosts[:MOST_NAMED])
    if number > MOST_NAMED:
        yield f"  and {number - MOST_NAMED:,} more"
