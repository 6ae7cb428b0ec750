"""Finds kept responses by URL and time, in an index on the disk that is made when it is wanted."""

import sqlite3
import zlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import NamedTemporaryFile

from engine.responses.folder import find_files
from engine.warc import read_captures

SAME_TIME = 0.001  # seconds; a record has its time in microseconds
PIECE = 64 * 1024  # bytes of a file that are read at once
CACHE_KIB = 32_000  # of the index that stay in memory


class KeptIndex:
    """Where the responses of a data folder are. For one thread; of no file on the disk is its name."""

    def __init__(self, data_dir: Path) -> None:
        """Goes through all files. Raises EngineError without fastwarc, and OSError."""
        self._files: Sequence[Path] = find_files(data_dir)
        with NamedTemporaryFile(dir=data_dir, prefix="responses.", suffix=".part") as file:
            self._database = sqlite3.connect(file.name, isolation_level=None)
            self._database.executescript(
                f"PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-{CACHE_KIB};"
                "PRAGMA locking_mode=EXCLUSIVE; BEGIN;"
                "CREATE TABLE kept (url TEXT, at REAL, file INTEGER, start INTEGER)"
            )
        for number, path in enumerate(self._files):
            for opened in read_captures(path, Counter()):
                capture = opened.capture
                row = (capture.url, capture.at, number, opened.offset)
                self._database.execute("INSERT INTO kept VALUES (?, ?, ?, ?)", row)
        self._database.execute("CREATE INDEX by_url ON kept (url, at)")

    def __bool__(self) -> bool:
        """Tells whether there are any files."""
        return bool(self._files)

    def find(self, url: str, at: float) -> bytes | None:
        """Reads the record of a URL at a time, packed as it stands; None where it is not kept."""
        query = "SELECT file, start FROM kept WHERE url = ? AND at BETWEEN ? AND ?"
        row = self._database.execute(query, (url, at - SAME_TIME, at + SAME_TIME)).fetchone()
        return read_member(self._files[row[0]], row[1]) if row else None

    def close(self) -> None:
        """Forgets all."""
        self._database.close()


def read_member(path: Path, start: int) -> bytes | None:
    """Reads one member of a gzip file (RFC 1952, 2.2), None of one that is torn."""
    member, unpacker = bytearray(), zlib.decompressobj(zlib.MAX_WBITS | 16)
    with path.open("rb") as file:
        file.seek(start)
        while not unpacker.eof and (piece := file.read(PIECE)):
            unpacker.decompress(piece)
            member += piece
    return bytes(member[: len(member) - len(unpacker.unused_data)]) if unpacker.eof else None
