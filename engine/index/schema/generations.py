"""Manages generations: complete indexes in folders of their own, one of which is current.

    DATA_DIR/index/current      the name of the folder that searchers open
                   g000001/     one generation: Whoosh's files, commit, links.db, caught_up, before
                   draft-.../   one being built; nobody reads it before it is published
                   refused/     one that was built and did not pass its gates

Built aside and published in one step: a searcher sees the old generation or the new one.
"""

import fcntl
import re
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from whoosh.index import EmptyIndexError

from engine.errors import EngineError
from engine.segment import DamagedError, read_number, read_tag, write_atomically, write_tag

FORM = 8  # goes up when files or terms change, so that no index of another form is searched
_NAME = re.compile(r"g\d{6,}")
_CURRENT = "current"
_REFUSED = "refused"
_REASONS = "refusal_reasons"
UNREADABLE = (OSError, EngineError, EmptyIndexError, sqlite3.Error)  # what damaged or missing files raise


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
        reasons = self.path / _REASONS
        return reasons.read_text("utf-8").splitlines() if reasons.exists() else []

    def mark(self, seq: int) -> None:
        """Marks that everything up to this sequence number is committed; a kill before this
        replays a batch.
        """
        write_tag(self.path / "caught_up", str(seq))


def current_generation(data_dir: Path) -> Generation | None:
    """Finds the generation to search, None when nothing was ever published. Raises DamagedError."""
    tag = _folder(data_dir) / _CURRENT
    try:
        name = read_tag(tag)
    except FileNotFoundError:
        if not any(generation.has_changes for generation in map(Generation, _list_generations(data_dir))):
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
    return Generation(_folder(data_dir) / name)


def undamaged_generation(data_dir: Path) -> Generation | None:
    """Finds the same, None too where it cannot be told: for those that publish another."""
    try:
        return current_generation(data_dir)
    except DamagedError:
        return None


def create_draft(data_dir: Path, kind: str) -> Generation:
    """Creates an empty folder for a generation to be built in; one that a killed process left is cleared
    away.
    """
    path = _folder(data_dir) / f"draft-{kind}"
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    write_atomically(path / "form", str(FORM))
    return Generation(path)


@contextmanager
def temporary_draft(data_dir: Path, kind: str) -> Iterator[Generation]:
    """Creates a draft that is deleted when its block fails: the disk may be full."""
    with ExitStack() as failed:
        failed.callback(shutil.rmtree, _folder(data_dir) / f"draft-{kind}", ignore_errors=True)
        yield create_draft(data_dir, kind)
        failed.pop_all()


def refuse(data_dir: Path, complete: Generation, reasons: Sequence[str]) -> None:
    """Puts a draft aside that did not pass its gates, with why; none is there that was refused earlier."""
    write_atomically(complete.path / _REASONS, "\n".join(reasons))
    complete.path.rename(_folder(data_dir) / _REFUSED)


def refused_generation(data_dir: Path) -> Generation | None:
    """Finds the draft that was refused last, complete and ready to be published all the same."""
    path = _folder(data_dir) / _REFUSED
    return Generation(path) if path.is_dir() else None


def forget_refused(data_dir: Path) -> None:
    """Deletes a refused draft in one step: a half deleted one never counts as complete."""
    if kept := refused_generation(data_dir):
        leaving = _folder(data_dir) / f"draft-{_REFUSED}"
        shutil.rmtree(leaving, ignore_errors=True)  # what a killed process left of another
        shutil.rmtree(kept.path.rename(leaving))


def publish(data_dir: Path, complete: Generation) -> Generation:
    """Makes a draft the current generation and deletes all but it and the one before.

    The caller holds the 'write' lock and has closed everything it had open in the draft.
    """
    before = undamaged_generation(data_dir)
    numbers = [int(path.name[1:]) for path in _list_generations(data_dir)]
    published = Generation(_folder(data_dir) / f"g{max(numbers, default=0) + 1:06}")
    write_tag(complete.path / "before", before.path.name if before else "")
    complete.path.rename(published.path)
    _make_current(data_dir, published)
    _delete_all_but(data_dir, published, before)
    return published


def go_back(data_dir: Path) -> Generation:
    """Makes the generation before the current one current again, and the first that is kept.

    The one that is left stays on the disk until the next publish(): searchers have it open. The
    caller holds the 'write' lock. Raises EngineError when none is before.
    """
    left = current_generation(data_dir)
    if left is None or (before := left.before) is None:
        raise EngineError(
            f"no index before the current one is kept in {data_dir}; 'scrapy rebuild' makes a new one"
        )
    _delete_all_but(data_dir, left, before)
    _make_current(data_dir, before)
    return before


def current_size(data_dir: Path) -> int:
    """Adds up the bytes of the current generation, so of one that is to take its place, about."""
    generation = undamaged_generation(data_dir)
    return sum(path.lstat().st_size for path in generation.path.glob("*")) if generation else 0


@contextmanager
def lock(data_dir: Path, kind: str) -> Iterator[None]:
    """Waits until no other process does this kind of work ('write', 'rebuild') on the index folder.

    The kernel drops the lock with its process, kill -9 included. Raises EngineError when the
    folder cannot be written.
    """
    try:
        _folder(data_dir).mkdir(parents=True, exist_ok=True)
        file = open(_folder(data_dir) / f"{kind}.lock", "a", encoding="ascii")  # noqa: SIM115
    except OSError as error:
        raise EngineError(f"cannot write the index in {data_dir}: {error.strerror}") from error
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _folder(data_dir: Path) -> Path:
    return data_dir / "index"


def _make_current(data_dir: Path, generation: Generation) -> None:
    write_tag(_folder(data_dir) / _CURRENT, generation.path.name)


def _delete_all_but(data_dir: Path, *kept: Generation | None) -> None:
    for path in _list_generations(data_dir):
        if Generation(path) not in kept:
            shutil.rmtree(path, ignore_errors=True)


def _find_older(data_dir: Path) -> Generation | None:
    """Finds the generation that an older Lycosa has made current, by its name alone."""
    name = (_folder(data_dir) / _CURRENT).read_bytes().strip().decode("ascii", "replace")
    older = Generation(_folder(data_dir) / name) if _NAME.fullmatch(name) else None
    return older if older and older.form < FORM else None


def _list_generations(data_dir: Path) -> list[Path]:
    return [path for path in _folder(data_dir).glob("g*") if _NAME.fullmatch(path.name)]
