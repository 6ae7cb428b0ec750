"""Of any number of wildcards so many are looked for; what is beyond is read as the owner's strictest wish."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.robots import RobotsTxt, wildcards
from engine.robots.profiles import PROFILES
from engine.robots.wildcards import MAX_WILDCARDS

MANY = [f"Disallow: /*{number}x" for number in range(MAX_WILDCARDS)]
URL = "http://h.example"


def rules_of(*lines: str, profile: str = "rfc9309") -> RobotsTxt:
    return RobotsTxt.parse("\n".join(["User-agent: *", *lines]).encode(), profile)


@pytest.mark.parametrize(
    ("beyond", "path", "allowed", "why"),
    [
        ("Disallow: /a/*/private", "/a/b/private", False, "as its owner wrote it"),
        ("Disallow: /a/*/private", "/a/b/public", False, "whatever begins like it: nobody looks further"),
        ("Disallow: /a/*/private", "/b/", True, "what begins otherwise"),
        ("Disallow: /a/*b\nDisallow: /b/*b", "/b/", False, "a path may meet as many as it begins like"),
        ("Disallow: /*.pdf$", "/a", False, "it begins with nothing, so nothing is left"),
        ("Allow: /a*.html", "/a1x.html", False, "an Allow opens nothing: the shorter Disallow decides"),
        ("Allow: /a*.html", "/b", True, "and closes nothing"),
        ("Disallow: /p/", "/p/1", False, "a prefix is no wildcard, however many there were before"),
        ("Disallow: /end$", "/end", False, "nor is an end without one"),
        ("Disallow: /end$", "/end/", True, "which is looked for as before"),
        ("Disallow: /a*\nAllow: /ab", "/ab", True, "`*` at the end says nothing"),
    ],
)
def test_rules_beyond_the_bound(beyond: str, path: str, allowed: bool, why: str) -> None:
    assert rules_of(*MANY, *beyond.split("\n")).allowed("Lycosa", URL + path) is allowed, why


def test_those_within_the_bound_are_as_written() -> None:
    rules = rules_of(*MANY)
    assert rules.allowed("Lycosa", f"{URL}/5y")
    assert not rules.allowed("Lycosa", f"{URL}/{MAX_WILDCARDS - 1}x")
    assert rules.beyond("Lycosa") is None


@pytest.mark.requirement(180)
def test_those_that_no_path_can_meet_together_may_be_more() -> None:
    """Thousands, each in a directory of its own."""
    directories = [f"Disallow: /{number}/*x" for number in range(3 * MAX_WILDCARDS)]
    rules = rules_of(*directories, "Disallow: /*z")
    assert rules.beyond("Lycosa") is None
    assert not rules.allowed("Lycosa", f"{URL}/2999/ax")
    assert rules.allowed("Lycosa", f"{URL}/2999/a")


@pytest.mark.requirement(180)
@pytest.mark.parametrize("turn", [1, -1])
def test_heads_within_each_other_share_the_bound(turn: int) -> None:
    """In whichever order they stand, one path meets no more."""
    nested = [f"Disallow: /{'a' * number}*x*y" for number in range(600)]
    beyond = rules_of(*nested[::turn]).beyond("Lycosa")
    assert beyond
    assert beyond.text.startswith("100 rules")


def test_how_many_are_beyond_is_said_with_the_first_of_them() -> None:
    remark = rules_of(*MANY, "Allow: /", "Disallow: /a*b", "Disallow: /*c").beyond("Lycosa")
    assert remark
    assert remark.line == len(MANY) + 3
    assert remark.text.startswith("2 rules from here on are beyond the 1,000 wildcards")


def test_the_bound_is_that_of_one_robot() -> None:
    """Of groups that do not speak to it nothing is counted; of several that do, all."""
    others = ["User-agent: other", *MANY]
    rules = rules_of("Disallow: /x", *others, "User-agent: lycosa", "Disallow: /*z")
    assert not rules.allowed("Lycosa", f"{URL}/az")
    assert rules.allowed("Lycosa", f"{URL}/a")


@pytest.mark.parametrize("line", ["Disallow: /" + "*a" * 5_000, "Disallow: " + "/*a " * 5_000])
def test_many_wildcards_may_stand_on_one_line(line: str) -> None:
    assert rules_of(line).beyond("Lycosa")


lines = st.builds(
    "{}: {}".format,
    st.sampled_from(["Allow", "Disallow", "Disallow"]),
    st.text(alphabet="ab/*$?", max_size=6).map(lambda text: "/" + text),
)
paths = st.text(alphabet="ab/", max_size=8).map(lambda text: URL + "/" + text)


@pytest.mark.requirement(180)
@given(st.lists(lines, max_size=12), paths, st.integers(0, 4), st.sampled_from([*PROFILES]))
def test_nothing_is_allowed_that_the_owner_forbids(
    written: list[str], url: str, bound: int, profile: str
) -> None:
    """For whatever rules, whatever the bound and the standard."""
    whole = rules_of(*written, profile=profile).allowed("Lycosa", url)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(wildcards, "MAX_WILDCARDS", bound)
        assert not (rules_of(*written, profile=profile).allowed("Lycosa", url) and not whole)
