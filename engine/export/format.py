"""Chooses what an export writes of each change, by the suffixes of its file."""

import gzip
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from engine.errors import EngineError
from engine.export.link_lines import write_links
from engine.export.page_objects import write_page
from engine.store import Change

WriteLines = Callable[[Change], Iterator[str]]
LINES: Mapping[str, WriteLines] = {".jsonl": write_page, ".tsv": write_links}
"""What is written by the suffix of the file; with .gz behind it it is compressed (RFC 1952)."""
GZIP = ".gz"
WARC = ".warc.gz"
SITEMAP = (".xml", ".xml.gz")


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """What is written of a change, None where nothing is; and how a file begins.

    `has_gone`: URLs that left before the export began are told as well.
    """

    write: Callable[[Change], bytes | None]
    compress: Callable[[bytes], bytes] = bytes
    beginning: bytes = b""
    has_gone: bool = False


def choose_format(path: Path) -> ExportFormat:
    """Chooses the format of a file of lines. Raises EngineError for a suffix that names none."""
    is_packed = path.suffix == GZIP
    suffix = Path(path.stem).suffix if is_packed else path.suffix
    if suffix not in LINES:
        names = " or ".join((*LINES, WARC, SITEMAP[0]))
        raise EngineError(f"{path} is of no known format: name a file that ends in {names}")
    return line_format(LINES[suffix], gzip.compress if is_packed else bytes)


def line_format(write: WriteLines, compress: Callable[[bytes], bytes] = bytes) -> ExportFormat:
    """Makes a format of lines in UTF-8."""
    return ExportFormat(
        lambda change: "".join(f"{line}\n" for line in write(change)).encode(errors="replace"), compress
    )
