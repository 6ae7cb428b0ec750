"""`scrapy import FILE.warc.gz...`: takes the pages of web archives into the index."""

import argparse
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from subprocess import Popen

from scrapy.exceptions import UsageError

from engine.archive import Imported, ImportOptions, import_archives
from engine.command import LycosaCommand
from engine.config import MEGABYTE, Config
from engine.errors import EngineError
from engine.folder import OF_DATABASE
from engine.generations import count_behind, start_follower
from engine.monitor import Progress, ProgressLine, count, format_progress
from engine.ranking import dump_ranking, read_ranking
from engine.store import Store

NICENESS = 5  # of what indexes, as of readers: an import waits for nothing but processors
LOOK_SECONDS = 0.1  # between looks whether the index has caught up


class Command(LycosaCommand):
    """Works beside a running crawl and a running search page; nothing is requested from any host."""

    example = "scrapy import crawl.warc.gz"

    def syntax(self) -> str:
        """Returns the command's syntax for --help."""
        return "[options] FILE..."

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "Import the pages of web archives (WARC)"

    def long_desc(self) -> str:
        """Says what is taken, and what a second run does."""
        return (
            "FILE.warc, .warc.gz or .warc.zst (WARC 1.0 or 1.1) may be of wget, of a browser's crawler or of "
            "Common Crawl. Of each URL the newest capture is taken, as if it had been fetched that day: its "
            "robots.txt in the same files, META robots and X-Robots-Tag are obeyed; its links count, but "
            "nothing is requested. What was visited later stays, so a second run takes what is new, and "
            "one that was stopped goes on where it was. Damaged records are left out and counted."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Adds --date and --own."""
        super().add_options(parser)
        parser.add_argument(
            "--date",
            metavar="DATE",
            default="",
            help="take the newest captures up to this day (2026-11-27), UTC",
        )
        parser.add_argument(
            "--own",
            action="store_true",
            help="it is your own archive, for yourself: robots.txt and noindex do not count",
        )

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Imports. Raises EngineError for what is no WARC file, and for no date."""
        if not args:
            raise UsageError
        config, files = self.config(), [Path(name) for name in args]
        options = ImportOptions(_parse_day(opts.date), opts.own)
        total = sum(path.stat().st_size for path in files) / MEGABYTE
        follower = start_follower(config, dump_ranking(read_ranking(config.ranking)), NICENESS)
        assert follower.stdin
        try:
            with ProgressLine() as line:
                done = import_archives(
                    config,
                    files,
                    options,
                    lambda what, at, pages: line.show(
                        f"{count(pages, 'page')}, {what} {at / MEGABYTE:,.0f} of {total:,.0f} MB"
                    ),
                )
                follower.stdin.close()
                _await_index(follower, config, done.pages, line)
        finally:
            follower.stdin.close()
            code = follower.wait()
        print("\n".join(_describe(files, done)))
        if code:
            raise EngineError(
                "the pages are stored, but not all of them are indexed; fix the error above, "
                "then run 'scrapy rebuild', or this again"
            )


def _await_index(follower: Popen[bytes], config: Config, pages: int, line: ProgressLine) -> None:
    """Shows what the index has to do until it has caught up."""
    with closing(Store(config.database)) as store:
        while follower.poll() is None:
            with suppress(OSError, EngineError, *OF_DATABASE):  # the follower says so
                behind = count_behind(config.index, store.last_change())
                line.show(format_progress(Progress(True, pages, 0, 0, 0.0, to_index=behind)))
            time.sleep(LOOK_SECONDS)


def _describe(files: Sequence[Path], done: Imported) -> list[str]:
    """Describes an import in lines: what was stored, and why others are no pages, the most first."""
    others = sorted(((number, why) for why, number in done.skipped.items() if number), reverse=True)
    lines = [f"{count(done.pages, 'page')} imported from {count(len(files), 'file')}"]
    return lines + [f"  no page: {number:,}, {why}" for number, why in others]


def _parse_day(text: str) -> float:
    """Parses a day as the second after its last, seconds since 1970. Raises EngineError."""
    if not text:
        return float("inf")
    try:
        day = datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
        return (day + timedelta(days=1)).timestamp()
    except (ValueError, OverflowError) as error:
        raise EngineError(f"--date {text!r} is no day: write it as 2026-11-27") from error
