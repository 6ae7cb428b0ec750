"""`scrapy vacuum`: returns the free pages of the data folder's databases to the disk."""

import argparse
from collections.abc import Iterator
from contextlib import ExitStack, closing

from engine import VERSION
from engine.command import LycosaCommand, no_arguments
from engine.config import Config
from engine.database import count_database_bytes, open_database, open_run_locks, purge_deleted
from engine.folder import VACUUM_HOLDER, VacuumedDatabase, vacuum_folder
from engine.responses import find_files, purge_responses
from engine.store import Store


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
            "needs room for twice the largest database. Prints what each took before, and takes now. A "
            "crawl database on a server is vacuumed there, too: it frees the room of what was removed for "
            "later pages, and returns to its disk what is free at the end of a table. Responses that were "
            "kept (keep_responses) go where their pages were removed, have left or have changed."
        )

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Vacuums. Raises EngineError while a database or the folder is in use, or without room."""
        no_arguments(args)
        errors = list[str]()
        for one in _vacuum(self.config()):
            print(f"{one.name:<28}{one.before:>16,} bytes before {one.after:>16,} now")
            if one.error:
                errors.append(f"{one.name} stays as it was: {one.error}; 'scrapy check' says what is damaged")
        self.tell_damage(errors)


def _vacuum(config: Config) -> Iterator[VacuumedDatabase]:
    """Vacuums the folder's databases; before them that of the server, if it has the crawl database."""
    if not config.database_url:
        yield from vacuum_folder(config.data_dir, config.limits.free_bytes)
        yield from _purge_responses(config)
        return
    with closing(open_run_locks(config.database)) as locks, locks.lock_all(VACUUM_HOLDER):
        yield _vacuum_server(config.database_url)
        if config.data_dir.is_dir():
            yield from vacuum_folder(config.data_dir, config.limits.free_bytes, locks)
    yield from _purge_responses(config)


def _purge_responses(config: Config) -> Iterator[VacuumedDatabase]:
    """Purges the kept responses of pages that were removed, left or have changed, while no crawl runs."""
    if not find_files(config.data_dir):
        return
    with ExitStack() as held:
        locks = held.enter_context(closing(open_run_locks(config.database)))
        held.enter_context(locks.lock_all(VACUUM_HOLDER))
        store = held.enter_context(closing(Store(config.database)))
        for one in purge_responses(store.engine, config.data_dir, f"Lycosa/{VERSION}"):
            yield VacuumedDatabase(str(one.path.relative_to(config.data_dir)), one.before, one.after)


def _vacuum_server(url: str) -> VacuumedDatabase:
    before = count_database_bytes(url)
    engine = open_database(url)
    try:
        purge_deleted(engine)
    finally:
        engine.dispose()
    return VacuumedDatabase(url, before, count_database_bytes(url))
