"""A claim is found by its name, or by the path to it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.oidc.claims import find_claim

CLAIMS: list[tuple[str, dict[str, Any], Any, str]] = [
    ("groups", {"groups": ["a"]}, ["a"], "a name"),
    ("groups", {"roles": ["a"]}, None, "one that is not there"),
    ("realm_access.roles", {"realm_access": {"roles": ["a"]}}, ["a"], "Keycloak: roles of a realm"),
    ("resource_access.lycosa.roles", {"resource_access": {"lycosa": {"roles": ["a"]}}}, ["a"], "of a client"),
    (
        "resource_access.search.example.org.roles",
        {"resource_access": {"search.example.org": {"roles": ["a"]}}},
        ["a"],
        "of a client that is called as its host",
    ),
    ("https://a.example/groups", {"https://a.example/groups": ["a"]}, ["a"], "Auth0: a name with dots"),
    ("a.b", {"a.b": 1, "a": {"b": 2}}, 1, "a name goes before a path"),
    ("a.b", {"a.b": None, "a": {"b": 2}}, None, "even one that says nothing"),
    ("a.b", {"a": [{"b": 1}]}, None, "no path goes through a list"),
    ("a.b", {"a": "b"}, None, "nor through a text"),
    ("a.b", {"a": None}, None, "nor through nothing"),
    ("a.b.c", {"a": {}, "a.b": {"c": 1}}, 1, "another way is tried where one ends"),
    ("", {"groups": ["a"]}, None, "no name"),
    (".", {"": {"": 1}}, 1, "names of no letter"),
]


@pytest.mark.parametrize(("name", "claims", "value", "why"), CLAIMS, ids=[row[3] for row in CLAIMS])
def test_a_claim(name: str, claims: dict[str, Any], value: Any, why: str) -> None:
    assert find_claim(claims, name) == value, why


LEAVES = st.none() | st.booleans() | st.text("ab.", max_size=3) | st.lists(st.integers(), max_size=2)
TREES = st.recursive(LEAVES, lambda below: st.dictionaries(st.text("ab.", max_size=3), below), max_leaves=9)


@given(st.dictionaries(st.text("ab.", max_size=3), TREES), st.text("ab.", max_size=7))
def test_what_is_found_is_there(claims: dict[str, Any], name: str) -> None:
    def reaches(tree: Any, name: str) -> list[Any]:
        """All values to which some way of reading a name leads."""
        if not isinstance(tree, dict):
            return []
        cuts = [place for place, letter in enumerate(name) if letter == "."]
        below = [one for cut in cuts for one in reaches(tree.get(name[:cut]), name[cut + 1 :])]
        return [*([tree[name]] if name in tree else []), *below]

    found, there = find_claim(claims, name), reaches(claims, name)
    assert found in there if found is not None else (None in there or not there)
