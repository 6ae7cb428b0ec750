"""`scrapy check`: verifies the files of index and crawl database; `scrapy check SPIDER`: its contracts."""

import argparse
import json
from collections.abc import Iterator
from typing import Any
from unittest import TextTestResult, TextTestRunner

from engine import generations
from engine.command import add_json_option
from engine.config import Config
from engine.crawl import page_of
from engine.database import FILE, find_database_damages, find_side_damages
from engine.errors import DamagedError
from engine.generations import IndexLocation
from engine.index.indexing import find_damages
from engine.login import check_logins
from engine.monitor import count
from engine.page_command import PageCommand
from engine.plugins import HookContracts

EXIT_DAMAGED = 1


class Command(PageCommand):
    """Reads every file and changes nothing; half a minute for a gigabyte of crawl database.

    Scrapy's command of this name checks the contracts of spiders, all without a name. Here the files are what
    is checked by timers, without any request to a host; so contracts are checked of spiders that are named.
    """

    example = "scrapy check --json"

    def syntax(self) -> str:
        """Returns the command's syntax for --help."""
        return "[options] [SPIDER ...]"

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "Check the files of the data folder for damage"

    def long_desc(self) -> str:
        """Says what is read, and what the exit codes mean."""
        return (
            "Reads every file of the current index against its checksums, its link graph row by row, the "
            "crawl database page by page, and the smaller ones beside it row by row; one that is a file also "
            "by SQLite's own check. Names each damaged file, and the byte where the damage begins. A damaged "
            "index is rebuilt by the next crawl, or by 'scrapy rebuild'; a damaged database has to be "
            "restored from a backup. Reads the secrets and certificates that crawl.toml names, too. With "
            "names of own spiders their contracts are checked instead, on the page of each @url, which is "
            "fetched as by 'scrapy fetch'. Exit code 0: no damage, and contracts hold, 1: something is "
            "damaged, or a contract does not hold, 2: a secret or certificate cannot be used."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Adds --json."""
        super().add_options(parser)
        add_json_option(parser)

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Prints what is damaged. Raises EngineError for a folder that cannot be written or a server away."""
        if args:
            self.exitcode = 0 if self._check_contracts(args, opts) else EXIT_DAMAGED
            return
        config = self.config()
        check_logins(config)
        found = [*_of_index(config.index), *_of_database(config)]
        if opts.json:
            print(json.dumps({"damaged": found}))
        else:
            print("\n".join(f"{one['file']}: {one['what']}" for one in found) or "nothing is damaged")
        self.exitcode = EXIT_DAMAGED if found else 0

    def _check_contracts(self, names: list[str], opts: argparse.Namespace) -> bool:
        """Prints what came of the contracts of spiders' hooks; tells whether all hold."""
        assert self.settings is not None
        result = TextTestResult(TextTestRunner().stream, descriptions=True, verbosity=0)
        spiders = [self.find_spider(name)() for name in dict.fromkeys(names)]
        contracts = [HookContracts(spider, self.settings, result) for spider in spiders]
        urls = {url for one in contracts for url in one.urls}
        answers = self.fetch_pages(urls, opts) if urls else {}
        visits = self.read_pages(answers.values())
        pages = {
            url: (page_of(visit), answer)
            for (url, answer), visit in zip(answers.items(), visits, strict=True)
        }
        for one in contracts:
            one.check(pages)
        result.printErrors()
        verdict = "all hold" if result.wasSuccessful() else "not all hold"
        print(f"{count(result.testsRun, 'contract')} checked; {verdict}")
        return result.wasSuccessful()


def _of_index(index: IndexLocation) -> Iterator[dict[str, Any]]:
    """Lists damages of the index; `at` is the byte from which a file is damaged, 0 when not known."""
    with generations.lock(index, "write"):  # nobody sweeps away what is being read
        try:
            generation = generations.current_generation(index)
        except DamagedError as error:
            yield _describe_error(error)
            return
        if generation and not generation.is_readable:
            raise generation.unreadable()
        yield from map(_describe_error, find_damages(generation) if generation else ())


def _of_database(config: Config) -> Iterator[dict[str, Any]]:
    name = config.database_url or str(config.data_dir / FILE)
    for said in find_database_damages(config.database):
        yield {"file": name, "at": 0, "what": said}
    for side, said in find_side_damages(config.database):
        place = f"{config.database_url} ({side.name})" if config.database_url else config.data_dir / side.file
        yield {"file": str(place), "at": 0, "what": said}


def _describe_error(error: DamagedError) -> dict[str, Any]:
    return {"file": str(error.path), "at": error.at, "what": f"damaged from byte {error.at:,} on"}
