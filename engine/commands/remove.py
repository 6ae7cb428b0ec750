"""`scrapy remove TARGET`: removes pages from every answer and the database, and never asks for them again."""

import argparse
import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from scrapy.exceptions import UsageError

from engine.command import LycosaCommand
from engine.config import Config
from engine.errors import EngineError
from engine.index.indexing import expunge_deleted, make_follower
from engine.monitor import count
from engine.report import escape_text
from engine.store import (
    Block,
    Store,
    Target,
    add_block,
    lift_block,
    load_blocklist,
    load_blocks,
    match_target,
    parse_target,
    purge_urls,
    restore_urls,
    truncate_wal,
    write_transaction,
)


class Command(LycosaCommand):
    """Works beside a running crawl and a running search page (requirements 49, 50, 278, 285)."""

    example = 'scrapy remove "https://www.example.org/shop/*" --reason "its owner asked"'

    def syntax(self) -> str:
        """Returns the command's syntax for --help."""
        return "[options] TARGET --reason TEXT | --list | --undo NUMBER"

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "Remove a URL, a host or a prefix, and keep it out"

    def long_desc(self) -> str:
        """Says what TARGET may be, and what happens to it."""
        return (
            "TARGET is a URL; or a host: www.example.org (any scheme and port, no other name) or "
            "https://www.example.org (with a / behind it, only the home page); or a prefix, which ends "
            "in *: https://www.example.org/shop/* (quote it, so that the shell leaves the * alone). "
            "It leaves the index and the database, running search pages follow within seconds, its text "
            "leaves the disk (parts of the index are written again: a minute for a gigabyte), and no crawl "
            "asks for it until --undo; then the next crawl visits it again. Prints a receipt."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Adds the reason, the contact, and what to do with earlier removals."""
        super().add_options(parser)
        parser.add_argument("--reason", metavar="TEXT", help="why; it is kept with the removal")
        parser.add_argument("--contact", default="", metavar="C", help="who asked for it")
        parser.add_argument("--list", action="store_true", help="show all removals")
        parser.add_argument("--undo", type=int, metavar="NUMBER", help="lift the removal of this number")
        parser.add_argument("--json", action="store_true", help="one JSON object on one line")

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Removes, undoes or lists. Raises EngineError when there is nothing to remove or undo."""
        if len(args) + bool(opts.list) + (opts.undo is not None) != 1:
            raise UsageError
        store = Store(self.config().data_dir)
        try:
            if args:
                said = remove(store, self.config(), parse_target(args[0]), opts.reason, opts.contact)
            elif opts.list:
                said = _listed(store)
            else:
                said = undo(store, opts.undo)
        finally:
            store.close()
        print(json.dumps(said) if opts.json else "\n".join(receipt_lines(said)))


def remove(store: Store, config: Config, target: Target, reason: str | None, contact: str) -> dict[str, Any]:
    """Blocks and purges in one transaction, then updates the index; returns the receipt.

    Raises EngineError when no reason is given, or for a wrong [ranking].
    """
    reason = (reason or "").strip()
    if not reason:
        raise EngineError('give a reason with --reason "TEXT"; it is kept with the removal')
    follower, now = make_follower(store, config), time.time()
    with write_transaction(store.engine) as connection:
        number = add_block(connection, target, reason, contact, now)
        pages = purge_urls(connection, match_target(target))
    if follower.count_waiting():
        follower.catch_up()
    expunge_deleted(store, config.data_dir)
    truncate_wal(store.engine)
    return {**_receipt(Block(number, target, reason, contact, now, None)), "pages": pages}


def undo(store: Store, number: int) -> dict[str, Any]:
    """Lifts a removal; returns its receipt. Raises EngineError where it is not in force."""
    with store.engine.begin() as connection:
        block = lift_block(connection, number, time.time())
        queued = restore_urls(connection, block.target, load_blocklist(connection))
    return {**_receipt(block), "queued": queued}


def _listed(store: Store) -> dict[str, Any]:
    with store.engine.connect() as connection:
        return {"removals": [_receipt(block) for block in load_blocks(connection)]}


def _receipt(block: Block) -> dict[str, Any]:
    """Returns one removal as JSON has it; times are ISO 8601, UTC, null when it was not undone."""
    return {
        "number": block.number,
        "kind": block.target.extent,
        "target": block.target.text,
        "reason": block.reason,
        "contact": block.contact,
        "removed_at": _moment(block.at),
        "undone_at": _moment(block.undone_at) if block.undone_at else None,
    }


def receipt_lines(said: dict[str, Any]) -> Iterator[str]:
    """Formats a receipt, or a list of them, for people."""
    for receipt in said.get("removals", [said]):
        undone = f"undone {receipt['undone_at']}" if receipt["undone_at"] else ""
        words = (receipt["kind"], receipt["target"], receipt["reason"], receipt["contact"], undone)
        shown = "  ".join(escape_text(word) for word in words if word)
        yield f"removal {receipt['number']}  {receipt['removed_at']}  {shown}"
    if "pages" in said:
        yield f"{count(said['pages'], 'page')} left the index"
    if "queued" in said:
        yield f"{count(said['queued'], 'URL is', 'URLs are')} queued for the next crawl"
    if said.get("removals") == []:
        yield "nothing was removed so far"


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")
