"""The index by itself."""

from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.database import urls
from engine.index.indexing.follow import Follower
from engine.model.page import State
from engine.search.search import SearchService
from engine.store.page_store import Store
from tests.engine.store.test_page_store import URL, visit


@pytest.mark.requirement(293)
def test_a_page_is_not_needed_once_it_is_indexed(tmp_path: Path) -> None:
    """The hit, its text included, comes from the index alone."""
    with closing(Store(tmp_path)) as store:
        with store.engine.begin() as connection:
            row = {"id": 1, "url": URL, "host_id": 1, "state": "queued", "found_at": 0.0}
            connection.execute(sa.insert(urls), row)
            store.save(connection, [visit(State.STORED, at=0.0)])
        Follower(store, tmp_path).catch_up()
    for path in tmp_path.glob("crawl.db*"):
        path.unlink()
    with closing(SearchService(tmp_path)) as search:
        (hit,) = search.search("text").hits
    assert (hit.url, hit.title, hit.snippet) == (URL, "Title", "Text.")
