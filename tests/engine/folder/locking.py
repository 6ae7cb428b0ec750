"""Other processes that hold locks of a data folder."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.folder import RunLocks, vacuum_folder
from tests.engine.index.killing import forked


def run_7(folder: Path) -> object:
    """Takes the lock of run 7 of a crawl."""
    locks = RunLocks(folder)
    locks.lock(7)
    return locks


def vacuum(folder: Path) -> object:
    """Begins to vacuum a folder that has a database."""
    under_way = vacuum_folder(folder, 0)
    next(under_way)
    return under_way


@contextmanager
def other_process(folder: Path, hold: Callable[[Path], object]) -> Iterator[None]:
    """Another process that keeps what `hold` returns, and so its locks."""
    (ready, tell), (wait, end) = os.pipe(), os.pipe()

    def work() -> None:
        os.close(end)
        held = hold(folder)
        os.write(tell, b"x")
        os.read(wait, 1)
        del held

    child = forked(work)
    os.close(tell)
    try:
        assert os.read(ready, 1) == b"x"
        yield
    finally:
        os.close(end)
        os.waitpid(child, 0)
        for one in (ready, wait):
            os.close(one)
