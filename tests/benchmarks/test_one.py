"""The profiles of one batch and one query."""

from contextlib import closing
from pathlib import Path

import pytest

from benchmarks import one
from benchmarks.corpora import natural, stored
from engine import generations
from engine.index.indexing.follow import Follower
from engine.store.page_store import Store


def test_one_batch_and_one_query(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(one, "ASKED", 3)
    stored.store_pages(tmp_path, natural.generate_documents(5))
    assert one.main([str(tmp_path)]) == 0
    assert "function calls" in capsys.readouterr().out
    assert generations.current_generation(tmp_path) is None, "the batch went elsewhere"
    with closing(Store(tmp_path)) as store:
        Follower(store, tmp_path).catch_up()
    assert one.main([str(tmp_path), natural.generate_vocabulary(5)[0], "OR", "other"]) == 0
    assert "function calls" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "there is no page in {} to index: name the folder of a crawl"),
        (("words",), "there is no index in {} yet; 'scrapy crawl web' makes one"),
    ],
)
def test_an_empty_folder_is_told(
    words: tuple[str, ...], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert one.main([str(tmp_path), *words]) == 2
    assert capsys.readouterr().err == f"benchmarks.one: {told.format(tmp_path)}\n"
