"""Chooses what an export writes of each change, by the suffixes of its file."""

import gzip
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from engine.errors import EngineError
from engine.export.export_file import STATE_SUFFIX, ExportState, open_export
from engine.export.link_lines import write_link_objects, write_links
from engine.export.page_objects import write_page
from engine.export.parquet_columns import define_link_columns, define_page_columns
from engine.export.parquet_parts import delete_parts, open_parts
from engine.store import Change

WriteChange = Callable[[Change], bytes | None]
"""Returns what an export has of a change, None where that is nothing."""
WriteLines = Callable[[Change], Iterator[str]]
LINES: Mapping[str, WriteLines] = {".jsonl": write_page, ".tsv": write_links}
"""What is written by the suffix of the file; with .gz behind it it is compressed (RFC 1952)."""
GZIP = ".gz"
WARC = ".warc.gz"
SITEMAP = (".xml", ".xml.gz")
PARQUET = ".parquet"
PARQUET_LINKS = "links.parquet"  # at the end of a name


class ExportTarget(Protocol):
    """What an export appends to batch by batch, and how far it goes."""

    state: ExportState

    def append(self, octets: bytes, state: ExportState) -> None:
        """Appends a batch, after which it goes as far as `state` says, but for the octets. Raises OSError."""


OpenTarget = Callable[[Path, ExportState], AbstractContextManager[ExportTarget]]
"""Opens what an export appends to; the state is that of a new one."""


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """What is written of a change, None where nothing is; into what, and how that begins.

    `write_alias`: the same of URLs that others represent, once all pages are written.
    """

    write: WriteChange
    compress: Callable[[bytes], bytes] = bytes
    beginning: bytes = b""
    write_alias: WriteChange | None = None
    open: OpenTarget = open_export


def choose_format(path: Path) -> ExportFormat:
    """Chooses the format of a file of lines, or of Parquet.

    Raises EngineError for a suffix that names none, and for Parquet without pyarrow.
    """
    is_packed = path.suffix == GZIP
    suffix = Path(path.stem).suffix if is_packed else path.suffix
    if path.name.endswith(PARQUET_LINKS):
        return line_format(write_link_objects, open_target=partial(open_parts, columns=define_link_columns()))
    if path.suffix == PARQUET:
        return line_format(write_page, open_target=partial(open_parts, columns=define_page_columns()))
    if suffix not in LINES:
        names = " or ".join((*LINES, PARQUET, WARC, SITEMAP[0]))
        raise EngineError(f"{path} is of no known format: name a file that ends in {names}")
    return line_format(LINES[suffix], gzip.compress if is_packed else bytes)


def line_format(
    write: WriteLines,
    compress: Callable[[bytes], bytes] = bytes,
    open_target: OpenTarget = open_export,
) -> ExportFormat:
    """Makes a format of lines in UTF-8."""
    return ExportFormat(
        lambda change: "".join(f"{line}\n" for line in write(change)).encode(errors="replace"),
        compress,
        open=open_target,
    )


def delete_export(path: Path) -> None:
    """Deletes a file, whoever wrote it, or a folder of parts, and its state. Raises OSError."""
    if path.is_dir():
        delete_parts(path)
    path.unlink(missing_ok=True)
    Path(f"{path}{STATE_SUFFIX}").unlink(missing_ok=True)
