"""There is an end to what is noted."""

from pathlib import Path

import pytest

from engine.admin import audit_log
from engine.admin.audit_log import MAX_DETAIL, add_entry, load_entries
from engine.database import ADMIN, write_side


def test_the_oldest_are_dropped_and_no_detail_is_endless(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit_log, "MAX_ENTRIES", 3)
    with write_side(tmp_path, ADMIN) as connection:
        for number in range(5):
            add_entry(connection, number, "", "x", "y" * 3_000)
        kept = load_entries(connection, None, 10)
    assert [one.at for one in kept] == [4, 3, 2]
    assert {len(one.detail) for one in kept} == {MAX_DETAIL}
