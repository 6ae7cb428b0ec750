"""`scrapy remove TARGET`: removes pages from every answer and the database, and never asks for them again."""

import argparse
import json
from contextlib import closing
from typing import Any

from scrapy.exceptions import UsageError

from engine.command import LycosaCommand, add_json_option
from engine.removal import receipt_lines, removal_object, remove, undo
from engine.store import Store, load_blocks, parse_target


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
        add_json_option(parser)

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Removes, undoes or lists. Raises EngineError when there is nothing to remove or undo."""
        if len(args) + bool(opts.list) + (opts.undo is not None) != 1:
            raise UsageError
        with closing(Store(self.config().database)) as store:
            if args:
                said = remove(store, self.config(), parse_target(args[0]), opts.reason, opts.contact)
            elif opts.list:
                said = _listed(store)
            else:
                said = undo(store, opts.undo)
        print(json.dumps(said) if opts.json else "\n".join(receipt_lines(said)))


def _listed(store: Store) -> dict[str, Any]:
    with store.engine.connect() as connection:
        return {"removals": [removal_object(block) for block in load_blocks(connection)]}
