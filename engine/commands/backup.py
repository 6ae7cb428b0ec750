"""`scrapy backup FILE`: saves the data folder into one file, while it is in use."""

import argparse
from pathlib import Path

from scrapy.exceptions import UsageError

from engine.backup import save_backup
from engine.command import LycosaCommand
from engine.config import MEGABYTE


class Command(LycosaCommand):
    """Saves one moment of the data folder; crawls and search pages go on."""

    example = "scrapy backup /var/backups/lycosa.tar"

    def syntax(self) -> str:
        """Returns the command's syntax for --help."""
        return "[options] FILE"

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "Save the data folder and crawl.toml into one file"

    def long_desc(self) -> str:
        """Says what is saved, and what it takes."""
        return (
            "FILE is a tar file outside the data folder; one that is there stays until the new one is "
            "complete. It has the crawl database, the current index, crawl.toml and the operator's files, "
            "all of one moment, and only its owner can read it. A crawl database on a server is saved as a "
            "file of SQLite, and may be restored as that or to a server. Crawls and search pages may run "
            "meanwhile. While it is written, the disk of FILE needs room for twice the databases and once "
            "all else. "
            "'scrapy restore FILE' restores it."
        )

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Saves. Raises EngineError for a crawl database that is damaged or away, or without room."""
        if len(args) != 1:
            raise UsageError
        assert self.settings is not None
        config, target = self.config(), Path(args[0])
        crawl_toml = Path(self.settings["CRAWL_TOML"])
        saved = save_backup(config, crawl_toml, target)
        print(f"{target}: {saved.size / MEGABYTE:,.1f} MB, {len(saved.names):,} files of {config.data_dir}")
        self.tell_damage(saved.lacking)
