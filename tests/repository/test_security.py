"""docs/security.md names a test for each claim and a constant for each limit; all of them exist."""

import re
from pathlib import Path

import pytest

from tests.conftest import ROOT

TEXT = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
CLAIMS = sorted(set(re.findall(r"`([\w/]+\.py)::(\w+)`", TEXT)))
LIMITS = re.findall(r"`([\w/]+\.py)` `(\w+)`", TEXT)


@pytest.mark.parametrize(("path", "test"), CLAIMS)
def test_each_claim_has_its_test(path: str, test: str) -> None:
    source = (ROOT / "tests" / path).read_text(encoding="utf-8")
    assert re.search(rf"^(async )?def {test}\(", source, re.MULTILINE)


@pytest.mark.parametrize(("path", "name"), LIMITS)
def test_each_limit_is_a_constant(path: str, name: str) -> None:
    assert re.search(rf"^{name}\b.*=", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)


def test_no_row_of_a_claim_is_without_a_test() -> None:
    """Each row of an attack names a test."""
    rows = [line for line in TEXT.partition("## Limits")[0].splitlines() if line.startswith("| ")]
    assert [row for row in rows if "::" not in row and not row.startswith("| attack |")] == []
    assert len(CLAIMS) > 40
    assert len(LIMITS) > 15


@pytest.mark.parametrize("name", ["README.md", "SECURITY.md"])
def test_it_is_linked(name: str) -> None:
    assert "docs/security.md" in Path(ROOT, name).read_text(encoding="utf-8")
