"""Appends to a file batch by batch, so that one that was stopped anywhere goes on where a batch ended."""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from io import BufferedRandom
from pathlib import Path

from engine.errors import EngineError
from engine.generations import write_atomically

STATE_SUFFIX = ".state"  # behind the name of the file: of the file that says how far it goes
OWNER_ONLY = 0o600  # pages may be of an intranet


@dataclass(frozen=True)
class ExportState:
    """How far an export goes: up to a change of this crawl database, in so many octets.

    `began` is the newest change when it began: what left before was never in it. `aliases`: up to which
    change it has the URLs that others represent, where these are written once all pages are.
    """

    database: str
    began: int
    change: int = 0
    octets: int = 0
    aliases: int = 0


class ExportFile:
    """A file that an export appends to. Raises OSError where it cannot be written."""

    def __init__(self, file: BufferedRandom, path: Path, state: ExportState) -> None:
        self._file, self._path, self.state = file, path, state

    def append(self, octets: bytes, state: ExportState) -> None:
        """Appends a batch, and saves how far the file goes now: as `state` says, but for the octets."""
        self._file.write(octets)
        self._file.flush()
        os.fsync(self._file.fileno())
        self.state = replace(state, octets=self._file.tell())
        save_state(self._path, self.state)


@contextmanager
def open_export(path: Path, new: ExportState) -> Iterator[ExportFile]:
    """Opens a file to append to: a new one, or one that an earlier export of this database began.

    What stands behind its last whole batch is cut off. Raises EngineError for a file of anything else.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT, OWNER_ONLY)
    with os.fdopen(handle, "r+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise EngineError(f"another export writes {path}: wait for its end") from error
        state = find_state(path, file.seek(0, os.SEEK_END), new)
        file.truncate(state.octets)
        file.seek(state.octets)
        yield ExportFile(file, path, state)


def find_state(path: Path, octets: int, new: ExportState) -> ExportState:
    """Finds how far a file of so many octets goes; an empty one gets a new state. Raises EngineError."""
    state = _load_state(path)
    if not state and octets:
        raise EngineError(
            f"{path} is there, and no export of Lycosa's ({path}{STATE_SUFFIX} is missing): "
            "name another file, or delete it"
        )
    if not state:
        save_state(path, new)
        return new
    if state.database != new.database or state.change > new.began:
        raise EngineError(
            f"{path} is of another crawl database, or of a state of it that is lost: name another file"
        )
    if octets < state.octets:
        raise EngineError(f"{path} is shorter than it was: delete it and {path}{STATE_SUFFIX}")
    return state


def save_state(path: Path, state: ExportState) -> None:
    """Saves how far an export goes. Raises OSError."""
    write_atomically(Path(f"{path}{STATE_SUFFIX}"), json.dumps(asdict(state)))


def _load_state(path: Path) -> ExportState | None:
    """Loads how far a file goes, None where nothing says so. Raises EngineError for what nobody can read."""
    try:
        return ExportState(**json.loads(Path(f"{path}{STATE_SUFFIX}").read_bytes()))
    except FileNotFoundError:
        return None
    except (ValueError, TypeError) as error:
        raise EngineError(f"{path}{STATE_SUFFIX} is damaged: delete it and {path}") from error
