"""The versions of robots.txt."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.robots import RobotsTxt
from engine.robots.glob import Glob, parse_glob
from engine.robots.profiles import PROFILES
from tests.tables import table


@pytest.mark.requirement(
    131,
    132,
    133,
    135,
    141,
    142,
    145,
    147,
    148,
    149,
    150,
    151,
    152,
    157,
    165,
    166,
    169,
    170,
    171,
    173,
    174,
    181,
    190,
    192,
)
@pytest.mark.parametrize(("profile", "body", "agent", "url", "allowed", "why"), table("robots_profiles.json"))
def test_a_profile_a_file_and_a_url(
    profile: str, body: str, agent: str, url: str, allowed: bool, why: str
) -> None:
    robots = RobotsTxt.parse(body.encode(), profile)
    assert robots.allowed(agent, url) is allowed, why
    assert robots.explain(agent, url).allowed is allowed, why


@pytest.mark.requirement(142)
def test_rfc9309_is_what_nobody_has_to_ask_for() -> None:
    body = b"User-agent: *\nDisallow: /*.gif\n"
    assert RobotsTxt.parse(body) == RobotsTxt.parse(body, profile="rfc9309")


@pytest.mark.parametrize("name", ["", "v3", "RFC9309"])
def test_an_unknown_profile_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="v0, v1, v2, rfc9309"):
        RobotsTxt.parse(b"", name)


@pytest.mark.requirement(317)
@pytest.mark.parametrize("profile", PROFILES)
def test_the_group_is_told(profile: str) -> None:
    """Whom the lines that decide speak to."""
    robots = RobotsTxt.parse(b"User-agent: Ours\nUser-agent: a\nDisallow: /x\n\nUser-agent: b\n", profile)
    assert robots.explain("ours/2.0", "/x") == (False, "Disallow: /x", 2 + 1, ("a", "ours"))
    assert robots.explain("ours", "/y") == (True, "", 0, ("a", "ours"))
    assert robots.explain("zzz", "/x") == (True, "", 0, ())


@pytest.mark.requirement(190)
@settings(max_examples=200)
@given(value=st.text(alphabet="/ab*?[]!-", max_size=10), path=st.text(alphabet="ab[]!-/", max_size=10))
def test_a_shell_pattern_is_a_way_to_match_or_none(value: str, path: str) -> None:
    """Any value is a pattern, and what matches has its head."""
    pattern = parse_glob(value)
    if pattern.matches("/" + path):
        assert ("/" + path).startswith(pattern.head)
    if not set("*?[") & set(value):
        assert pattern.matches(path) is path.startswith(value)


@pytest.mark.requirement(190)
@settings(max_examples=200)
@given(value=st.text(alphabet="ab?*", max_size=8), path=st.text(alphabet="ab", max_size=10))
def test_the_two_ways_to_read_a_shell_pattern_agree(value: str, path: str) -> None:
    """With nothing but stars strings are searched, else an expression."""
    if "*" in value:
        assert parse_glob(value).matches(path) is Glob("", value).matches(path)
