"""`scrapy rebuild`: builds a new index from the crawl database, published in one step or refused."""

import argparse
import sys
import time
from collections.abc import Sequence
from functools import partial

from scrapy.exceptions import UsageError

from engine.audience import read_audience_rules
from engine.command import LycosaCommand, no_arguments
from engine.folder import INDEX_PART, FreeSpace, lock_folder
from engine.gates import RebuildGates, read_answer_test
from engine.generations import Generation, current_size
from engine.index.indexing import RebuildRefused, rebuild_index, return_to_older, update_votes
from engine.monitor import ProgressLine
from engine.ranking import read_ranking
from engine.store import Store, log_run

EXIT_REFUSED = 1


class Command(LycosaCommand):
    """Rebuilds without network; a running search page keeps the old index until the new one is published."""

    example = "scrapy rebuild"

    def syntax(self) -> str:
        """Returns the command's syntax for --help."""
        return "[options] [--force | --rollback | --weights]"

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "Build a new index from the crawl database"

    def long_desc(self) -> str:
        """Says what is required of the new index, and what the exit codes mean."""
        return (
            "The new index replaces the old one unless it lost documents that nobody removed, or answers "
            "the queries of queries.tsv in the data folder worse, or more slowly; [rebuild] of crawl.toml"
            " sets the limits. Exit code 0: published, 1: refused, each reason on a line; the refused "
            "index is kept until the next rebuild."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Adds what to do in place of a plain rebuild."""
        super().add_options(parser)
        parser.add_argument(
            "--force",
            action="store_true",
            help="publish the index even if it would be refused; the one that was refused last is brought "
            "up to date, if there is one",
        )
        parser.add_argument(
            "--rollback",
            action="store_true",
            help="go back to the index before the current one; what was removed since stays out of it",
        )
        parser.add_argument(
            "--weights",
            action="store_true",
            help="recount the links of the current index, with same_domain_pivot and other_domain_pivot "
            "of [ranking]; nothing else changes",
        )

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Rebuilds or rolls back.

        Raises EngineError while another rebuild runs, or without an older index.
        """
        no_arguments(args)
        if opts.force + opts.rollback + opts.weights > 1:
            raise UsageError("--force, --rollback or --weights, one of them", print_help=False)
        folder = self.config().data_dir
        with lock_folder(folder, "rebuild"):
            if opts.weights:
                counted = update_votes(self.config().index, read_ranking(self.config().ranking))
                print(f"{counted:,} documents have the weights of now")
                return
            store = Store(self.config().database)
            try:
                if opts.rollback:
                    with ProgressLine() as line:
                        generation = return_to_older(store, self.config(), line.show)
                else:
                    generation = self._rebuilt(store, force=opts.force)
            except RebuildRefused as refused:
                _say("refused", refused.reasons)
                sys.stderr.write("the old index stays; 'scrapy rebuild --force' publishes the new one\n")
                self.exitcode = EXIT_REFUSED
                return
            finally:
                store.close()
        print(f"{generation.name} {'is current again' if opts.rollback else 'published'}")

    def _rebuilt(self, store: Store, *, force: bool) -> Generation:
        config = self.config()
        ranking = read_ranking(config.ranking)
        gates = RebuildGates(
            store.engine, config.rebuild, read_answer_test(config.data_dir, ranking), time.thread_time
        )
        overridden = partial(_say, "overridden") if force else None
        if config.index == config.data_dir:
            room = FreeSpace(config.data_dir, config.limits.free_bytes)
            room.require(current_size(config.index), INDEX_PART)
        with log_run(store.engine, "rebuild"), ProgressLine() as line:

            def progress(done: int, total: int) -> None:
                line.show(f"indexed {done} of {total}")

            rules = read_audience_rules(config)
            return rebuild_index(store, config.index, progress, gates, overridden, ranking, rules)


def _say(what: str, reasons: Sequence[str]) -> None:
    for reason in reasons:
        sys.stderr.write(f"scrapy rebuild: {what}: {reason}\n")
