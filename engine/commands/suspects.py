"""`scrapy suspects`: lists URLs that look like a trap, for the operator to judge."""

import argparse
import json
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from scrapy.exceptions import UsageError

from engine.command import LycosaCommand, add_json_option, no_arguments
from engine.removal import accept_suspect, describe_times, dismiss_suspect, receipt_lines
from engine.report import escape_text, format_time
from engine.store import Store, Suspect, load_suspects

MAX_SHOWN = 200  # characters of a URL; over-long ones are among those that are listed


class Command(LycosaCommand):
    """Blocks what the operator accepts of the suspects that runs have found."""

    example = 'scrapy suspects --accept 3 --reason "an endless calendar"'

    def syntax(self) -> str:
        """Returns the command's syntax for --help."""
        return "[options] [--accept NUMBER --reason TEXT [--target T] | --dismiss NUMBER]"

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "List suspected crawler traps; block or dismiss them"

    def long_desc(self) -> str:
        """Says what the list is, and what the two judgements do."""
        return (
            "Lists hosts and paths that cost many requests and bring little, each with an example and "
            "with what --accept would block. --accept removes that, as 'scrapy remove' does, and prints "
            "the receipt; 'scrapy remove --undo' lifts it. --dismiss removes the suspect from the list "
            "for good."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Adds the operator's judgement."""
        super().add_options(parser)
        parser.add_argument("--accept", type=int, metavar="NUMBER", help="block this suspect")
        parser.add_argument(
            "--target", metavar="T", help="block this URL, host or prefix instead of what is listed"
        )
        parser.add_argument("--reason", metavar="TEXT", help="why; it is kept with the removal")
        parser.add_argument("--dismiss", type=int, metavar="NUMBER", help="do not list this one again")
        add_json_option(parser)

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Lists or judges. Raises EngineError for a number that is not in the list, or without a reason."""
        no_arguments(args)
        if None not in (opts.accept, opts.dismiss):
            raise UsageError("--accept or --dismiss, not both", print_help=False)
        with closing(Store(self.config().database)) as store:
            if opts.accept is not None:
                said = accept_suspect(store, self.config(), opts.accept, opts.reason, opts.target)
            elif opts.dismiss is not None:
                said = {"dismissed": _object(dismiss_suspect(store, opts.dismiss))}
            else:
                said = _listed(store)
        print(json.dumps(said) if opts.json else "\n".join(_lines(said)))


def _listed(store: Store) -> dict[str, Any]:
    with store.engine.connect() as connection:
        return {"suspects": [_object(suspect) for suspect in load_suspects(connection)]}


def _object(suspect: Suspect) -> dict[str, Any]:
    """Returns one suspect as JSON has it; times are ISO 8601, UTC."""
    seen = suspect.seen
    return {
        "number": suspect.number,
        "host": seen.host,
        "rule": seen.rule,
        "times": seen.times,
        "example": seen.example,
        "kind": seen.target.extent,
        "target": seen.target.text,
        "first_at": format_time(suspect.first_at),
        "last_at": format_time(suspect.last_at),
    }


def _lines(said: dict[str, Any]) -> Iterator[str]:
    """Formats the same for people."""
    if "dismissed" in said:
        yield f"suspect {said['dismissed']['number']} is not listed any more"
        return
    if "suspects" not in said:
        yield from receipt_lines(said)
        return
    for one in said["suspects"]:
        host = escape_text(one["host"])
        yield f"suspect {one['number']}  {one['rule']}  {host}  last seen {one['last_at']}"
        yield f"    {describe_times(one['rule'], one['times'])}"
        yield f"    such as {escape_text(shorten(one['example']))}"
        yield f"    --accept {one['number']} blocks the {one['kind']} {escape_text(shorten(one['target']))}"
    if not said["suspects"]:
        yield "no suspects"


def shorten(url: str) -> str:
    """Shortens a URL of which a person need not see the end."""
    return url if len(url) <= MAX_SHOWN else f"{url[:MAX_SHOWN]}..."
