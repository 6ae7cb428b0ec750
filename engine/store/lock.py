"""One of a kind at a time on a data folder; a dead process holds nothing."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.errors import EngineError


@contextmanager
def only_one(data_dir: Path, kind: str) -> Iterator[None]:
    """Hold the folder's lock for a `kind` of work ('crawl', 'rebuild').

    Raises EngineError when another process holds it or the folder cannot be
    written. The kernel drops the lock with its process, kill -9 included.
    """
    path = data_dir / f"{kind}.lock"
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
        file = open(path, "a+", encoding="ascii")  # noqa: SIM115
    except OSError as error:
        raise EngineError(
            f"cannot write to the data folder {data_dir}: {error.strerror}; "
            "choose another with -s DATA_DIR=FOLDER"
        ) from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            file.seek(0)
            raise EngineError(
                f"another {kind} is at work on {data_dir} (process {file.read(20).strip()}); "
                "wait for it, or stop it"
            ) from error
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield
