"""`scrapy move TO`: moves the crawl database to a server, or back into the data folder."""

import argparse
from pathlib import Path

from scrapy.exceptions import UsageError

from engine.backup import move_database
from engine.command import LycosaCommand
from engine.config import Config, parse_database_url

FOLDER = "folder"


class Command(LycosaCommand):
    """Copies all rows in one transaction, compares them, and says what to write into crawl.toml."""

    example = "scrapy move postgresql://lycosa@db.example.org/lycosa"

    def syntax(self) -> str:
        """Returns the command's syntax for --help."""
        return f"[options] URL|{FOLDER}"

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "Move the crawl database to a server, or back into the data folder"

    def long_desc(self) -> str:
        """Says what is moved, what is kept out meanwhile, and what is left to do."""
        return (
            "URL is that of an empty PostgreSQL database (docs/scale-out.md); from a server, 'folder' moves "
            "back to files in the data folder. Passwords, sessions and the like go along, and replace what a "
            "folder has of them from before. All rows are copied with their numbers, and compared by counts "
            "and hashes before anything counts as moved; a move that was stopped has moved nothing: run it "
            "again. It is refused while a crawl, a rebuild or a backup is at work; stop the search "
            "pages, too, as they go on with the old database until they are started anew. That one stays "
            "as it is, for you to delete. The index follows the new one at once."
        )

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Moves. Raises EngineError for a target that is not empty or cannot be reached."""
        if len(args) != 1:
            raise UsageError
        config = self.config()
        moved = move_database(config, _parse_target(config, args[0]))
        for table, rows in moved.items():
            print(f"{table:<22}{rows:>14,} rows")
        print(_next_step(config, args[0]))


def _parse_target(config: Config, text: str) -> Path | str:
    return config.data_dir if text == FOLDER else parse_database_url(text, "TO")


def _next_step(config: Config, text: str) -> str:
    if text == FOLDER:
        return f"now delete the line 'database' of crawl.toml; {config.database_url} stays as it is"
    old = config.database_url or str(config.data_dir / "crawl.db")
    return f'now write database = "{text}" into crawl.toml; {old} stays as it is'
