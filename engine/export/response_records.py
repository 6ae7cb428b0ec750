"""Writes the responses that were kept as WARC records, as they stand in the data folder."""

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from engine import VERSION
from engine.errors import EngineError
from engine.export.format import ExportFormat
from engine.responses import KeptIndex
from engine.store import Change
from engine.warc import NAMES_DUPLICATES, name_duplicate, write_info


@contextmanager
def open_responses(data_dir: Path) -> Iterator[ExportFormat]:
    """Opens what a data folder keeps. Raises EngineError where nothing is kept, and without fastwarc."""
    with closing(KeptIndex(data_dir)) as kept:
        if not kept:
            raise EngineError(
                f"no responses are kept in {data_dir}: write keep_responses = true into crawl.toml, "
                "then crawl: what was crawled before is asked for once more"
            )
        info = write_info(time.time(), f"Lycosa/{VERSION}", NAMES_DUPLICATES)
        yield ExportFormat(
            lambda change: find_page_record(kept, change),
            beginning=info,
            write_alias=lambda change: find_alias_record(kept, change),
        )


def find_page_record(kept: KeptIndex, change: Change) -> bytes | None:
    """Finds the response of a page; None where it is not kept, or its owner wants no copies (noarchive)."""
    has_one = change.page is not None and change.page.directives.archive
    return kept.find(change.url, change.fetched_at) if has_one else None


def find_alias_record(kept: KeptIndex, change: Change) -> bytes | None:
    """Finds the response of a URL that another represents; what has left or was removed has none.

    It stands behind all pages: who reads an archive in its order finds a page before its copies, which say
    of which they are.
    """
    is_alias = bool(change.represented_by or change.copy_of)
    record = kept.find(change.url, change.fetched_at) if is_alias else None
    return name_duplicate(record, change.copy_of) if record and change.copy_of else record
