"""A cluster that rejects requests in the middle of a rebuild, as others write to it, too."""

import random
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from engine import generations
from engine.index.indexing import batches
from engine.index.indexing import rebuild as rebuild_module
from engine.index.indexing.rebuild import rebuild_index
from engine.opensearch import ClusterIndex, OverloadedError, bulk
from engine.search.opening import SeenIndex
from engine.search.search import SearchService
from tests.engine.index.content import content
from tests.engine.index.source import Memory, corpus, page
from tests.faults.test_cluster_full import (
    PAGES,
    REFUSALS,
    SEEDS,
    hurried,
    locate,
    much_to_do,
    node,
    pytestmark,
    send,
)

__all__ = ["hurried", "node", "pytestmark"]


@pytest.fixture(autouse=True)
def one_page_a_request(hurried: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "BATCH_DOCUMENTS", 1)
    monkeypatch.setattr(rebuild_module, "WRITTEN_DOCUMENTS", 1)


def rebuild_while_others_write(
    node: str,
    source: Memory,
    index: ClusterIndex,
    monkeypatch: pytest.MonkeyPatch,
    refusals: int,
    written: int,
) -> int:
    """Rebuilds; once so many pages are written, others write until so many requests were rejected."""
    met, send_once = count(1), bulk._send
    with ExitStack() as trouble:

        def send(*arguments: Any) -> Any:
            outcome = send_once(*arguments)
            if outcome.refused and next(met) == refusals:
                trouble.close()
            return outcome

        def begin(done: int, total: int) -> None:
            assert total == PAGES
            if done == written:
                trouble.enter_context(much_to_do(node))

        monkeypatch.setattr(bulk, "_send", send)
        rebuild_index(source, index, progress=begin)
    return next(met) - 1


def list_indices(node: str) -> set[str]:
    """Lists all indices of a cluster."""
    return {one["index"] for one in send(node, "GET", "/_cat/indices?format=json")}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_rebuild_is_rejected_now_and_then(
    node: str, database_url: str, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """While it fills an index: what was rejected is sent again, and nothing is lacking."""
    dice = random.Random(seed)
    written, refusals = dice.randint(1, PAGES // 2), dice.randint(REFUSALS, 2 * REFUSALS)
    war, peace = locate(node, database_url, f"nowandthen{seed}")
    source = Memory(*corpus(PAGES, seed))
    monkeypatch.setattr(bulk, "BULK_TRIES", refusals + 1)
    assert rebuild_while_others_write(node, source, war, monkeypatch, refusals, written) >= refusals
    rebuild_index(source, peace)
    assert content(war) == content(peace)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_rebuild_that_is_rejected_for_long_leaves_nothing(
    node: str, tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """It ends; the index before it is searched on, and another rebuild is as if there had been none."""
    written = random.Random(seed).randint(1, PAGES // 2)
    war, peace = locate(node, database_url, f"forlong{seed}")
    source = Memory(*corpus(PAGES, seed))
    before, there = rebuild_index(source, war), list_indices(node)
    with monkeypatch.context() as impatient, closing(SearchService(tmp_path, index=SeenIndex(war))) as search:
        found = search.search("amber").total
        impatient.setattr(bulk, "BULK_TRIES", 1)
        with pytest.raises(OverloadedError, match="rejected execution"):
            rebuild_while_others_write(node, source, war, impatient, PAGES, written)
        assert generations.current_generation(war) == before
        assert search.search("amber", size=1).total == found
    assert list_indices(node) == there
    source.put(page("http://new.example/", "amber"))
    rebuild_index(source, war)
    rebuild_index(source, peace)
    assert content(war) == content(peace)
