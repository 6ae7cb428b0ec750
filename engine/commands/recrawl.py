"""`scrapy recrawl URL|HOST|PREFIX*`: makes known pages due now, as after a deployment."""

import argparse
import json

from scrapy.exceptions import UsageError

from engine.command import LycosaCommand, add_json_option
from engine.monitor import count
from engine.submission import recrawl_known


class Command(LycosaCommand):
    """Queues known URLs again; their pages stay until the visit."""

    example = "scrapy recrawl www.example.org"

    def syntax(self) -> str:
        """Returns the command's syntax for --help."""
        return "[options] URL|HOST|PREFIX*"

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "Visit the known pages of a URL, a host or a prefix again"

    def long_desc(self) -> str:
        """Says what a host is, and who visits."""
        return (
            "Makes the known pages of a URL, of a host (www.example.org, or one of its ports: "
            "https://www.example.org:8443) or of a prefix (https://www.example.org/shop/*) due now. The "
            "next 'scrapy crawl web' visits them first; one that is running does so at once. An unchanged"
            " page is confirmed without being sent again."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Adds --json."""
        super().add_options(parser)
        add_json_option(parser)

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Prints how many URLs wait. Raises EngineError for what is not known."""
        if len(args) != 1:
            raise UsageError
        config = self.config()
        number = recrawl_known(config, args[0])
        urls = count(number, "URL is", "URLs are")
        print(json.dumps({"queued": number}) if opts.json else f"{urls} queued for the next crawl")
