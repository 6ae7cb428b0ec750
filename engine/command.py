"""Defines the base of Lycosa's commands: an operator's mistake becomes one sentence and exit code 2."""

import argparse
import gc
import logging
import os
import sqlite3
import sys
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar, TextIO

from scrapy import Spider
from scrapy.commands import ScrapyCommand
from scrapy.crawler import CrawlerProcess
from scrapy.exceptions import UsageError
from scrapy.spiderloader import SpiderLoaderProtocol, get_spider_loader
from scrapy.utils.log import install_scrapy_root_handler
from scrapy.utils.misc import load_object
from twisted.logger import globalLogBeginner
from twisted.python.failure import Failure

from engine.config import Config, load_config
from engine.errors import EngineError
from engine.folder import OF_DATABASE, explain_failure, keep_private, require_whole
from engine.monitor import LegibleRecord, is_no_certificate_error, is_no_database_error, legible

EXIT_MISUSE = 2


class LycosaCommand(ScrapyCommand):
    """A `scrapy` subcommand; `example` is a line that works, shown by --help.

    `needs_whole_folder`: it does not run while a backup is being restored into the data folder.
    """

    requires_project = True
    requires_crawler_process = False
    needs_whole_folder: ClassVar[bool] = True
    example: ClassVar[str]

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Adds the options every scrapy command has, and the example."""
        super().add_options(parser)
        parser.epilog = f"Example: {self.example}"

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Runs the command; an EngineError becomes one line on standard error and exit code 2."""
        assert self.settings is not None
        logging.setLogRecordFactory(LegibleRecord)
        if keep_private(Path(self.settings["DATA_DIR"])):
            self._say(f"{self.settings['DATA_DIR']} was readable by others; now only its owner can read it")
        try:
            if self.needs_whole_folder:
                require_whole(Path(self.settings["DATA_DIR"]))
            self.act(args, opts)
            sys.stdout.flush()
        except BrokenPipeError:  # whoever reads has seen enough: `| head`
            _discard(sys.stdout)
        except (EngineError, OSError, *OF_DATABASE) as error:  # disk full, no rights
            self._say(_sentence(error))
            self.exitcode = EXIT_MISUSE
        try:
            sys.stderr.flush()
        except OSError:  # it goes into a file on the disk that is full
            _discard(sys.stderr)

    @abstractmethod
    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Does what the command is for. May raise EngineError or UsageError."""

    def find_spider(self, name: str) -> type[Any]:
        """Finds the class of a spider that crawls. Raises EngineError where there is none."""
        assert self.settings is not None
        try:
            found = self.load_spiders().load(name)
        except KeyError:
            raise EngineError(
                f"there is no spider {name!r}; write 'scrapy crawl web', or one that 'scrapy list' names"
            ) from None
        if not issubclass(found, load_object(self.settings["SPIDER_BASE"])):
            raise EngineError(
                f"spider {name!r} would go past queue, robots.txt and pace: derive its class from "
                "spiders.LycosaSpider (docs/extending.md)"
            )
        return found

    def load_spiders(self) -> SpiderLoaderProtocol:
        """Loads all spiders of SPIDER_MODULES. Raises EngineError for one that cannot be imported."""
        assert self.settings is not None
        try:
            return get_spider_loader(self.settings)
        except Exception as error:  # whatever a module of the operator's raises
            raise EngineError(f"an own spider cannot be imported: {type(error).__name__}: {error}") from error

    def run_spider(self, spider: str | type[Spider], arguments: Mapping[str, Any], *, quiet: bool) -> Any:
        """Runs a spider and returns it. Raises what kept it from running; `quiet`: logs warnings only."""
        assert self.settings is not None
        self.load_spiders()  # as Scrapy does next, and would raise
        process = CrawlerProcess(self.settings)
        install_scrapy_root_handler(self.settings)  # only now: Scrapy's greeting is no news
        if quiet:
            for chatty in ("scrapy", "twisted"):
                logging.getLogger(chatty).setLevel(logging.WARNING)
        globalLogBeginner.beginLoggingTo([], redirectStandardIO=False, discardBuffer=True)  # Scrapy logs it
        logging.getLogger("twisted").addFilter(is_no_certificate_error)
        logging.getLogger("scrapy.core.scraper").addFilter(is_no_database_error)
        crawler = process.create_crawler(spider)
        failures: list[Failure] = []
        process.crawl(crawler, **arguments).addErrback(failures.append)
        gc.freeze()  # what was imported stays: the collector need not look at it again
        process.start()
        for failed in failures:
            failed.raiseException()
        return crawler.spider

    def tell_damage(self, damages: Sequence[str]) -> None:
        """Reports what the answer lacks because of damage, with exit code 2 if it lacks anything."""
        for damage in damages:
            self._say(damage)
            self.exitcode = EXIT_MISUSE

    def _say(self, sentence: str) -> None:
        with suppress(OSError):  # of a sentence that cannot be written the exit code is left
            sys.stderr.write(f"scrapy {type(self).__module__.rpartition('.')[2]}: {legible(sentence)}\n")

    def config(self) -> Config:
        """Loads the operator's configuration. Raises EngineError."""
        assert self.settings is not None
        return load_config(self.settings)


class UnsupportedCommand(LycosaCommand):
    """A command of Scrapy's that would go past the gates; says why, and which of ours does its work."""

    why: ClassVar[str]
    instead: ClassVar[str]

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return f"Not in Lycosa: {self.instead}"

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Raises EngineError always."""
        name = type(self).__module__.rpartition(".")[2]
        raise EngineError(f"Lycosa has no {name!r}, since {self.why}; {self.instead}")


def _discard(stream: TextIO) -> None:
    """Discards what cannot be written; else Python's last flush complains, with exit code 120."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _sentence(error: Exception) -> str:
    """Formats an error in one line."""
    if isinstance(error, sqlite3.Error):
        return f"cannot use the index: {error}"
    if isinstance(error, OF_DATABASE):
        return str(explain_failure(error))
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{os.fsdecode(error.filename)}: {error.strerror}"
    return str(error).replace("\n", " ")


def no_arguments(args: list[str]) -> None:
    """Raises UsageError for any argument."""
    if args:
        raise UsageError(f"unexpected {args[0]!r}", print_help=False)


def add_json_option(parser: argparse.ArgumentParser) -> None:
    """Adds --json, for a command that prints one answer."""
    parser.add_argument("--json", action="store_true", help="one JSON object on one line")
