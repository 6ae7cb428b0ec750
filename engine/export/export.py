"""Exports the changes of a crawl database, in the order in which an index follows them."""

import gzip
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple

from engine.errors import EngineError
from engine.export.export_file import ExportState, delete_export, open_export
from engine.export.link_lines import write_links
from engine.export.page_objects import write_page
from engine.monitor import count
from engine.store import Change, ChangeSource

BATCH = 200  # changes, or 8 MB of packed pages: what the memory holds of an export

WriteLines = Callable[[Change], Iterator[str]]
EXPORTED: Mapping[str, WriteLines] = {".jsonl": write_page, ".tsv": write_links}
"""What is written by the suffix of the file; with .gz behind it it is compressed (RFC 1952)."""
_GZIP = ".gz"


class Exported(NamedTuple):
    """How many changes were written: pages, and URLs that have none any more."""

    pages: int
    gone: int


class ChangeBatch(NamedTuple):
    """The lines of some changes, the last of which is `change`."""

    octets: bytes
    change: int
    written: Exported


def begin_export(source: ChangeSource, path: Path, *, anew: bool) -> None:
    """Begins a file for what changes from now on; one that is there goes on as it is, or is begun `anew`.

    Raises EngineError and OSError as export_to_file() does.
    """
    _choose_format(path)
    if anew:
        delete_export(path)
    end = source.last_change()
    with open_export(path, ExportState(source.identity(), end, end)):
        pass


def export_to_file(
    source: ChangeSource, path: Path, since: float, report: Callable[[int, int], None]
) -> Exported:
    """Exports what was stored until now; to a file of an earlier export what has changed or left after it.

    `since`: seconds since 1970; pages that were fetched before are left out. `report` is told which change
    of which is done. Raises EngineError for a suffix that names no format, and for a file of anything else;
    OSError.
    """
    write, compress = _choose_format(path)
    end, counts = source.last_change(), list[Exported]()
    with open_export(path, ExportState(source.identity(), end)) as file:
        for batch in _make_batches(source, write, file.state, end, since):
            file.append(compress(batch.octets) if batch.octets else b"", batch.change)
            report(batch.change, end)
            counts.append(batch.written)
    return _sum(counts)


def export_to_stream(source: ChangeSource, stream: BinaryIO, since: float) -> Exported:
    """Exports all pages that are stored as JSON lines; `since` as above."""
    state, counts = ExportState(source.identity(), source.last_change()), list[Exported]()
    for batch in _make_batches(source, write_page, state, state.began, since):
        stream.write(batch.octets)
        counts.append(batch.written)
    return _sum(counts)


def describe_export(target: str, written: Exported) -> str:
    """Describes in a line what was written where."""
    gone = f", {written.gone:,} gone" if written.gone else ""
    return f"{target}: {count(written.pages, 'page')}{gone}"


def _sum(counts: Sequence[Exported]) -> Exported:
    return Exported(sum(one.pages for one in counts), sum(one.gone for one in counts))


def _choose_format(path: Path) -> tuple[WriteLines, Callable[[bytes], bytes]]:
    """Chooses what is written by the suffixes of a file. Raises EngineError."""
    is_packed = path.suffix == _GZIP
    suffix = Path(path.stem).suffix if is_packed else path.suffix
    if suffix not in EXPORTED:
        raise EngineError(f"{path} is of no known format: name a file that ends in {' or '.join(EXPORTED)}")
    return EXPORTED[suffix], gzip.compress if is_packed else bytes


def _make_batches(
    source: ChangeSource, write: WriteLines, state: ExportState, end: int, since: float
) -> Iterator[ChangeBatch]:
    """Makes batches of the lines of all changes after a state, until one of them ends at `end` or behind."""
    after = state.change
    while after < end and (changes := source.changes(after, BATCH)):
        here = [change for change in changes if _belongs(change, state, since)]
        lines = [line for change in here for line in write(change)]
        after = changes[-1].seq
        pages = sum(change.packed is not None for change in here)
        octets = "".join(f"{line}\n" for line in lines).encode(errors="replace")
        yield ChangeBatch(octets, after, Exported(pages, len(here) - pages))


def _belongs(change: Change, state: ExportState, since: float) -> bool:
    """Tells whether a change is exported: what left before the first line was written never was in it."""
    return change.seq > state.began if change.packed is None else change.fetched_at >= since
