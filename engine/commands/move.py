"""`scrapy move TO`: moves the crawl database to a server and the index to a cluster, or back."""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from scrapy.exceptions import UsageError

from engine.backup import move_database, move_index
from engine.command import LycosaCommand
from engine.config import Config, parse_cluster_url, parse_database_url
from engine.generations import IndexLocation
from engine.monitor import ProgressLine
from engine.opensearch import ClusterIndex

FOLDER = "folder"
CLUSTER = "opensearch+"


@dataclass(frozen=True)
class Targets:
    """Where the database and the index go; None: that one stays."""

    database: Path | str | None
    index: IndexLocation | None


class Command(LycosaCommand):
    """Copies all rows in one transaction, compares them, and says what to write into crawl.toml."""

    example = "scrapy move postgresql://lycosa@db.example.org/lycosa opensearch+https://search.example.org"

    def syntax(self) -> str:
        """Returns the command's syntax for --help."""
        return f"[options] [DATABASE] [CLUSTER] | {FOLDER}"

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "Move the crawl database to a server and the index to a cluster, or both back"

    def long_desc(self) -> str:
        """Says what is moved, what is kept out meanwhile, and what is left to do."""
        return (
            "DATABASE is the URL of an empty PostgreSQL database, CLUSTER the location of an OpenSearch "
            "cluster (docs/scale-out.md); 'folder' moves back to files in the data folder what is on a "
            "server. Passwords, sessions and the like go along, and replace what a folder has of them from "
            "before. All rows are copied with their numbers, and compared by counts and hashes before "
            "anything counts as moved; the index is built anew where it goes, from every page. A move that "
            "was stopped goes on when it is run again. It is refused while a crawl, a rebuild or a backup is "
            "at work; stop the search pages, too, as they go on with the old ones until they are started "
            "anew. Those stay as they are, for you to delete. An index in the folder follows a database that "
            "moves at once."
        )

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Moves. Raises EngineError for a target that is not empty or cannot be reached."""
        config = self.config()
        targets = _parse_targets(config, args)
        if targets.database is not None:
            moved = move_database(config, targets.database)
            for table, rows in moved.items():
                print(f"{table:<22}{rows:>14,} rows")
            if not moved:
                print("the database is there already, with the same rows")
        if targets.index is not None:
            with ProgressLine() as line:
                documents = move_index(
                    config,
                    targets.database or config.database,
                    targets.index,
                    lambda done, total: line.show(f"indexed {done:,} of {total:,}"),
                )
            print(f"{'index':<22}{documents:>14,} documents")
        print("\n".join(_list_next_steps(config, targets)))


def _parse_targets(config: Config, args: list[str]) -> Targets:
    """Parses what is to go where. Raises UsageError and EngineError."""
    if args == [FOLDER]:
        return _go_back(config)
    database = next((text for text in args if not text.startswith(CLUSTER)), "")
    cluster = next((text for text in args if text.startswith(CLUSTER)), "")
    if not args or [database, cluster].count("") != 2 - len(args):
        raise UsageError
    url = parse_database_url(database, "TO")
    beside = url or config.database_url
    # An index in a cluster has its link graph in the database.
    location = parse_cluster_url(cluster or config.cluster_url * bool(url), "TO", beside)
    return Targets(url or None, ClusterIndex(location, beside) if location else None)


def _go_back(config: Config) -> Targets:
    """Chooses what is on servers; the database where nothing is, of which it is said that it is there."""
    folder = config.data_dir
    database = folder if config.database_url or not config.cluster_url else None
    return Targets(database, folder if config.cluster_url else None)


def _list_next_steps(config: Config, targets: Targets) -> Iterator[str]:
    """Lists what is left for the operator to do."""
    if targets.database is not None:
        old = config.database_url or str(config.data_dir / "crawl.db")
        yield _next_step("database", targets.database, old)
    if targets.index is not None:
        old = config.cluster_url or str(config.data_dir / "index")
        to = targets.index.cluster if isinstance(targets.index, ClusterIndex) else targets.index
        yield _next_step("index", to, old)


def _next_step(key: str, to: Path | str, old: str) -> str:
    if isinstance(to, Path):
        return f"now delete the line '{key}' of crawl.toml; {old} stays as it is"
    return f'now write {key} = "{to}" into crawl.toml; {old} stays as it is'
