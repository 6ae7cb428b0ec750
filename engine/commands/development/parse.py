"""`scrapy parse URL`: prints what would be kept of a page, and which links of it would be followed."""

import argparse
from collections import Counter
from collections.abc import Iterator
from typing import Any

from itemadapter import ItemAdapter
from scrapy.exceptions import UsageError

from engine.crawl import page_of
from engine.errors import EngineError, PageError
from engine.model import Visit
from engine.monitor import legible
from engine.page_command import PageCommand
from engine.plugins import SpiderHooks


class Command(PageCommand):
    """Reads one page in a sandbox, with the hooks of a spider, and stores nothing."""

    example = "scrapy parse https://www.example.org/ --spider web"

    def syntax(self) -> str:
        """Returns the command's syntax for --help."""
        return "[options] URL"

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "Print what is read in a page, by the hooks of a spider"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Adds --spider."""
        super().add_options(parser)
        parser.add_argument("--spider", default="web", metavar="NAME", help="whose hooks (default: web)")

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Prints the page. Raises EngineError for what may not be asked, or is no page."""
        if len(args) != 1:
            raise UsageError
        spider = self.find_spider(opts.spider)()
        spider.own_hooks = spider.find_own_hooks()
        (response,) = self.fetch_pages(args, opts).values()
        try:
            (visit,) = self.read_pages([response])
        except PageError as error:
            raise EngineError(f"{response.url}: {error.kind}") from error
        config, counts = self.config(), Counter[str]()
        hooks = SpiderHooks(spider, config, lambda: config.aliases, lambda name: counts.update([name]))
        visit, *items = hooks.apply(visit, response)
        for line in describe_page(visit, response.status, items):
            print(legible(line))


def describe_page(visit: Visit, status: int, items: list[Any]) -> Iterator[str]:
    """Describes a page that was read, in lines."""
    assert visit.reading
    page, asks = page_of(visit), visit.reading.directives
    yield f"# Page {page.url}"
    yield f"status: {status}"
    for name in ("title", "description", "language", "media_type", "keywords"):
        yield f"{name}: {getattr(page, name)}"
    yield f"robots: {'index' if asks.index else 'noindex'}, {'follow' if asks.follow else 'nofollow'}"
    yield ""
    for section in page.sections:
        yield from ([f"## {section.heading}"] if section.heading else [])
        yield from section.text.splitlines()
    yield ""
    yield f"# Links to follow, within the scope: {len(visit.reading.outlinks)}"
    yield from visit.reading.outlinks
    yield ""
    yield f"# Items: {len(items)}"
    yield from (str(ItemAdapter(item).asdict()) for item in items)
