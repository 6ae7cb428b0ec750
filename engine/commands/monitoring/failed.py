"""`scrapy failed`: lists the URLs that could not be fetched."""

import argparse
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from engine.command import LycosaCommand, add_json_option, no_arguments
from engine.database import allow_idle
from engine.monitor import legible_json
from engine.report import escape_text, format_time, next_try
from engine.store import FailedUrl, Store, load_failed_urls


class Command(LycosaCommand):
    """Lists failed and missing URLs with reason, times and next try; a row at a time."""

    example = "scrapy failed --json"

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "List the URLs that could not be fetched, and when they are tried again"

    def long_desc(self) -> str:
        """Says what the list is."""
        return (
            "Lists the pages whose last visit brought an error or no answer, and those that their host "
            "reports as missing: the reason, when that was, how often in a row, and when the next try is. "
            "'scrapy trace URL' prints each request for one of them, 'scrapy recrawl URL' tries it sooner."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Adds --json."""
        super().add_options(parser)
        add_json_option(parser)

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Prints the list. Raises EngineError when the data folder cannot be read."""
        no_arguments(args)
        now = time.time()
        with closing(Store(self.config().database)) as store, store.engine.connect() as connection:
            allow_idle(connection)  # in a pager
            found = load_failed_urls(connection, now)
            for piece in _as_json(found) if opts.json else _as_text(found):
                print(piece, end="")


def _as_json(found: Iterator[FailedUrl]) -> Iterator[str]:
    """Formats one object, in pieces."""
    yield '{"failed": ['
    for number, one in enumerate(found):
        yield f"{', ' if number else ''}{legible_json(_object(one))}"
    yield "]}\n"


def _object(one: FailedUrl) -> dict[str, Any]:
    return {
        "url": one.url,
        "state": one.state,
        "reason": one.reason,
        "status": one.status,
        "times": one.fails,
        "last_visit": _when(one.visited_at),
        "missing_since": _when(one.missing_since),
        "next_try": next_try(one),
    }


def _as_text(found: Iterator[FailedUrl]) -> Iterator[str]:
    is_empty = True
    for one in found:
        is_empty = False
        times = f", {one.fails} times in a row" if one.fails > 1 else ""
        since = f", missing since {_when(one.missing_since)}" if one.missing_since else ""
        yield f"{escape_text(one.url)}\n"
        yield f"    {one.reason or one.state}, {_when(one.visited_at) or 'never visited'}{times}{since}\n"
        yield f"    next try: {next_try(one)}\n"
    if is_empty:
        yield "no URL has failed\n"


def _when(at: float | None) -> str | None:
    return None if at is None else format_time(at)
