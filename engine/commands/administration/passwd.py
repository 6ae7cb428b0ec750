"""`scrapy passwd`: sets the password of the operator's pages."""

import argparse
import socket
import sys
import time
from getpass import getpass

from engine.admin import MAX_LENGTH, clear_password, save_password
from engine.command import LycosaCommand, no_arguments
from engine.errors import EngineError


class Command(LycosaCommand):
    """Turns the pages at /admin on and off, without a restart of the search page."""

    example = "scrapy passwd"

    def syntax(self) -> str:
        """Returns the command's syntax for --help."""
        return "[options]"

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "Set the password of the operator's pages"

    def long_desc(self) -> str:
        """Says what the password opens, and what a new one ends."""
        return (
            "Asks for the password of the operator's pages, which 'scrapy serve' has at /admin once there is "
            "one; without a terminal it is the first line of standard input. Only a hash of it is kept "
            "(argon2id). Setting it ends all sessions, and lifts the wait after failed logins."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Adds --off."""
        super().add_options(parser)
        parser.add_argument("--off", action="store_true", help="remove it, which turns the pages off")

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Sets or removes the password. Raises EngineError for one that is short, or typed differently."""
        no_arguments(args)
        location, place = self.config().database, f"the terminal of {socket.gethostname()}"
        if opts.off:
            clear_password(location, time.time(), place)
            print("the operator's pages are off")
            return
        typed = _ask()
        save_password(location, typed, time.time(), place)
        print("the operator's pages are at /admin of 'scrapy serve'; all their sessions ended")


def _ask() -> str:
    """Asks for a password, twice on a terminal. Raises EngineError where the two differ."""
    if not sys.stdin.isatty():
        return sys.stdin.readline(MAX_LENGTH + 2).removesuffix("\n")
    typed = getpass("Password: ")
    if getpass("The same again: ") != typed:
        raise EngineError("these were two different passwords; nothing was changed")
    return typed
