"""Finds generations: complete indexes in folders of their own, one of which is current.

DATA_DIR/index/current      the name of the folder that searchers open
               g000001/     one generation: Whoosh's files, commit, links.db, caught_up, source, before
               draft-.../   one being built; nobody reads it before it is published
               refused/     one that was built and did not pass its gates
"""

import re
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from whoosh.index import EmptyIndexError

from engine.errors import DamagedError, EngineError
from engine.generations.tag import read_number, read_tag, write_tag

FORM = 8  # goes up when files or terms change, so that no index of another form is searched
CURRENT = "current"
REASONS = "refusal_reasons"
REFUSED = "refused"
UNREADABLE = (OSError, EngineError, EmptyIndexError, sqlite3.Error)  # what damaged or missing files raise

_NAME = re.compile(r"g\d{6,}")


@dataclass(frozen=True, slots=True)
class Generation:
    """One index folder."""

    path: Path

    @property
    def links(self) -> Path:
        """The link graph's file."""
        return self.path / "links.db"

    @property
    def caught_up(self) -> int:
        """The sequence number of the last change of the crawl database that is in it. Raises DamagedError."""
        try:
            return read_number(self.path / "caught_up")
        except FileNotFoundError:
            return 0

    @property
    def caught_up_at(self) -> float:
        """When that was committed, in seconds since 1970, UTC. Raises OSError where the folder is gone."""
        return (self.path / "caught_up").stat().st_mtime

    @property
    def has_changes(self) -> bool:
        """Whether anything was committed to it; one that is empty was to become the first."""
        return (self.path / "caught_up").exists()

    @property
    def source(self) -> str:
        """Which crawl database it follows (engine.database.identity); '': an older Lycosa wrote it.

        Raises DamagedError.
        """
        try:
            return read_tag(self.path / "source")
        except FileNotFoundError:
            return ""

    @property
    def form(self) -> int:
        """Which Lycosa wrote it: the number that FORM had then, 0 where that cannot be told."""
        try:
            return int((self.path / "form").read_text("ascii"))
        except (FileNotFoundError, ValueError):
            return 0

    @property
    def is_readable(self) -> bool:
        """Whether this Lycosa finds in it what it looks for."""
        return self.form == FORM

    def unreadable(self) -> EngineError:
        """Returns the error to raise where it is not readable."""
        return EngineError(
            f"the index in {self.path} has format {self.form}, and this Lycosa reads format {FORM}: "
            "run scrapy rebuild"
        )

    @property
    def before(self) -> "Generation | None":
        """The one that was current before this was published, None when it is not kept any more."""
        try:
            name = read_tag(self.path / "before")
        except (FileNotFoundError, DamagedError):
            return None
        path = self.path.parent / name
        return Generation(path) if _NAME.fullmatch(name) and path.is_dir() else None

    @property
    def refusal_reasons(self) -> list[str]:
        """Why its gates refused it, a sentence each."""
        reasons = self.path / REASONS
        return reasons.read_text("utf-8").splitlines() if reasons.exists() else []

    def note_source(self, identity: str) -> None:
        """Notes which crawl database it follows."""
        write_tag(self.path / "source", identity)

    def mark(self, seq: int) -> None:
        """Marks that everything up to this sequence number is committed; a kill before this
        replays a batch.
        """
        write_tag(self.path / "caught_up", str(seq))


def current_generation(data_dir: Path) -> Generation | None:
    """Finds the generation to search, None when nothing was ever published. Raises DamagedError."""
    tag = index_folder(data_dir) / CURRENT
    try:
        name = read_tag(tag)
    except FileNotFoundError:
        if not any(generation.has_changes for generation in map(Generation, list_generations(data_dir))):
            return None
        if tag.exists():  # the first one was published between the two looks
            return current_generation(data_dir)
        raise DamagedError(tag) from None
    except DamagedError:
        if older := _find_older(data_dir):
            return older
        raise
    if not _NAME.fullmatch(name):
        raise DamagedError(tag)
    return Generation(index_folder(data_dir) / name)


def undamaged_generation(data_dir: Path) -> Generation | None:
    """Finds the same, None too where it cannot be told: for those that publish another."""
    try:
        return current_generation(data_dir)
    except DamagedError:
        return None


def count_behind(data_dir: Path, last_change: int) -> int:
    """Counts the changes up to `last_change`, a sequence number, that the index lacks, at most."""
    generation = undamaged_generation(data_dir)
    try:
        return last_change - (generation.caught_up if generation else 0)
    except DamagedError:
        return last_change


def refused_generation(data_dir: Path) -> Generation | None:
    """Finds the draft that was refused last, complete and ready to be published all the same."""
    path = index_folder(data_dir) / REFUSED
    return Generation(path) if path.is_dir() else None


def current_size(data_dir: Path) -> int:
    """Adds up the bytes of the current generation, so of one that is to take its place, about."""
    generation = undamaged_generation(data_dir)
    return sum(path.lstat().st_size for path in generation.path.glob("*")) if generation else 0


def index_folder(data_dir: Path) -> Path:
    """Returns the folder of all generations."""
    return data_dir / "index"


def list_generations(data_dir: Path) -> list[Path]:
    """Lists the folders of generations that are published."""
    return [path for path in index_folder(data_dir).glob("g*") if _NAME.fullmatch(path.name)]


def _find_older(data_dir: Path) -> Generation | None:
    """Finds the generation that an older Lycosa has made current, by its name alone."""
    name = (index_folder(data_dir) / CURRENT).read_bytes().strip().decode("ascii", "replace")
    older = Generation(index_folder(data_dir) / name) if _NAME.fullmatch(name) else None
    return older if older and older.form < FORM else None
