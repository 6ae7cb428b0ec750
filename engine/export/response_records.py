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
from engine.warc import write_info


@contextmanager
def open_responses(data_dir: Path) -> Iterator[ExportFormat]:
    """Opens what a data folder keeps. Raises EngineError where nothing is kept, and without fastwarc."""
    with closing(KeptIndex(data_dir)) as kept:
        if not kept:
            raise EngineError(
                f"no responses are kept in {data_dir}: write keep_responses = true into crawl.toml, "
                "then crawl; pages that were crawled before have none"
            )
        info = write_info(time.time(), f"Lycosa/{VERSION}")
        yield ExportFormat(lambda change: find_record(kept, change), beginning=info, has_gone=True)


def find_record(kept: KeptIndex, change: Change) -> bytes | None:
    """Finds the response of a page, or of a URL that another represents; None where it is not kept.

    What has left or was removed has none, nor has a page whose owner wants no copies kept (noarchive).
    """
    if change.page is None:
        is_alias = change.represented_by or change.copy_of
        return kept.find(change.url, change.fetched_at) if is_alias else None
    return kept.find(change.url, change.fetched_at) if change.page.directives.archive else None
