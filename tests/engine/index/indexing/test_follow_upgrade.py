"""An index that an older Lycosa has written: nobody searches it, and the follower makes it afresh."""

from contextlib import closing
from pathlib import Path

import pytest

from engine import generations
from engine.errors import EngineError
from engine.generations.folder import generation, publishing
from engine.index.indexing.follow import Follower
from engine.search.search import SearchService
from tests.engine.index.source import Memory, corpus

pytestmark = pytest.mark.folder


def test_it_is_made_afresh_when_it_is_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = corpus(20)
    source = Memory(*pages)
    with monkeypatch.context() as older:
        for module in (generation, publishing):
            older.setattr(module, "FORM", generations.FORM - 1)
        Follower(source, tmp_path).catch_up()
    before = generations.current_generation(tmp_path)
    assert before
    with closing(SearchService(tmp_path)) as search:
        with pytest.raises(EngineError, match=f"has format {generations.FORM - 1}, .*: run scrapy rebuild"):
            search.search("amber")
        assert Follower(source, tmp_path).catch_up() == 0, "the rebuild left nothing to do"
        assert generations.current_generation(tmp_path) != before
        assert search.count_documents() == 20
