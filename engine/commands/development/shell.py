"""`scrapy shell [URL]`: Scrapy's console, whose requests pass the gates of a crawl."""

import argparse
import logging
from typing import Any

from scrapy import Spider
from scrapy.commands.shell import Command as ScrapyShell
from scrapy.crawler import Crawler, CrawlerProcess
from scrapy.utils.log import install_scrapy_root_handler
from scrapy.utils.misc import load_object

from engine.command import LycosaCommand
from engine.url import parse_typed_url


class Command(LycosaCommand):
    """Scrapy's console for selectors; `fetch(url)` in it obeys robots.txt, too, and stores nothing."""

    example = "scrapy shell https://www.example.org/ -c \"response.css('title::text').get()\""

    def syntax(self) -> str:
        """Returns the command's syntax for --help."""
        return "[options] [URL]"

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "Try selectors on a page, if robots.txt allows it"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Adds Scrapy's options of the command."""
        super().add_options(parser)
        parser.add_argument("-c", dest="code", help="evaluate the code, print its value and end")
        parser.add_argument("--no-redirect", action="store_true", help="show a redirect as it is")

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Begins the console. Raises EngineError for a URL that may not be asked."""
        assert self.settings is not None
        self.settings.setdict({**ScrapyShell.default_settings}, priority="command")
        theirs = ScrapyShell()
        theirs.settings = self.settings
        theirs.crawler_process = _PageProcess(self.settings)
        install_scrapy_root_handler(self.settings)
        if opts.loglevel is None:
            logging.getLogger("scrapy").setLevel(logging.WARNING)
        opts.spider = None
        theirs.run([parse_typed_url(url, self.config().aliases) for url in args], opts)


class _PageProcess(CrawlerProcess):
    """A process whose one crawler asks behind the gates, whichever spider Scrapy's shell would choose."""

    def _create_crawler(self, spidercls: str | type[Spider] | Any) -> Crawler:
        assert self.settings is not None
        crawler = super()._create_crawler(load_object(self.settings["PAGE_SPIDER"]))
        self._crawlers.add(crawler)  # the address guard asks each for its private hosts
        return crawler
