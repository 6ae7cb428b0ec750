"""Reads one commit of an index folder: it stays as it was opened, whatever is committed meanwhile."""

from pathlib import Path

import numpy as np

from engine.audience import OPERATOR, View
from engine.errors import DamagedError
from engine.index.reader.cache import IndexCache
from engine.index.reader.leaf import Leaf, Member
from engine.index.reader.reader import Reader
from engine.segment import ArraySegment, folder

CHECKED_AT_ONCE = 1 << 28  # bytes of a segment that are checked before it answers: an eighth of a second

Stamp = tuple[int, ...] | None
"""What of a file changes whenever somebody writes to it; None where it is missing."""


class DirectoryReader(Reader):
    """The segments of a folder's latest commit, as far as a view has them: of others it knows nothing.

    Damaged ones are left out; `damaged` says which. Opening raises OSError, DamagedError or Whoosh's
    EmptyIndexError when files go meanwhile, or when nothing can be read.
    """

    def __init__(self, path: Path, cache: IndexCache, view: View = OPERATOR) -> None:
        contents = folder.read_contents(path)
        self.commit = contents.number
        self.damaged: list[DamagedError] = []
        segments = [one for one in contents.segments if view.admits(one.audiences)]
        self._stamps = {path / file: _read_stamp(path / file) for one in segments for file in one.files}
        members, votes, size = list[Member](), [np.empty(0, np.float32)], 0
        for segment in segments:
            try:
                member = _open_member(path, segment, size, cache, self._stamps[path / segment.files[0]])
                votes.append(segment.read_votes(path))
            except (DamagedError, FileNotFoundError) as error:
                if folder.latest_commit(path) != contents.number:  # swept after a commit that came meanwhile
                    raise
                self.damaged.append(_to_damage(error))
                continue
            members.append(member)
            size += segment.size
        super().__init__(members, np.concatenate(votes), cache)

    @property
    def is_changed(self) -> bool:
        """Tells whether its files were modified, which never should happen."""
        return any(_read_stamp(path) != stamp for path, stamp in self._stamps.items())

    @property
    def is_checked(self) -> bool:
        """Tells whether all its files were verified."""
        return all(member.leaf.is_checked for member in self.members)

    def check(self) -> None:
        """Verifies the checksums of every segment. Raises DamagedError."""
        for member in self.members:
            try:
                member.leaf.check()
            except DamagedError as error:
                self.cache.damaged[member.key] = error
                raise


def _open_member(path: Path, segment: ArraySegment, base: int, cache: IndexCache, stamp: Stamp) -> Member:
    name = segment.segment_id()
    key = (name, stamp)
    if key in cache.damaged:
        raise cache.damaged[key]
    leaf = cache.leaves.get(key)
    if leaf is None:
        leaf = Leaf(*segment.locate(path, "arrays"))
        if leaf.nbytes <= CHECKED_AT_ONCE:
            leaf.check()
        cache.leaves[key] = leaf
    alive = ~segment.read_deletions(path) if segment.gone else None
    deleted = np.flatnonzero([] if alive is None else ~alive).astype(np.int32)
    return Member(leaf, name, key, base, alive, deleted)


def _read_stamp(path: Path) -> Stamp:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _to_damage(error: DamagedError | FileNotFoundError) -> DamagedError:
    return error if isinstance(error, DamagedError) else DamagedError(Path(error.filename))
