"""`scrapy list`: names the spiders that `scrapy crawl` runs."""

import argparse

from engine.command import LycosaCommand, no_arguments


class Command(LycosaCommand):
    """Names Lycosa's own spider and those of the operator."""

    example = "scrapy list"

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "Name the spiders that 'scrapy crawl' runs"

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Prints the names. Raises EngineError for a spider that cannot be imported."""
        no_arguments(args)
        print("\n".join(sorted(self.load_spiders().list())))
