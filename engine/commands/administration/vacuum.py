"""`scrapy vacuum`: returns the free pages of the data folder's databases to the disk."""

import argparse

from engine.command import LycosaCommand, no_arguments
from engine.folder import vacuum_folder


class Command(LycosaCommand):
    """Vacuums the databases while no crawl runs; searches go on."""

    example = "scrapy vacuum"

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "Return free space of the databases to the disk"

    def long_desc(self) -> str:
        """Says when it is worth it, and what it needs."""
        return (
            "What is removed leaves free pages in the databases, which later pages take up; the files stay "
            "as long as they were. This shortens them, after much was removed. It is refused while a crawl, "
            "a rebuild or a backup is at work; searches go on, and submissions wait. Meanwhile the disk "
            "needs room for twice the largest database. Prints what each took before, and takes now."
        )

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Vacuums. Raises EngineError while the folder is in use, or without room."""
        no_arguments(args)
        config = self.config()
        errors = list[str]()
        for one in vacuum_folder(config.data_dir, config.limits.free_bytes):
            print(f"{one.name:<28}{one.before:>16,} bytes before {one.after:>16,} now")
            if one.error:
                errors.append(f"{one.name} stays as it was: {one.error}; 'scrapy check' says what is damaged")
        self.tell_damage(errors)
