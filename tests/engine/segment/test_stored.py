"""Stored fields come out as they went in."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.segment.stored import pack_fields, unpack_fields

PLAIN = st.one_of(st.text(), st.integers(), st.floats(allow_nan=False), st.booleans(), st.lists(st.text()))
FIELDS = st.dictionaries(st.text(max_size=9), st.one_of(PLAIN, st.binary()), max_size=5)


@pytest.mark.requirement(293)
@settings(max_examples=50)
@given(FIELDS)
def test_any_fields(fields: dict[str, Any]) -> None:
    """What a hit shows is in the index."""
    assert unpack_fields(pack_fields(fields)) == fields


CASES: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({}, {}, "nothing is stored"),
    ({"a": None, "b": 1}, {"b": 1}, "None is left out"),
    ({"a": ("x", "y")}, {"a": ["x", "y"]}, "JSON has but one kind of list"),
    (
        {"a": b"", "b": bytes(range(256)), "c": b"x"},
        {"a": b"", "b": bytes(range(256)), "c": b"x"},
        "bytes in turn",
    ),
    ({"title": "half a sign: \ud83d"}, {"title": "half a sign: \ud83d"}, "a stranger's text may be no UTF-8"),
]


@pytest.mark.parametrize(("fields", "found", "why"), CASES, ids=[why for *_, why in CASES])
def test_what_is_stored(fields: dict[str, Any], found: dict[str, Any], why: str) -> None:
    assert unpack_fields(pack_fields(fields)) == found
