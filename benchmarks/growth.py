"""Measures what grows with an index: the rows of `query` over a thousand generated documents, ten times as
many, and so on; ours beside Tantivy, then a plot.

    growth.index.docs.N             documents indexed a second, of N
    growth.index.cpu_ms.N           milliseconds of a processor for a document
    growth.index.peak_mb.N          memory of the process that indexes, at most
    growth.index.bytes.N            bytes on the disk for a document, stored texts and link graph included
    growth.query.KIND.N, .p95.N     milliseconds to the ten best, median and 95th percentile
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from benchmarks import query
from benchmarks.corpora.queries import KINDS
from benchmarks.instruments.plot import Curve, require_folder, write_plot
from benchmarks.instruments.row import Row, cost_row
from benchmarks.instruments.space import MEGABYTE

SIZES = (1_000, 10_000, 100_000, 1_000_000)
MICROSECONDS_OF_MS = 1e3
NAMES: Mapping[str, str] = {
    "index.docs": "index.docs",
    "index.info.cpu_ms": "index.cpu_ms",
    "index.info.peak_mb": "index.peak_mb",
    "index.info.disk_mb": "index.bytes",
    **{f"query.{kind}": f"query.{kind}" for kind in KINDS},
    **{f"query.info.{kind}.p95": f"query.{kind}.p95" for kind in KINDS},
}
"""Rows of `query` that are kept, and what they are called here."""


def rows(most: int, plot: Path | None) -> Iterator[Row]:
    """The figures of each size up to `most`; then the plot. Raises EngineError where it cannot be written."""
    if plot:
        require_folder(plot)
    found: dict[int, dict[str, float]] = {}
    for documents in (*(size for size in SIZES if size < most), most):
        of_size = found[documents] = {}
        for row in query.generated_rows(documents):
            if name := NAMES.get(row.name):
                kept = _divide(row, documents) if name == "index.bytes" else row
                of_size[name] = kept.ours
                yield replace(kept, name=f"growth.{name}.{documents}")
    if plot:
        write_plot(plot, "Costs by documents in the index", list(_curves(found)))


def _divide(row: Row, documents: int) -> Row:
    """Divides megabytes of an index into bytes of a document."""
    assert row.peer
    assert row.peer_value
    of_one = MEGABYTE / documents
    return cost_row(row.name, row.ours * of_one, row.peer, row.peer_value * of_one)


def _curves(found: Mapping[int, Mapping[str, float]]) -> Iterator[Curve]:
    for title, name, factor, dashed in (
        ("indexing a document, microseconds of CPU", "index.cpu_ms", MICROSECONDS_OF_MS, False),
        ("a document on the disk, bytes", "index.bytes", 1.0, False),
        ("any of the words, microseconds, median", "query.or", MICROSECONDS_OF_MS, True),
        ("any of the words, 95 % of the queries", "query.or.p95", MICROSECONDS_OF_MS, True),
    ):
        yield Curve(title, [(size, of[name] * factor) for size, of in found.items()], dashed=dashed)
