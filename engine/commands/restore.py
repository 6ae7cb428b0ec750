"""`scrapy restore FILE`: restores a backup into an absent or empty data folder."""

import argparse
from pathlib import Path

from scrapy.exceptions import UsageError

from engine.backup import restore_backup
from engine.command import LycosaCommand


class Command(LycosaCommand):
    """Unpacks and checks all of a backup before anything of it is in use."""

    needs_whole_folder = False
    example = "scrapy restore /var/backups/lycosa.tar -s DATA_DIR=restored"

    def syntax(self) -> str:
        """Returns the command's syntax for --help."""
        return "[options] FILE"

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "Restore a backup into an empty data folder"

    def long_desc(self) -> str:
        """Says where a backup is restored, and what becomes of crawl.toml."""
        return (
            "FILE is what 'scrapy backup' has written. The data folder has to be absent or empty. The "
            "crawl.toml of the backup is written where there is none; where there is another, it is laid "
            "beside it as crawl.toml.restored. If the crawl.toml in place names a server's database, the "
            "crawl database is restored there, and has to be empty, too. A restore that was stopped is no "
            "data folder yet: run it again. What was removed by 'scrapy remove' after the backup has to be "
            "removed again."
        )

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Restores. Raises EngineError for a folder or database that is not empty, or no whole backup."""
        if len(args) != 1:
            raise UsageError
        assert self.settings is not None
        config, crawl_toml = self.config(), Path(self.settings["CRAWL_TOML"])
        restored = restore_backup(Path(args[0]), config, crawl_toml)
        print(f"{config.data_dir} is restored from {args[0]}")
        if restored.config:
            print(f"the saved crawl.toml is {restored.config}")
        if restored.elsewhere:
            print(
                f"it names the crawl database {restored.elsewhere}; what is restored is in {config.data_dir} "
                "instead, as no crawl.toml was in place"
            )
        if restored.lacking:
            print(restored.lacking)
