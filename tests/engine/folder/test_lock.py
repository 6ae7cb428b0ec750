"""Whose turn it is in a data folder: locks that a process holds until it ends."""

import os
from contextlib import closing
from pathlib import Path

import pytest

from engine.errors import EngineError
from engine.folder import RunLocks
from tests.engine.folder.locking import other_process, run_7


def elsewhere(folder: Path, run: int) -> bool:
    """Whether another process finds a run locked."""
    child = os.fork()
    if not child:
        os._exit(RunLocks(folder).is_locked(run))
    return bool(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


def test_a_run_is_locked_as_long_as_its_process_lives(tmp_path: Path) -> None:
    with closing(RunLocks(tmp_path)) as locks:
        locks.lock(3)
        assert elsewhere(tmp_path, 3)
    assert not elsewhere(tmp_path, 3)


def test_who_asks_for_a_run_locks_nothing(tmp_path: Path) -> None:
    """Of a dead run several ask: each of them hears that it is dead."""
    with closing(RunLocks(tmp_path)) as locks:
        assert not locks.is_locked(3)
        assert not elsewhere(tmp_path, 3)


def test_all_are_locked_while_one_process_needs_the_folder_alone(tmp_path: Path) -> None:
    with closing(RunLocks(tmp_path)) as locks:
        with locks.lock_all("a migration"):
            assert not elsewhere(tmp_path, 3), "nobody does this run"
            said = rf"^a migration is using {tmp_path} \(process {os.getpid()}\); wait for it"
            with other_process(tmp_path, lambda folder: refused(folder, said)):
                pass
        with other_process(tmp_path, run_7):
            assert locks.is_locked(7)


def refused(folder: Path, said: str) -> None:
    """What another process hears: a crawl, and one that wants the folder alone."""
    locks = RunLocks(folder)
    with pytest.raises(EngineError, match=said):
        locks.lock(3)
    with pytest.raises(EngineError, match=said):
        locks.lock_all("a vacuum").__enter__()
