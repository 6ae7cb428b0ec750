"""An index that an older Lycosa has written: it is searched and followed as it is."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from engine.index import schema
from engine.index.follow import Follower
from engine.search import Search
from tests.index.source import Memory, corpus

NEW = ("flag", "media_type", "rest", "rest_length", "repeated")
"""Fields that the first indexes did not have."""


def test_it_gets_the_fields_that_it_lacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages, today, made = corpus(20), schema.schema, schema.document

    def older() -> Any:
        fields = today()
        for name in NEW:
            fields.remove(name)
        return fields

    def older_document(*of: Any) -> dict[str, Any]:
        return {name: value for name, value in made(*of).items() if name not in NEW}

    with monkeypatch.context() as patched:
        patched.setattr("engine.index.writer.schema", older)
        patched.setattr("engine.index.writer.document", older_document)
        source = Memory(*pages[:10])
        Follower(source, tmp_path).catch_up()
    with closing(Search(tmp_path)) as search:
        assert search.documents() == 10
        assert {hit.url for hit in search.search("amber OR basil", size=100).hits}
    for page in pages[5:]:
        source.put(page)
    Follower(source, tmp_path).catch_up()
    with closing(Search(tmp_path)) as search:
        assert search.documents() == 20
        wanted = {page.url for page in pages[5:] if "amber" in f"{page.text} {page.rest}"}
        assert wanted <= {hit.url for hit in search.search("amber", size=100).hits}
