"""`scrapy fetch URL`: prints what a host answers, as the crawler sees it."""

import argparse
import sys

from scrapy.exceptions import UsageError
from scrapy.http.headers import Headers

from engine.monitor import legible
from engine.page_command import PageCommand


class Command(PageCommand):
    """Asks for one page behind the gates of a crawl, and stores nothing."""

    example = "scrapy fetch https://www.example.org/ --headers"

    def syntax(self) -> str:
        """Returns the command's syntax for --help."""
        return "[options] URL"

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "Print the answer to a URL, if robots.txt allows it"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Adds Scrapy's options of the command."""
        super().add_options(parser)
        parser.add_argument(
            "--headers", action="store_true", help="print the headers of request and answer, not the body"
        )
        parser.add_argument("--no-redirect", action="store_true", help="print a redirect as it is")

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Prints body or headers. Raises EngineError for what may not be asked, or brings no answer."""
        if len(args) != 1:
            raise UsageError
        (response,) = self.fetch_pages(args, opts, redirected=not opts.no_redirect).values()
        if opts.headers:
            assert response.request
            _print_headers(">", response.request.headers)
            _print_headers("<", response.headers)
        else:
            sys.stdout.buffer.write(response.body)


def _print_headers(sign: str, headers: Headers) -> None:
    for name, values in headers.items():
        for value in values:
            print(legible(f"{sign} {name.decode('latin-1')}: {value.decode('latin-1')}"))
