"""The cases of the source documents and of others' specification, from the shared test data."""

import json
from typing import Any

import pytest

from engine.robots import RobotsTxt
from engine.robots.profiles import PROFILES
from tests.shared import SHARED

SPECIFICATION, PROFILED = "data/robots/spec-correctness.jsonl", "data/robots/seed-profiles.jsonl"


def cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (SHARED / name).read_text(encoding="utf-8").splitlines()]


def holds(case: dict[str, Any], profile: str) -> bool:
    robots = RobotsTxt.parse(bytes.fromhex(case["robots_hex"]), profile)
    return bool(robots.allowed(case["agent"], case["url"]) is case["allowed"])


@pytest.mark.shared(SPECIFICATION)
def test_the_specification_of_others() -> None:
    """142 of 146 expectations; of the four, three are RFC 9309, 2.2.2 and one is Google's own."""
    rows = cases(SPECIFICATION)
    assert len(rows) == 146
    assert {row["id"] for row in rows if not holds(row, "rfc9309")} == {
        "non-ascii-paths#1.1",
        "non-ascii-paths#2.1",
        "non-ascii-paths#3.0",
        "index-page#0.0",
    }


@pytest.mark.requirement(142)
@pytest.mark.shared(PROFILED)
@pytest.mark.parametrize("profile", PROFILES)
def test_what_the_source_documents_say(profile: str) -> None:
    """Each document read literally, in the version that it describes."""
    rows = [row for row in cases(PROFILED) if row["profile"] == profile]
    assert [row["id"] for row in rows if not holds(row, profile)] == []


@pytest.mark.shared(PROFILED)
def test_every_row_has_a_profile() -> None:
    rows = cases(PROFILED)
    assert len(rows) == 67
    assert {row["profile"] for row in rows} <= set(PROFILES)
