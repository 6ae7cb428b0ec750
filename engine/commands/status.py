"""`scrapy status`: summarises what the data folder holds."""

import argparse

from engine.command import LycosaCommand, no_arguments
from engine.explain import census_lines, census_object
from engine.monitor import legible, legible_json
from engine.store import Store
from engine.workers import describe_fences, probe_fences


class Command(LycosaCommand):
    """Prints the census (requirement 17), for people or as JSON."""

    example = "scrapy status --json"

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "Show what was crawled and indexed so far"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Adds --json."""
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="one JSON object on one line")

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Prints the census. Raises EngineError when the data folder cannot be read."""
        no_arguments(args)
        folder = self.config().data_dir
        store = Store(folder)
        census = census_object(store, folder)
        store.close()
        print(legible_json(census) if opts.json else "\n".join(map(legible, census_lines(census))))
        if not opts.json:
            print(f"{'readers':<14}confined by {describe_fences(probe_fences())}")
        self.tell_damage(census["damaged"])
