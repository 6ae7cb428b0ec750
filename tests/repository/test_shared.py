"""What is skipped where test data are missing, and what is not."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.shared import reason_to_skip

SKIPPED = [
    (["there"], ["there"], False, "", "all is there"),
    (["there", "other"], ["there"], False, "other", "one file is missing"),
    (["there", "other"], ["there"], True, "", "nothing may be skipped: it runs, and fails"),
    ([], None, True, "", "it needs nothing"),
    (["other"], None, False, "other", "a clone that has no shared data beside it"),
    (["other"], None, True, "other", "in CI, too"),
]


@pytest.mark.parametrize(("needed", "there", "skip_nothing", "missing", "why"), SKIPPED)
def test_what_is_skipped_names_what_is_missing(
    needed: Sequence[str],
    there: Sequence[str] | None,
    skip_nothing: bool,
    missing: str,
    why: str,
    tmp_path: Path,
) -> None:
    if there is not None:
        (tmp_path / "shared").mkdir()
        for name in there:
            (tmp_path / "shared" / name).touch()
    reason = reason_to_skip(needed, tmp_path / "shared", skip_nothing=skip_nothing)
    assert reason == (f"there is no ../shared/{missing} beside the checkout" if missing else ""), why


def test_every_mark_names_a_file() -> None:
    """One that names none would never be skipped."""
    bare = re.compile(r"mark\.shared(?!\()")
    assert [path for path in (ROOT / "tests").rglob("*.py") if bare.search(path.read_text("utf-8"))] == []
