"""`scrapy suspects`: lists URLs that look like a trap, for the operator to judge."""

import argparse
import json
from collections.abc import Iterator
from typing import Any

from scrapy.exceptions import UsageError

from engine.command import LycosaCommand, no_arguments
from engine.commands.remove import receipt_lines, remove
from engine.config import Config
from engine.report import escape_text, format_time
from engine.store import (
    Judgement,
    Store,
    Suspect,
    judge_suspect,
    load_suspect,
    load_suspects,
    parse_target,
)

MAX_SHOWN = 200  # characters of a URL; over-long ones are among those that are listed
# What each rule has seen, in the words of the list.
MEANING = {
    "length": "links too long to be followed",
    "long": "links of more than 1,024 characters, followed all the same",
    "repeat": "links whose path repeats itself",
    "queries": "links skipped: this path has too many queries",
    "host pages": "links skipped: the host has too many pages",
    "domain hosts": "links skipped: the domain has too many hosts",
    "domain pages": "links skipped: the hosts of the domain have too many pages together",
    "domain queue": "links skipped: too many pages of the domain are queued already",
    "depth": "pages whose links are too far from a seed",
    "strange": "links that are too long, repeat themselves or have too many queries: 30 % of all and more",
    "errors": "times that more than 30 % of the last responses were errors",
    "readers": "pages that took too long to read or too much memory",
    "duplicates": "times given up because new URLs brought only copies or errors",
    "sensitive": "links to a file that was not meant for the web, not followed: tell its owner",
    "soft 404": "pages that say 'not found' with status 200",
}


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
        parser.add_argument("--json", action="store_true", help="one JSON object on one line")

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Lists or judges. Raises EngineError for a number that is not in the list, or without a reason."""
        no_arguments(args)
        if None not in (opts.accept, opts.dismiss):
            raise UsageError("--accept or --dismiss, not both", print_help=False)
        store = Store(self.config().data_dir)
        try:
            if opts.accept is not None:
                said = accept_suspect(store, self.config(), opts.accept, opts.reason, opts.target)
            elif opts.dismiss is not None:
                said = {"dismissed": _object(dismiss_suspect(store, opts.dismiss))}
            else:
                said = _listed(store)
        finally:
            store.close()
        print(json.dumps(said) if opts.json else "\n".join(_lines(said)))


def accept_suspect(
    store: Store, config: Config, number: int, reason: str | None, typed: str | None = None
) -> dict[str, Any]:
    """Removes what a suspect is about, or the target that is typed; returns the receipt.

    Raises EngineError for a number that is not in the list, and without a reason.
    """
    with store.engine.connect() as connection:
        suspect = load_suspect(connection, number)
    target = parse_target(typed) if typed else suspect.seen.target
    receipt = remove(store, config, target, reason, "")
    with store.engine.begin() as connection:
        judge_suspect(connection, number, Judgement.ACCEPTED)
    return receipt


def dismiss_suspect(store: Store, number: int) -> Suspect:
    """Removes a suspect from the list. Raises EngineError for a number that is not in it."""
    with store.engine.begin() as connection:
        suspect = load_suspect(connection, number)
        judge_suspect(connection, number, Judgement.DISMISSED)
    return suspect


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
        yield f"    {one['times']:,} {MEANING[one['rule']]}"
        yield f"    such as {escape_text(shorten(one['example']))}"
        yield f"    --accept {one['number']} blocks the {one['kind']} {escape_text(shorten(one['target']))}"
    if not said["suspects"]:
        yield "no suspects"


def shorten(url: str) -> str:
    """Shortens a URL of which a person need not see the end."""
    return url if len(url) <= MAX_SHOWN else f"{url[:MAX_SHOWN]}..."
