"""`scrapy pause HOST`: asks nothing of a host until it is released."""

import argparse
import json

from scrapy.exceptions import UsageError

from engine.command import LycosaCommand, add_json_option, no_arguments
from engine.frontier import load_paused, pause_named_host, release_named_host
from engine.report import escape_text, format_time


class Command(LycosaCommand):
    """Works beside a running crawl; pages stay in the index, and URLs in the queue."""

    example = "scrapy pause www.example.org"

    def syntax(self) -> str:
        """Returns the command's syntax for --help."""
        return "[options] HOST | --release HOST | --list"

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "Ask nothing of a host until it is released"

    def long_desc(self) -> str:
        """Says what a host is, and what becomes of it."""
        return (
            "Pauses a host: www.example.org (any scheme and port) or https://www.example.org. A crawl that "
            "runs asks nothing more of it within a minute, not even its robots.txt; requests under way end. "
            "Its pages can still be found and its URLs stay queued, for the crawl that runs when it is "
            "released, or the next one."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Adds the way back."""
        super().add_options(parser)
        kinds = parser.add_mutually_exclusive_group()
        kinds.add_argument("--release", metavar="HOST", help="let it be asked again")
        kinds.add_argument("--list", action="store_true", help="list the paused hosts")
        add_json_option(parser)

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Pauses, releases or lists. Raises EngineError for what is no host, or not paused."""
        if len(args) + bool(opts.list) + (opts.release is not None) != 1:
            raise UsageError
        config = self.config()
        if opts.list:
            no_arguments(args)
        elif args:
            pause_named_host(config, args[0])
        else:
            release_named_host(config, opts.release)
        paused = {host: format_time(at) for host, at in load_paused(config.database).items()}
        if opts.json:
            print(json.dumps({"paused": paused}))
            return
        lines = [f"{escape_text(host)}  paused since {at}" for host, at in paused.items()]
        print("\n".join(lines) or "no host is paused")
