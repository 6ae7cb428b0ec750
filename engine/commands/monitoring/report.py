"""`scrapy report`: shows the last crawl beside the one before."""

import argparse
import json

from engine.command import LycosaCommand, add_json_option, no_arguments
from engine.errors import EngineError
from engine.history import HISTORY, compare_last_rounds, open_history
from engine.report import comparison_lines, comparison_object


class Command(LycosaCommand):
    """Prints pages new, changed and gone, and hosts that are slower or lost (requirement 61)."""

    example = "scrapy report --json"

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "Compare the last crawl with the one before"

    def long_desc(self) -> str:
        """Says what is compared."""
        return (
            "Shows the crawl that runs, or ran last, beside the one before: pages that are new, changed, "
            "unchanged and gone; requests, those that failed, bytes and time; hosts that answered before and "
            "no more, and hosts that take twice as long for a page. 'scrapy crawl web' prints the same at "
            "its end; 'scrapy status --hosts' shows what each host answered."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Adds --json."""
        super().add_options(parser)
        add_json_option(parser)

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Prints the report. Raises EngineError when nothing was crawled."""
        no_arguments(args)
        folder = self.config().data_dir
        compared = None
        if (folder / HISTORY).exists():
            with open_history(folder) as connection:
                compared = compare_last_rounds(connection)
        if compared is None:
            raise EngineError("no crawl has requested anything yet; 'scrapy crawl web' begins one")
        print(json.dumps(comparison_object(compared)) if opts.json else "\n".join(comparison_lines(compared)))
