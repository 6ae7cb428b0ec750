"""A site of 200 pages that scripts draw; it takes minutes, as each page is asked for in its turn."""

from pathlib import Path

import pytest

from tests.walk.rendered_sites import assert_drawn_site_is_found

pytestmark = [pytest.mark.chromium, pytest.mark.long]


@pytest.mark.timeout(1_000)
def test_all_its_pages_are_found(sandbox: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.running.END_SECONDS", 900.0)
    assert_drawn_site_is_found(tmp_path, 200)
