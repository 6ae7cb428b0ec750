"""[rebuild] of crawl.toml: how much worse a new index may be."""

import re
from pathlib import Path

import pytest

from engine.config import EXAMPLE, RebuildLimits
from engine.errors import EngineError
from tests.engine.config.test_load import read


def test_how_much_worse_a_new_index_may_be(tmp_path: Path) -> None:
    assert read(tmp_path, "[rebuild]").rebuild == read(tmp_path, None).rebuild == RebuildLimits()
    written = read(
        tmp_path,
        "[rebuild]\nmax_lost_percent = 0\nmax_host_lost_percent = 1\nmax_ndcg_loss = 2\n"
        "max_slowdown_percent = 3",
    ).rebuild
    assert written == RebuildLimits(
        max_lost_percent=0, max_host_lost_percent=1, max_ndcg_loss=2, max_slowdown_percent=3
    )
    with pytest.raises(EngineError, match="line 2: max_lost_percent: write a whole number from 0"):
        read(tmp_path, "[rebuild]\nmax_lost_percent = -1")


def test_the_example_names_every_bound_with_its_default(tmp_path: Path) -> None:
    lines = EXAMPLE.read_text(encoding="utf-8").partition("[rebuild]\n")[2].partition("\n\n")[0]
    shown = re.sub(r"(?m)^# ", "", lines)
    assert read(tmp_path, f"[rebuild]\n{shown}").rebuild == RebuildLimits()
    assert len(shown.splitlines()) == len(RebuildLimits.__dataclass_fields__)
