"""Exports the changes of a crawl database, in the order in which an index follows them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, NamedTuple

from engine.export.export_file import ExportState
from engine.export.format import WARC, ExportFormat, WriteChange, choose_format, delete_export, line_format
from engine.export.page_objects import write_page
from engine.monitor import count
from engine.store import Change, ChangeSource

BATCH = 200  # changes, or 8 MB of packed pages: what the memory holds of an export

MAX_OCTETS = 8_000_000  # of a batch, written; a response may have more


class Exported(NamedTuple):
    """How many changes were written: pages, URLs without one; and of how many pages there was nothing."""

    pages: int
    gone: int
    left_out: int = 0


class ChangeBatch(NamedTuple):
    """What is written of some changes, the last of which is `change`."""

    octets: bytes
    change: int
    written: Exported


def begin_export(source: ChangeSource, path: Path, *, anew: bool) -> None:
    """Begins a file for what changes from now on; one that is there goes on as it is, or is begun `anew`.

    Raises EngineError and OSError as export_to_file() does.
    """
    form = choose_format(path)
    if anew:
        delete_export(path)
    end = source.last_change()
    with form.open(path, ExportState(source.identity(), end, end)):
        pass


def export_to_file(
    source: ChangeSource,
    path: Path,
    since: float,
    report: Callable[[int, int], None],
    form: ExportFormat | None = None,
) -> Exported:
    """Exports what was stored until now; to a file of an earlier export what has changed or left after it.

    `since`: seconds since 1970; pages that were fetched before are left out. `report` is told which change
    of which is done. `form`: the format, where the file's suffixes do not say it. Raises EngineError for a
    suffix that names no format, and for a file of anything else; OSError.
    """
    form = form or choose_format(path)
    end, counts = source.last_change(), list[Exported]()
    with form.open(path, ExportState(source.identity(), end)) as file:
        if form.beginning and not file.state.octets:
            file.append(form.beginning, file.state)
        told = _choose_told(file.state.began, since)
        for batch in _make_batches(source, told, form.write, file.state.change, end):
            file.append(_compress(form, batch), replace(file.state, change=batch.change))
            report(batch.change, end)
            counts.append(batch.written)
        if form.write_alias:
            told = _choose_aliases(since)
            for batch in _make_batches(source, told, form.write_alias, file.state.aliases, end):
                file.append(_compress(form, batch), replace(file.state, aliases=batch.change))
                counts.append(batch.written)
    return _sum(counts)


def _compress(form: ExportFormat, batch: ChangeBatch) -> bytes:
    return form.compress(batch.octets) if batch.octets else b""


def export_to_stream(source: ChangeSource, stream: BinaryIO, since: float) -> Exported:
    """Exports all pages that are stored as JSON lines; `since` as above."""
    end, counts = source.last_change(), list[Exported]()
    for batch in _make_batches(source, _choose_told(end, since), line_format(write_page).write, 0, end):
        stream.write(batch.octets)
        counts.append(batch.written)
    return _sum(counts)


def describe_export(target: str, written: Exported) -> str:
    """Describes in a line what was written where."""
    is_archive = target.endswith(WARC)
    others = (
        count(written.gone, "redirect or copy", "redirects and copies")
        if is_archive
        else f"{written.gone:,} gone"
    )
    gone = f", {others}" if written.gone else ""
    left_out = f"; no response of {count(written.left_out, 'page')} is kept" if written.left_out else ""
    return f"{target}: {count(written.pages, 'page')}{gone}{left_out}"


def _sum(counts: Sequence[Exported]) -> Exported:
    return Exported(*map(sum, zip(*counts, strict=True))) if counts else Exported(0, 0)


def _make_batches(
    source: ChangeSource, told: Callable[[Change], bool], write: WriteChange, after: int, end: int
) -> Iterator[ChangeBatch]:
    """Makes batches of what is written of changes after one, of those that are `told`, until a batch ends at
    `end` or behind.
    """
    while after < end and (changes := source.changes(after, BATCH)):
        octets, written = bytearray(), Exported(0, 0)
        for change in changes:
            after = change.seq
            if told(change):
                one = write(change)
                octets += one or b""
                written = _add(written, change, is_written=one is not None)
            if len(octets) >= MAX_OCTETS or change is changes[-1]:
                yield ChangeBatch(bytes(octets), after, written)
                octets, written = bytearray(), Exported(0, 0)


def _add(counts: Exported, change: Change, *, is_written: bool) -> Exported:
    is_page = change.packed is not None
    return Exported(
        counts.pages + (is_page and is_written),
        counts.gone + (not is_page and is_written),
        counts.left_out + (is_page and not is_written),
    )


def _choose_told(began: int, since: float) -> Callable[[Change], bool]:
    """Chooses pages, and what has left, but before the first line was written: that never was in it."""
    return lambda change: change.seq > began if change.packed is None else change.fetched_at >= since


def _choose_aliases(since: float) -> Callable[[Change], bool]:
    return lambda change: change.packed is None and change.fetched_at >= since
