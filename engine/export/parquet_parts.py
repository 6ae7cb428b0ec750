"""Writes a folder of Parquet files: one cannot be appended to, so each part is whole when it has its name."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.errors import EngineError
from engine.export.export_file import OWNER_ONLY, ExportState, find_state, save_state
from engine.export.parquet_columns import ParquetColumns, import_pyarrow
from engine.generations import sync_folder

PART_OCTETS = 32_000_000  # of JSON lines, in one part: what the memory holds, once more as columns
_PART, _DRAFT = "part-*.parquet", ".part.draft"  # readers of such folders pass over names with a point


class ParquetParts:
    """A folder to which an export appends. Raises OSError where it cannot be written."""

    def __init__(self, path: Path, columns: ParquetColumns, state: ExportState) -> None:
        self._path, self._columns, self.state = path, columns, state
        self._lines, self._reached = bytearray(), state

    def append(self, octets: bytes, state: ExportState) -> None:
        """Appends a batch of JSON lines, after which it goes as far as `state` says once they are saved."""
        self._lines += octets
        self._reached = state
        if len(self._lines) >= PART_OCTETS:
            self.save()

    def save(self) -> None:
        """Saves the lines that wait as a part, and how far the folder goes now."""
        lines, self._lines = self._lines, bytearray()
        if lines:
            self.write_part(self._reached.change, lines)
        self.state = replace(self._reached, octets=_measure(self._path))
        save_state(self._path, self.state)

    def write_part(self, change: int, lines: bytearray) -> None:
        """Writes the part that ends with this change, as one row group; it may have no rows."""
        draft = self._path / _DRAFT
        draft.unlink(missing_ok=True)
        draft.touch(OWNER_ONLY)
        table = _read_lines(lines, self._columns) if lines else self._columns.schema.empty_table()
        with draft.open("r+b") as file:
            import_pyarrow().parquet.write_table(
                table,
                file,
                row_group_size=max(1, len(table)),
                compression="zstd",
                use_dictionary=list(self._columns.repeated),
            )
            file.flush()
            os.fsync(file.fileno())
        draft.rename(self._path / _name_part(change))
        sync_folder(self._path)


@contextmanager
def open_parts(path: Path, new: ExportState, columns: ParquetColumns) -> Iterator[ParquetParts]:
    """Opens a folder to append to: a new one, or one that an earlier export of this database began.

    Parts behind what its state says are deleted. A new one gets a part without rows, so that a folder of
    nothing has columns. Raises EngineError for a folder of anything else, and OSError.
    """
    path.mkdir(OWNER_ONLY | 0o100, exist_ok=True)
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise EngineError(f"another export writes {path}: wait for its end") from error
        change = find_state(path, _measure(path), new).change
        for part in path.glob(_PART):
            if part.name > _name_part(change):
                part.unlink()
        parts = ParquetParts(path, columns, find_state(path, _measure(path), new))
        if not any(path.glob(_PART)):
            parts.write_part(change, bytearray())
        yield parts
        parts.save()
    finally:
        os.close(handle)


def delete_parts(path: Path) -> None:
    """Deletes the parts in a folder, and the folder. Raises OSError where something else is in it."""
    for part in (*path.glob(_PART), path / _DRAFT):
        part.unlink(missing_ok=True)
    path.rmdir()


def _name_part(change: int) -> str:
    return f"part-{change:012}.parquet"


def _read_lines(lines: bytearray, columns: ParquetColumns) -> Any:
    """Reads JSON lines as a table: by Arrow itself, so both exports have the same of each page."""
    pa = import_pyarrow()
    reader = pa.json
    return reader.read_json(
        pa.BufferReader(lines),
        reader.ReadOptions(use_threads=False, block_size=len(lines) + 1),  # a line is never parted
        reader.ParseOptions(explicit_schema=columns.schema, unexpected_field_behavior="error"),
    )


def _measure(path: Path) -> int:
    """Measures what is in a folder, but for a draft, in octets."""
    return sum(file.stat().st_size for file in path.iterdir() if file.name != _DRAFT)
