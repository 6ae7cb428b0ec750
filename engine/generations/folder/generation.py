"""Finds generations: complete indexes in folders of their own, one of which is current.

DATA_DIR/index/current      the name of the folder that searchers open
               g000001/     one generation: Whoosh's files, commit, links.db, caught_up, source, before
               draft-.../   one being built; nobody reads it before it is published
               refused/     one that was built and did not pass its gates
"""

import re
from dataclasses import dataclass
from pathlib import Path

from engine.errors import DamagedError, EngineError
from engine.generations.folder.contents import count_documents
from engine.generations.folder.tag import read_number, read_tag, write_tag
from engine.generations.generation import FORM, describe_other_form

CURRENT = "current"
REASONS = "refusal_reasons"
REFUSED = "refused"

_NAME = re.compile(r"g\d{6,}")


@dataclass(frozen=True, slots=True)
class FolderGeneration:
    """One index folder."""

    path: Path

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.path.name

    @property
    def where(self) -> str:
        """Where it is, for messages."""
        return str(self.path)

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
    def audiences(self) -> str:
        """The digest of the rules by which pages are hidden in it; '': none is. Raises DamagedError."""
        try:
            return read_tag(self.path / "audiences")
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
        return describe_other_form(self.where, self.form)

    @property
    def before(self) -> "FolderGeneration | None":
        """The one that was current before this was published, None when it is not kept any more."""
        try:
            name = read_tag(self.path / "before")
        except (FileNotFoundError, DamagedError):
            return None
        path = self.path.parent / name
        return FolderGeneration(path) if _NAME.fullmatch(name) and path.is_dir() else None

    @property
    def refusal_reasons(self) -> list[str]:
        """Why its gates refused it, a sentence each."""
        reasons = self.path / REASONS
        return reasons.read_text("utf-8").splitlines() if reasons.exists() else []

    @property
    def nbytes(self) -> int:
        """The bytes of its files."""
        return sum(path.lstat().st_size for path in self.path.glob("*"))

    def count_documents(self) -> int:
        """Counts the documents of the last commit. Raises OSError, DamagedError."""
        return count_documents(self.path)

    def note_source(self, identity: str) -> None:
        """Notes which crawl database it follows."""
        write_tag(self.path / "source", identity)

    def note_audiences(self, digest: str) -> None:
        """Notes by which rules pages are hidden in it."""
        if digest:
            write_tag(self.path / "audiences", digest)

    def mark(self, seq: int) -> None:
        """Marks that everything up to this sequence number is committed; a kill before this
        replays a batch.
        """
        write_tag(self.path / "caught_up", str(seq))


def current_generation(data_dir: Path) -> FolderGeneration | None:
    """Finds the generation to search, None when nothing was ever published. Raises DamagedError."""
    tag = index_folder(data_dir) / CURRENT
    try:
        name = read_tag(tag)
    except FileNotFoundError:
        if not any(FolderGeneration(path).has_changes for path in list_generations(data_dir)):
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
    return FolderGeneration(index_folder(data_dir) / name)


def refused_generation(data_dir: Path) -> FolderGeneration | None:
    """Finds the draft that was refused last, complete and ready to be published all the same."""
    path = index_folder(data_dir) / REFUSED
    return FolderGeneration(path) if path.is_dir() else None


def index_folder(data_dir: Path) -> Path:
    """Returns the folder of all generations."""
    return data_dir / "index"


def list_generations(data_dir: Path) -> list[Path]:
    """Lists the folders of generations that are published."""
    return [path for path in index_folder(data_dir).glob("g*") if _NAME.fullmatch(path.name)]


def _find_older(data_dir: Path) -> FolderGeneration | None:
    """Finds the generation that an older Lycosa has made current, by its name alone."""
    name = (index_folder(data_dir) / CURRENT).read_bytes().strip().decode("ascii", "replace")
    older = FolderGeneration(index_folder(data_dir) / name) if _NAME.fullmatch(name) else None
    return older if older and older.form < FORM else None
