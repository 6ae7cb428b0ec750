"""[rebuild] of crawl.toml: how much worse a new index may be."""

import re
from pathlib import Path

import pytest

from engine.config import EXAMPLE, Rebuild
from engine.errors import EngineError
from tests.engine.config.test_load import read


def test_how_much_worse_a_new_index_may_be(tmp_path: Path) -> None:
    assert read(tmp_path, "[rebuild]").rebuild == read(tmp_path, None).rebuild == Rebuild()
    written = read(tmp_path, "[rebuild]\nlost = 0\nhost_lost = 1\nndcg_lost = 2\nslower = 3").rebuild
    assert written == Rebuild(lost=0, host_lost=1, ndcg_lost=2, slower=3)
    with pytest.raises(EngineError, match="line 2: lost: write a whole number from 0"):
        read(tmp_path, "[rebuild]\nlost = -1")


def test_the_example_names_every_bound_with_its_default(tmp_path: Path) -> None:
    lines = EXAMPLE.read_text(encoding="utf-8").partition("[rebuild]\n")[2].partition("\n\n")[0]
    shown = re.sub(r"(?m)^# ", "", lines)
    assert read(tmp_path, f"[rebuild]\n{shown}").rebuild == Rebuild()
    assert len(shown.splitlines()) == len(Rebuild.__dataclass_fields__)
