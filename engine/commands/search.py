"""`scrapy search WORDS`: searches on the terminal."""

import argparse
from collections.abc import Iterator

from scrapy.exceptions import UsageError

from engine.command import LycosaCommand, add_json_option
from engine.model import Hit, Results
from engine.monitor import legible, legible_json
from engine.ranking import read_ranking
from engine.search import QUERY_SYNTAX, SearchService, SeenIndex


class Command(LycosaCommand):
    """Searches the current index."""

    example = 'scrapy search "event loop" --json'

    def syntax(self) -> str:
        """Returns the command's syntax for --help."""
        return "[options] WORDS"

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "Search the index"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Adds --json, and which page of results."""
        super().add_options(parser)
        ways = (f"  {typed:26} {found}" for typed, found in QUERY_SYNTAX)
        parser.epilog = "\n".join((parser.epilog or "", "", "What can be typed:", *ways))
        parser.formatter_class = argparse.RawDescriptionHelpFormatter
        add_json_option(parser)
        parser.add_argument("--page", type=int, default=1, help="page of results (default: 1)")
        parser.add_argument("--size", type=int, default=10, help="results on a page (default: 10)")

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Prints the hits. Raises EngineError when there is no index."""
        if not args:
            raise UsageError
        config = self.config()
        search = SearchService(config.data_dir, read_ranking(config.ranking), index=SeenIndex(config.index))
        results = search.search(" ".join(args), page=opts.page, size=opts.size)
        damages = search.list_damage()
        search.close()
        print(legible_json(results.as_object()) if opts.json else _lines(results))
        self.tell_damage(damages)


def _lines(results: Results) -> str:
    first = (results.page - 1) * results.size + 1
    head = "\n".join((f"{results.total} found in {results.took_ms:.0f} ms", *map(str, results.notes)))
    shown = ("\n   ".join(map(legible, _rows(hit))) for hit in results.hits)
    hits = (f"{number}. {hit}" for number, hit in enumerate(shown, first))
    return "\n\n".join((head, *hits))


def _rows(hit: Hit) -> Iterator[str]:
    """Formats the lines of a hit."""
    yield f"{hit.title} › {hit.section}" if hit.section else hit.title
    yield hit.link
    yield hit.snippet
    yield from (f"› {link.title}  {link.url}" for link in hit.sitelinks)
    if hit.more_from_host:
        yield f"{hit.more_from_host:,} more: site:{hit.host}"
