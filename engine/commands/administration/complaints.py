"""`scrapy complaints`: lists the open complaints of site owners, and closes one with an answer."""

import argparse
import json
import time
from collections.abc import Iterator, Mapping
from typing import Any

from engine.command import LycosaCommand, add_json_option, no_arguments
from engine.complaints import Complaint, close_complaint, has_pause, load_open_complaints
from engine.frontier import load_paused
from engine.monitor import legible
from engine.report import escape_text, format_time


class Command(LycosaCommand):
    """What owners complain about at /owner, for who has no password for /admin."""

    example = 'scrapy complaints --close 3 --answer "Lycosa comes at night only from now on."'

    def syntax(self) -> str:
        """Returns the command's syntax for --help."""
        return "[options]"

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "List the open complaints of site owners, and close one"

    def long_desc(self) -> str:
        """Says who complains, and what closing one does."""
        return (
            "Who has shown at /owner that a host is theirs may complain there. While a complaint is open its "
            "host is paused, unless its owner said that there is no need. --close ends it, and the pause "
            "that it began; the owner sees the answer."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Adds which one to close, and the answer."""
        super().add_options(parser)
        parser.add_argument("--close", type=int, metavar="NUMBER", help="close this one")
        parser.add_argument("--answer", default="", metavar="TEXT", help="what its owner reads then")
        add_json_option(parser)

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Closes one, then lists. Raises EngineError for one that is not open."""
        no_arguments(args)
        config = self.config()
        if opts.close is not None:
            close_complaint(config.database, opts.close, opts.answer, time.time())
        rows = load_open_complaints(config.database)
        paused = load_paused(config.database)
        if opts.json:
            print(json.dumps({"complaints": [_object(paused, one) for one in rows]}))
        else:
            print("\n".join(line for one in rows for line in _lines(paused, one)) or "no complaint is open")


def _object(paused: Mapping[str, float], one: Complaint) -> dict[str, Any]:
    """Returns a complaint as JSON has it; times are ISO 8601, UTC."""
    return {
        "number": one.number,
        "host": one.host,
        "at": format_time(one.at),
        "text": one.text,
        "contact": one.contact,
        "paused": has_pause(paused, one),
    }


def _lines(paused: Mapping[str, float], one: Complaint) -> Iterator[str]:
    """Formats it for people: whole, without what a terminal takes for orders."""
    mark = "  (paused)" if has_pause(paused, one) else ""
    contact = f"  {escape_text(one.contact)}" if one.contact else ""
    yield f"complaint {one.number}  {format_time(one.at)}  {escape_text(one.host)}{mark}{contact}"
    yield from (f"    {legible(line)}" for line in one.text.splitlines())
