"""`scrapy evaluate DIR`: measures the ranking on a judged collection."""

import argparse
import json
from pathlib import Path
from tempfile import TemporaryDirectory

from scrapy.exceptions import UsageError

from engine.command import LycosaCommand, add_json_option
from engine.monitor import ProgressLine
from engine.ranking import read_ranking
from engine.relevance import index_collection, load_collection, measure_collection


class Command(LycosaCommand):
    """Indexes and ranks as for a crawl, in a folder that is deleted again; needs no data folder."""

    example = "scrapy evaluate cranfield --json"

    def syntax(self) -> str:
        """Returns the command's syntax for --help."""
        return "[options] DIR"

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "Measure the ranking on a judged collection"

    def long_desc(self) -> str:
        """Says what DIR holds, and what is printed."""
        return (
            "DIR holds docs.jsonl (id, title, text), queries.tsv (id, words), qrels.tsv (query id, "
            "document id, grade) and perhaps links.tsv (id, id, anchor text); each may be compressed "
            "(.gz). Prints nDCG@10, MAP and Recall@100, means over the queries that have a relevant "
            "document; ranked with [ranking] of crawl.toml."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Adds --json."""
        super().add_options(parser)
        add_json_option(parser)

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Prints the measures. Raises EngineError for a collection that cannot be read."""
        if len(args) != 1:
            raise UsageError
        ranking = read_ranking(self.config().ranking)
        collection = load_collection(Path(args[0]))
        with TemporaryDirectory(prefix="lycosa-") as folder, ProgressLine() as line:

            def progress(done: int, total: int) -> None:
                line.show(f"indexed {done:,} of {total:,}")

            generation = index_collection(collection, Path(folder), progress, ranking)
            line.show(f"{len(collection.queries):,} queries")
            found = measure_collection(collection, generation, ranking)
        figures = {
            **found.as_object(),
            "queries": len(collection.queries),
            "documents": len(collection.pages),
        }
        print(json.dumps(figures) if opts.json else "\n".join(f"{k:<11} {v:,}" for k, v in figures.items()))
