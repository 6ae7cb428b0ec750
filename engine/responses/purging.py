"""Purges kept responses that nobody has use for: of pages that were removed, left, or have changed since."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa

from engine.database import connect_to_read, is_among, pages, urls
from engine.model import State
from engine.responses.folder import find_files, open_private
from engine.responses.kept_index import SAME_TIME, read_member
from engine.warc import OpenCapture, read_captures, write_info

ASKED_AT_ONCE = 500  # responses that the database is asked about
_CURRENT = (
    sa.select(urls.c.url, urls.c.state, urls.c.visited_at, pages.c.fetched_at)
    .outerjoin(pages, pages.c.url_id == urls.c.id)
    .where(is_among(urls.c.url, "wanted"))
)


class PurgedFile(NamedTuple):
    """A file of responses with its bytes before and after; 0 where it is gone."""

    path: Path
    before: int
    after: int


class _Place(NamedTuple):
    url: str
    at: float
    start: int


def purge_responses(engine: sa.Engine, data_dir: Path, software: str) -> Iterator[PurgedFile]:
    """Writes each file anew without the responses that no export would have; none may be written meanwhile.

    A kill leaves each as it was or as it shall be. Raises EngineError without fastwarc, and OSError.
    """
    for path in find_files(data_dir):
        before, fresh = path.stat().st_size, path.with_suffix(".part")
        places = (_place(opened) for opened in read_captures(path, Counter()))
        kept = dropped = 0
        with open_private(fresh) as file:
            file.write(write_info(path.stat().st_mtime, software))
            while some := list(islice(places, ASKED_AT_ONCE)):
                wanted = _select_current(engine, some)
                kept, dropped = kept + len(wanted), dropped + len(some) - len(wanted)
                for one in wanted:
                    file.write(read_member(path, one.start) or b"")
            os.fsync(file.fileno())
        if dropped and kept:
            fresh.replace(path)
        else:
            fresh.unlink()
        if not kept:
            path.unlink()
        yield PurgedFile(path, before, path.stat().st_size if kept else 0)


def _place(opened: OpenCapture) -> _Place:
    capture = opened.capture
    return _Place(capture.url, capture.at, opened.offset)


def _select_current(engine: sa.Engine, places: Sequence[_Place]) -> list[_Place]:
    """Selects the responses that the stored pages come from, and those of URLs that others represent."""
    with connect_to_read(engine) as connection:
        rows = connection.execute(_CURRENT, {"wanted": [one.url for one in places]})
        known = {row.url: row for row in rows}
    return [one for one in places if (row := known.get(one.url)) and _is_current(one, row)]


def _is_current(one: _Place, row: Any) -> bool:
    at = row.visited_at if row.state == State.ALIAS else row.fetched_at
    return at is not None and bool(abs(at - one.at) <= SAME_TIME)
