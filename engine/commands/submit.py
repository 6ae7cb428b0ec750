"""`scrapy submit URL`: queues URLs that no link leads to, and decides about those that others submitted."""

import argparse
from collections.abc import Iterator, Sequence

import sqlalchemy as sa
from scrapy.exceptions import UsageError

from engine.command import LycosaCommand, no_arguments
from engine.config import Config, require_contact
from engine.database import open_database, write_transaction
from engine.errors import EngineError
from engine.report import escape_text, format_time
from engine.store import load_waiting
from engine.submission import FULL, REFUSED, Admission, Submission, accept_submissions, refuse_submissions
from engine.url import find_urls

EXIT_REFUSED = 1
MAX_LINE = 1024 * 1024  # characters of a file that are looked at together
MAX_SCANNED = 10_000  # different URLs of one file; as many as may wait for the operator
AT_ONCE = 100  # of them to a transaction: a crawl that writes, too, waits for a second at most


class Command(LycosaCommand):
    """Submits URLs, which wait at depth 0 as seeds do (requirements 6 to 9)."""

    example = "scrapy submit https://www.example.org/hidden.html"

    def syntax(self) -> str:
        """Returns the command's syntax for --help."""
        return "[options] URL [URL...] | --scan FILE | --list | --accept TARGET... | --refuse TARGET..."

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "Queue URLs for the next crawl; accept or refuse what others submit"

    def long_desc(self) -> str:
        """Says who visits them, and what the exit codes mean."""
        return (
            "Queues URLs that are in the scope of crawl.toml and not known yet. The next 'scrapy crawl "
            "web' visits them; one that is running does so at once. robots.txt counts as for every visit."
            " URLs out of scope that people submit on the search page, or --scan finds, wait for your "
            "decision: --accept and --refuse take URLs, hosts (www.example.org) or prefixes "
            "(https://www.example.org/docs/*) of what --list shows. Exit code 0: all are queued, known or"
            " waiting for you, 1: one was refused."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Adds what else can be done than queueing."""
        super().add_options(parser)
        kinds = parser.add_mutually_exclusive_group()
        kinds.add_argument(
            "--force",
            action="store_true",
            help="visit them once although they are known or a rule refuses them; never against robots.txt, "
            "never what was removed",
        )
        kinds.add_argument("--scan", metavar="FILE", help="submit the first 10,000 URLs in a text file")
        kinds.add_argument("--list", action="store_true", help="what waits for your decision, oldest first")
        kinds.add_argument("--accept", action="store_true", help="visit these, once if they are out of scope")
        kinds.add_argument("--refuse", action="store_true", help="refuse these for good")

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Prints a line for each URL. Raises EngineError for what does not wait or cannot be read."""
        if opts.list or opts.scan:
            no_arguments(args)
        elif not args:
            raise UsageError
        config = self.config()
        if opts.force:
            require_contact(config, "the owner")
        database = open_database(config.database)
        try:
            if opts.scan:
                done = list(_submit(database, config, _scan_file(opts.scan)))
            else:
                with write_transaction(database) as connection:
                    done = _process(connection, config, args, opts)
        finally:
            database.dispose()
        for one in done:
            print(
                f"{one.outcome:<14}{escape_text(one.url)}"
                + (f"  ({escape_text(one.why)})" if one.why else "")
            )
        self.exitcode = EXIT_REFUSED if any(one.outcome in (REFUSED, FULL) for one in done) else 0


def _process(
    connection: sa.Connection, config: Config, args: Sequence[str], opts: argparse.Namespace
) -> list[Submission]:
    if opts.list:
        return [Submission(format_time(one.at)[:10], one.url) for one in load_waiting(connection)]
    if opts.accept:
        return accept_submissions(connection, config, args)
    if opts.refuse:
        return refuse_submissions(connection, config, args)
    admission = Admission(connection, config, by_force=opts.force)
    return [admission.submit(typed) for typed in args]


def _submit(database: sa.Engine, config: Config, urls: Sequence[str]) -> Iterator[Submission]:
    """Yields what becomes of candidates; other processes may write in between."""
    for start in range(0, len(urls), AT_ONCE):
        with write_transaction(database) as connection:
            admission = Admission(connection, config)
            yield from [admission.submit_as_stranger(url) for url in urls[start : start + AT_ONCE]]


def _scan_file(path: str) -> list[str]:
    """Finds the URLs in a file, each once, MAX_SCANNED at most. Raises EngineError when it cannot be read."""
    seen: dict[str, None] = {}
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            while (line := file.readline(MAX_LINE)) and len(seen) < MAX_SCANNED:
                seen.update(dict.fromkeys(find_urls(line)))
    except OSError as error:
        raise EngineError(f"{path}: cannot be read: {error.strerror}") from error
    return list(seen)[:MAX_SCANNED]
