"""`scrapy export FILE`: writes the stored pages, or the links between them, for other programs."""

import argparse
import sys
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path

from scrapy.exceptions import UsageError

from engine.command import LycosaCommand
from engine.errors import EngineError
from engine.export import (
    SITEMAP,
    WARC,
    Exported,
    describe_export,
    export_sitemap,
    export_to_file,
    export_to_stream,
    open_responses,
)
from engine.monitor import ProgressLine
from engine.store import Store

STDOUT = "-"


class Command(LycosaCommand):
    """Appends to a file what has changed since it was written last; a crawl may run meanwhile."""

    example = "scrapy export pages.jsonl.gz"

    def syntax(self) -> str:
        """Returns the command's syntax for --help."""
        return "[options] FILE | -"

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "Export pages, or the links between them, to a file"

    def long_desc(self) -> str:
        """Says what is written, and what a second run does."""
        return (
            "FILE.jsonl gets a line of JSON for each page: title, texts, dates, links; FILE.tsv a line "
            "for each link: source, target, words, rel; with .gz behind it they are compressed. FILE.parquet "
            "is a folder of Parquet files with the same columns, NAME-links.parquet one of links. "
            "FILE.warc.gz gets the responses as they came, where keep_responses in crawl.toml has kept "
            "them; FILE.xml or FILE.xml.gz is written anew: a sitemap of all pages. - is "
            "standard output, with lines of JSON. Run again, it appends what has changed since, with a "
            "greater 'change' for the same URL, and '\"gone\": true' for a URL that has no page any "
            "more; one that was stopped goes on where it was. FILE.state says how far it is: both "
            "belong together. Of pages whose owners want no copies (noarchive) the texts are left out."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Adds --since."""
        super().add_options(parser)
        parser.add_argument(
            "--since",
            metavar="DATE",
            default="",
            help="leave out pages that were fetched before (2026-11-27)",
        )

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Exports. Raises EngineError for a file of another database or of none, and for no date."""
        if len(args) != 1:
            raise UsageError
        [target], since = args, _parse_date(opts.since)
        with closing(Store(self.config().database)) as store:
            if target == STDOUT:
                export_to_stream(store, sys.stdout.buffer, since)
            else:
                print(describe_export(target, self._export(store, Path(target), since)))

    def _export(self, store: Store, path: Path, since: float) -> Exported:
        """Exports to a file, with a progress line."""
        with ExitStack() as opened:
            line = opened.enter_context(ProgressLine())

            def report(change: int, last: int) -> None:
                line.show(f"exported change {change:,} of {last:,}")

            if path.name.endswith(SITEMAP):
                return Exported(export_sitemap(store, path, since, report), 0)
            is_archive = path.name.endswith(WARC)
            form = opened.enter_context(open_responses(self.config().data_dir)) if is_archive else None
            return export_to_file(store, path, since, report, form)


def _parse_date(text: str) -> float:
    """Parses a date of ISO 8601, of UTC where it does not say, as seconds since 1970. Raises EngineError."""
    if not text:
        return 0.0
    try:
        at = datetime.fromisoformat(text)
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError) as error:
        raise EngineError(f"--since {text!r} is no date: write one as 2026-11-27") from error
