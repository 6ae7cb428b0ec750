"""Names and opens the WARC files of a data folder: each is one process's, and is never appended to again."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

FOLDER = "responses"  # in the data folder
SUFFIX = ".warc.gz"
OWNER_ONLY, OWNER_ONLY_FOLDER = 0o600, 0o700  # pages may be of an intranet


def find_files(data_dir: Path) -> Sequence[Path]:
    """Finds the files in the order in which they were begun."""
    return sorted((data_dir / FOLDER).glob(f"*{SUFFIX}"))


def open_private(path: Path, how: int = os.O_TRUNC) -> BinaryIO:
    """Opens a file to be written that its owner alone can read, unbuffered. Raises OSError."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | how, OWNER_ONLY), "wb", buffering=0)


def create_file(data_dir: Path, run: int) -> BinaryIO:
    """Creates the next file, which has a number and that of the run that writes it. Raises OSError."""
    folder = data_dir / FOLDER
    folder.mkdir(mode=OWNER_ONLY_FOLDER, parents=True, exist_ok=True)
    last = max((int(path.name.partition("-")[0]) for path in find_files(data_dir)), default=0)
    while True:
        last += 1
        try:
            return open_private(folder / f"{last:06}-{run}{SUFFIX}", os.O_EXCL)
        except FileExistsError:
            continue  # another process began one with this number, for the same run
