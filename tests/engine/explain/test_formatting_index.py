"""What is said of a page that the index does not have yet, or not as it is."""

import time
from pathlib import Path

from engine.database import log_change, write_transaction
from engine.explain import explain_url, explanation_lines, explanation_object
from engine.index.indexing.follow import Follower
from engine.store import Store
from tests.crawling import HOST, Clock, Web, crawl_of, run

PAGE, MISSING = f"{HOST}/", f"{HOST}/missing"


def said(store: Store, folder: Path, url: str) -> tuple[str, bool]:
    """The line about the index, and whether that is behind."""
    one = explain_url(store.engine, folder, url, "")
    [line] = [line for line in explanation_lines(one) if line.startswith("in the index")]
    return line.removeprefix("in the index").strip(), explanation_object(one)["index_behind"]


def test_a_page_waits_for_the_index(tmp_path: Path) -> None:
    clock = Clock(time.time() - 60)
    crawl = crawl_of(tmp_path, clock, profile="brisk", own=True)
    run(crawl, Web({PAGE: [MISSING], MISSING: 404}, seconds=0.01), clock)
    store = crawl.store
    assert said(store, tmp_path, PAGE) == ("not yet", True)
    assert said(store, tmp_path, MISSING)[0] == "no"
    assert said(store, tmp_path, f"{HOST}/unknown") == ("no", False)
    follower = Follower(store, tmp_path)
    follower.catch_up()
    assert said(store, tmp_path, PAGE) == ("yes", False)
    with write_transaction(store.engine) as connection:
        connection.execute(log_change(), {"url": PAGE})
    assert said(store, tmp_path, PAGE) == ("yes, as it was before its last change", True)
    follower.catch_up()
    assert said(store, tmp_path, PAGE) == ("yes", False)
    store.close()
