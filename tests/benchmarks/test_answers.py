"""What a whole answer takes."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks import answers
from benchmarks.corpora import natural, stored
from engine.index.indexing.follow import Follower
from engine.store.page_store import Store


@pytest.mark.long  # an index and a process of its own
def test_three_figures_of_every_part(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stored.store_pages(tmp_path, natural.generate_documents(5))
    with closing(Store(tmp_path)) as store:
        Follower(store, tmp_path).catch_up()
    queries = tmp_path / "queries.tsv"
    queries.write_text(
        "\n".join(f"{word}\tpage" for word in natural.generate_vocabulary(3)), encoding="utf-8"
    )
    assert answers.main([str(tmp_path), str(queries)]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["name"] for row in rows if row["ours"] > 0] == [
        name
        for part in ("whole", "find", "snippets")
        for name in (f"answer.{part}", f"answer.info.{part}.p95", f"answer.info.{part}.once")
    ]


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (b"one query", "there are fewer than two queries in {}: write one on each line"),
        (b"\xff\n\xff", "{} cannot be read: name a file with a query on each line"),
    ],
)
def test_what_is_no_file_of_queries_is_told(
    written: bytes, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "queries"
    path.write_bytes(written)
    assert answers.main([str(tmp_path), str(path)]) == 2
    assert capsys.readouterr().err == f"benchmarks.answers: {told.format(path)}\n"
