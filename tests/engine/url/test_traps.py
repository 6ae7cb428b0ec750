"""Tests crawler traps: which URLs are traps, by which rule."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.url import DYNAMIC, MAX_URL_LENGTH, find_dynamic, find_trap
from tests.tables import table


@pytest.mark.requirement(40, 51, 52, 260, 283, 287)
@pytest.mark.parametrize(("url", "rule", "why"), table("traps.json"))
def test_the_rule_that_detects_a_trap(url: str, rule: str, why: str) -> None:
    assert find_trap(url) == rule, why


@pytest.mark.requirement(227, 261)
@pytest.mark.parametrize(
    ("url", "rules", "why"),
    [
        ("http://h/page", ("", "", ""), "requirement 261: nothing dynamic about it"),
        ("http://h/cgi-bin/search", ("cgi", "", "cgi"), "requirements 227, 261: a gateway, C34"),
        ("http://h/a/cgi-bin/b?c", ("cgi", "", "cgi"), "a gateway below the root, before its query"),
        ("http://h/docs/cgi-bin.html", ("", "", ""), "about gateways, not one"),
        ("http://h/?next=/cgi-bin/", ("", "", "query"), "a gateway in the query"),
        ("http://h/list?page=2", ("", "", "query"), "requirement 261: a query"),
        ("http://h/list?", ("", "", "query"), "an empty query is one"),
    ],
)
def test_what_a_program_makes(url: str, rules: tuple[str, str, str], why: str) -> None:
    assert tuple(find_dynamic(url, mode) for mode in DYNAMIC) == rules, why


@pytest.mark.requirement(46, 282)
def test_the_length_limit_is_exact() -> None:
    """One octet more than the limit."""
    longest = "http://h/".ljust(MAX_URL_LENGTH, "x")
    assert find_trap(longest) == ""
    assert find_trap(longest + "x") == "length"


@pytest.mark.requirement(52)
@given(
    before=st.lists(st.sampled_from(["x", "y"]), max_size=3),
    period=st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=3),
    times=st.integers(min_value=4, max_value=9),
    after=st.lists(st.sampled_from(["x", "y"]), max_size=3),
)
def test_a_repeated_period_is_always_a_trap(
    before: list[str], period: list[str], times: int, after: list[str]
) -> None:
    """Periods 1-3, wherever they stand."""
    assert find_trap("http://h/" + "/".join(before + period * times + after)) == "repeat"
