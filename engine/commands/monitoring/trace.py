"""`scrapy trace URL|HOST|PREFIX*`: prints what the request log has about it."""

import argparse

from scrapy.exceptions import UsageError

from engine.command import LycosaCommand
from engine.history import trace_target
from engine.monitor import legible_json
from engine.report import escape_text, format_entry
from engine.submission import settled_target

EXIT_NOTHING = 1


class Command(LycosaCommand):
    """Prints requests and skips, the latest last (requirement 258)."""

    example = "scrapy trace https://www.example.org/news/"

    def syntax(self) -> str:
        """Returns the command's syntax for --help."""
        return "[options] URL|HOST|PREFIX*"

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "Show what was requested of a URL or a host, and what was skipped"

    def long_desc(self) -> str:
        """Says what the log is, and what the exit codes mean."""
        return (
            "Prints the lines of the request log about a URL, a host (www.example.org, or one of its "
            "ports: https://www.example.org:8443) or a prefix (https://www.example.org/shop/*), the latest "
            "last: each request with its status, bytes and seconds, and each URL that a rule kept from "
            "being requested. Lines are kept for request_log_days of crawl.toml; times are UTC. Exit code "
            "0: there are some, 1: there is none."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Adds --json."""
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="one JSON object for each line of the log")

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Prints the lines. Raises EngineError for what is no URL, host or prefix."""
        if len(args) != 1:
            raise UsageError
        config = self.config()
        target = settled_target(args[0], config.aliases)
        self.exitcode = EXIT_NOTHING
        for entry in trace_target(config.data_dir, target):
            self.exitcode = 0
            print(legible_json(entry) if opts.json else format_entry(entry))
        if self.exitcode and not opts.json:
            print(f"the request log has no line about the {target.extent} {escape_text(target.text)}")
