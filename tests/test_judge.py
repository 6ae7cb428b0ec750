"""What an answer means by its status alone."""

import pytest

from engine.judge import judge
from engine.page import Claim, Fetch, State

URL = "http://h.example/a"
TO = [("location", "/b")]


@pytest.mark.parametrize(
    ("status", "headers", "state", "why"),
    [
        (200, [], State.STORED, "requirement 265"),
        (299, [], State.STORED, "requirement 78: as 200"),
        (301, TO, State.ALIAS, "requirement 79"),
        (300, TO, State.ALIAS, "RFC 9110, 15.4.1: the choice that the server prefers"),
        (300, [], State.FAILED, "a list of choices, none preferred"),
        (399, TO, State.ALIAS, "requirement 78: as 300"),
        (399, [], State.FAILED, "requirement 78: as 300"),
        (301, [], State.FAILED, "it does not say where to"),
        (305, TO, State.FAILED, "RFC 9110, 15.4.6: the Location is a proxy's"),
        (302, [("location", "/a")], State.FAILED, "requirement 79: a loop"),
        (404, [], State.GONE, "requirement 265"),
        (410, [], State.GONE, "requirement 265"),
        (499, [], State.FAILED, "requirement 78: as 400"),
        (599, [], State.FAILED, "requirement 78: as 500"),
        (999, [], State.FAILED, "of no class at all"),
        (0, [], State.FAILED, "requirement 265: no answer"),
    ],
)
def test_each_code_or_its_class(status: int, headers: list[tuple[str, str]], state: State, why: str) -> None:
    assert judge(Fetch(Claim(1, URL, "http://h.example"), status, headers)).state is state, why


@pytest.mark.parametrize(("status", "again"), [(499, False), (429, True), (500, True), (599, True)])
def test_what_is_worth_another_try(status: int, again: bool) -> None:
    """Requirements 78, 86: what the server fails at may pass, what we did wrong does not."""
    assert judge(Fetch(Claim(1, URL, "http://h.example"), status)).again is again
