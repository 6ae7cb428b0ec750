"""`scrapy rebuild`: the index afresh from the crawl database, published in one step."""

import argparse

from engine.command import LycosaCommand, no_arguments
from engine.index.rebuild import rebuild
from engine.monitor.line import Line
from engine.store.lock import only_one
from engine.store.pages import Store
from engine.store.runs import logged


class Command(LycosaCommand):
    """Needs no network; a running search page goes on with the old index until the new one stands."""

    example = "scrapy rebuild"

    def short_desc(self) -> str:
        """One line for `scrapy` alone."""
        return "Make the index afresh from the crawl database"

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Rebuild. Raises EngineError when another rebuild is at work or the folder cannot be written."""
        no_arguments(args)
        folder = self.config().data_dir
        with only_one(folder, "rebuild"):
            store = Store(folder)
            with logged(store.engine, "rebuild"), Line() as line:
                generation = rebuild(
                    store, folder, lambda done, total: line.show(f"indexed {done} of {total}")
                )
            store.close()
        print(f"{generation.path.name} published")
