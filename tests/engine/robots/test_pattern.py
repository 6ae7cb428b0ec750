"""The path of a rule."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.robots.pattern import Pattern, normal, path_of
from tests.tables import table

plain = st.sampled_from([chr(octet) for octet in range(256) if chr(octet) != "%"])
spelt = st.lists(plain | st.from_regex("%[0-9A-Fa-f]{2}", fullmatch=True), max_size=20).map("".join)


@pytest.mark.requirement(160, 161, 162, 163, 164, 167, 168, 169, 170, 172, 178, 180, 182)
@pytest.mark.parametrize(("rule", "path", "matches", "why"), table("robots_patterns.json"))
def test_a_rule_and_a_path(rule: str, path: str, matches: bool, why: str) -> None:
    pattern = Pattern.parse(rule.encode().decode("latin-1"))
    assert pattern.matches(path_of("http://h.example" + path)) is matches, why


@pytest.mark.requirement(180)
@given(rule=st.text(alphabet="ab*$", max_size=8), path=st.text(alphabet="ab$", max_size=12))
def test_the_greedy_search_finds_what_a_regular_expression_finds(rule: str, path: str) -> None:
    """Against the slow and trusted twin."""
    body = "".join(".*" if character == "*" else re.escape(character) for character in rule.removesuffix("$"))
    twin = re.compile(body + ("$" if rule.endswith("$") else ""))
    pattern = Pattern.parse(rule)
    assert pattern.matches(path) == bool(twin.match(path))
    assert bool(re.match(pattern.expression, path)) == bool(twin.match(path))


@given(spelt)
def test_a_normal_spelling_stays_as_it_is(text: str) -> None:
    once = normal(text)
    assert once.isascii()
    assert normal(once) == once


@given(st.text(max_size=30))
def test_any_url_has_a_path(url: str) -> None:
    assert path_of(url).startswith("/")


@pytest.mark.parametrize(
    ("rule", "length", "why"),
    [
        ("/ab", 3, "octets"),
        ("/a*b$", 5, "a star and a dollar are octets too"),
        ("/%62", 2, "an escape that need not be one"),
        ("/%c3%a9", 7, "one that must"),
        ("/\xc3\xa9", 7, "and its octets: equal paths are equally long"),
    ],
)
def test_the_length_of_a_pattern(rule: str, length: int, why: str) -> None:
    """RFC 9309, 2.2.2: the match with the most octets."""
    assert Pattern.parse(rule).length == length, why
