"""Three ways to find the rule that decides: one by one, by a search, by an expression. They agree."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.robots import RobotsTxt, ruleset
from engine.robots.order import PrefixTable, RuleOrder
from engine.robots.profiles import PROFILES
from engine.robots.quick import MAX_BEHIND, MAX_LENGTH, compile_rules
from engine.robots.ruleset import FEW, OFTEN

paths = st.text(alphabet="ab/", max_size=8).map(lambda text: "/" + text)
lines = st.builds(
    "{}: {}".format,
    st.sampled_from(["Allow", "Disallow", "Disallow"]),
    st.text(alphabet="ab/*$?", max_size=6).map(lambda text: "/" + text) | st.just(""),
)
bodies = st.lists(lines, max_size=8).map(lambda some: "\n".join(["User-agent: *", *some]).encode())


@pytest.mark.requirement(180)
@given(st.sets(st.text(alphabet="ab", max_size=5), max_size=20), st.text(alphabet="ab", max_size=7))
def test_the_longest_head_is_found(heads: set[str], path: str) -> None:
    """As by looking at each."""
    found = PrefixTable(heads)
    place = found.find_longest(path)
    longest = max((head for head in heads if path.startswith(head)), key=len, default=None)
    assert (found.heads[place] if place >= 0 else None) == longest


@pytest.mark.requirement(165, 180)
@settings(max_examples=300)
@given(bodies, paths, st.sampled_from([*PROFILES]))
def test_a_search_finds_what_looking_at_each_rule_finds(body: bytes, path: str, profile: str) -> None:
    """In the order of the lines as in that of their lengths."""
    rules = ruleset.select_ruleset(RobotsTxt.parse(body, profile).groups, "ours", PROFILES[profile])
    first = next((rule for rule in rules.rules if rule.pattern.matches(path)), None)
    found = RuleOrder(rules.rules).first_match(path)
    assert found == first or (found and first and found.pattern == first.pattern)


@pytest.mark.requirement(180)
@settings(max_examples=200)
@given(bodies, paths, st.sampled_from([*PROFILES]))
def test_an_expression_answers_as_its_rules_do(body: bytes, path: str, profile: str) -> None:
    robots = RobotsTxt.parse(body, profile)
    met = compile_rules(ruleset.select_ruleset(robots.groups, "ours", robots.profile).rules)
    assert met
    for url in ("http://h" + path, "https://h:8080" + path + "/robots.txt", "http://h/robots.txt"):
        found = met(url)
        assert found
        assert (found.lastindex is None) is robots.explain("ours", url).allowed


def test_only_urls_as_usual_meet_the_expression() -> None:
    met = compile_rules(())
    assert met
    assert met("http://h/a?b")
    odd = [
        "/a",
        "//h/a",
        "http://h",
        "http://h?a/b",
        "HTTP://h/a",
        "http://h/a#b",
        "http://h/%61",
        "http://h/é",
    ]
    assert not [url for url in [*odd, "http://h/a b", "http://h/a\n", "http://h/" + "a" * 9_999] if met(url)]


@pytest.mark.parametrize("number", [3, 3 * FEW])
def test_the_answer_stays_the_same_however_often_it_is_asked(number: int) -> None:
    robots = RobotsTxt.parse(
        b"User-agent: *\nAllow: /1/ok\n" + b"".join(b"Disallow: /%d/\n" % n for n in range(number))
    )
    for _ in range(2 * OFTEN):
        assert not robots.allowed("ours", "http://h/1/")
        assert robots.allowed("ours", "http://h/1/ok")
        assert robots.allowed("ours", f"http://h/{number}/")
        assert robots.allowed("ours", "http://h/robots.txt")


@pytest.mark.parametrize("path", [b"/" + b"a" * MAX_LENGTH, b"/*" + b"a" * MAX_BEHIND])
def test_rules_that_are_too_long_are_no_expression(path: bytes) -> None:
    robots = RobotsTxt.parse(b"User-agent: *\nDisallow: " + path)
    assert compile_rules(ruleset.select_ruleset(robots.groups, "ours", robots.profile).rules) is None
    assert [robots.allowed("ours", "http://h/a") for _ in range(2 * OFTEN)] == [True] * 2 * OFTEN


@pytest.mark.requirement(180)
def test_of_many_rules_with_wildcards_the_right_one_decides() -> None:
    """The longest, Allow on a tie, among thousands."""
    rules = [b"Disallow: /%d/*.html\nAllow: /%d/*.htm$\nDisallow: /%d/x\n" % (n, n, n) for n in range(2_000)]
    robots = RobotsTxt.parse(b"User-agent: *\nDisallow: /*?\n" + b"".join(rules))
    for path, rule in (
        ("/7/a.html", "Disallow: /7/*.html"),
        ("/7/x.htm", "Allow: /7/*.htm$"),
        ("/1999/x", "Disallow: /1999/x"),
        ("/7/a?b", "Disallow: /*?"),
        ("/2000/x", ""),
    ):
        assert robots.explain("ours", path).rule == rule
        assert robots.allowed("ours", path) is not rule.startswith("Disallow")


def test_expressions_hold_no_surprise() -> None:
    """Signs that mean something in an expression mean nothing in a path."""
    robots = RobotsTxt.parse(b"User-agent: *\nDisallow: /a.b+(c)|d[e]^{f}\\\n")
    path = "/a.b+(c)|d[e]^{f}\\"
    met = compile_rules(ruleset.select_ruleset(robots.groups, "ours", robots.profile).rules)
    assert met
    found = met("http://h" + path)
    assert found
    assert found.lastindex
    assert not robots.allowed("ours", path)
