"""`scrapy quarantine`: lists pages with secrets, for the operator to judge."""

import argparse
import json
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from engine.command import LycosaCommand, add_json_option, no_arguments
from engine.report import describe_secrets, escape_text, format_time
from engine.store import QuarantinedPage, Store, load_quarantine
from engine.submission import release_from_quarantine


class Command(LycosaCommand):
    """Reports pages with secrets (requirement 284).

    It names no secret: tell the page's owner, not the world.
    """

    example = "scrapy quarantine --release https://www.example.org/manual/keys.html"

    def syntax(self) -> str:
        """Returns the command's syntax for --help."""
        return "[options] [--release URL]"

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "List pages that contain secrets; release one"

    def long_desc(self) -> str:
        """Says what the list is, and what releasing does."""
        return (
            "Lists the pages that were left out because they contain a private key, an access key, a "
            "password or the number of a payment card. Their text was not kept, and the secrets are not "
            "shown. --release admits a page, such as a manual with example keys: the next crawl visits "
            "it. A secret of another kind on it would keep it out again."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Adds the operator's judgement."""
        super().add_options(parser)
        parser.add_argument("--release", metavar="URL", help="admit this page")
        add_json_option(parser)

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Lists or releases pages. Raises EngineError for a URL that is not in quarantine."""
        no_arguments(args)
        config = self.config()
        if opts.release is not None:
            said: dict[str, Any] = {"released": _object(release_from_quarantine(config, opts.release))}
        else:
            with closing(Store(config.database)) as store, store.engine.connect() as connection:
                said = {"quarantine": [_object(one) for one in load_quarantine(connection)]}
        print(json.dumps(said) if opts.json else "\n".join(_lines(said)))


def _object(held: QuarantinedPage) -> dict[str, Any]:
    """Returns one page as JSON has it; times are ISO 8601, UTC."""
    released_at = None if held.released_at is None else format_time(held.released_at)
    return {**held._asdict(), "found_at": format_time(held.found_at), "released_at": released_at}


def _lines(said: dict[str, Any]) -> Iterator[str]:
    """Formats the same for people."""
    if "released" in said:
        yield f"{escape_text(said['released']['url'])} is released: the next crawl visits it"
        return
    for one in said["quarantine"]:
        yield escape_text(one["url"])
        yield f"    {describe_secrets(one['kinds'], one['line'])}, found {one['found_at']}"
    if not said["quarantine"]:
        yield "no page is in quarantine"
