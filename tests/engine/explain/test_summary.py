"""What a crawl says at its end."""

from contextlib import closing
from pathlib import Path

import pytest

from engine.explain.summary import crawl_summary
from engine.store.page_store import Store
from engine.store.runs import end_run, record_heartbeat, start_run


@pytest.mark.parametrize(
    ("counts", "line", "why"),
    [
        ({"hosts suspended": 1}, "1 host was suspended: see the warnings above", "one"),
        ({"hosts suspended": 2_000}, "2,000 hosts were suspended: see the warnings above", "several"),
        ({"queued": 1}, "1 URL is still queued: run the same command to continue", "one URL"),
        ({"queued": 30}, "30 URLs are still queued: run the same command to continue", "several URLs"),
    ],
)
def test_what_is_left_to_do_is_said(tmp_path: Path, counts: dict[str, float], line: str, why: str) -> None:
    with closing(Store(tmp_path)) as store:
        with store.engine.begin() as connection:
            run = start_run(connection, "crawl", 100.0)
        plain = crawl_summary(store, tmp_path, run).split("\n")
        with store.engine.begin() as connection:
            record_heartbeat(connection, run, 101.0, counts)
            end_run(connection, run, 101.0, "finished")
        assert line in crawl_summary(store, tmp_path, run).split("\n"), why
    assert line not in plain
