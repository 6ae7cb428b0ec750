"""What an answer means by its status alone."""

import pytest

from engine.crawl.response_policy import apply_directives, classify_response, is_unavailable
from engine.model import Secret
from engine.model.page import Claim, Fetch, Reading, State, Visit
from engine.robots import Directives

URL = "http://h.example/a"
TO = [("location", "/b")]


@pytest.mark.requirement(78, 79, 265)
@pytest.mark.parametrize(
    ("status", "headers", "state", "why"),
    [
        (200, [], State.STORED, "requirement 265"),
        (299, [], State.STORED, "requirement 78: as 200"),
        (301, TO, State.ALIAS, "requirement 79"),
        (201, [], State.STORED, "requirement 78: as 200"),
        (203, [], State.STORED, "requirement 78: as 200"),
        (204, [], State.FAILED, "RFC 9110, 15.3.5: no page; what we have of it stands"),
        (205, [], State.FAILED, "RFC 9110, 15.3.6: the same"),
        (206, [], State.FAILED, "RFC 9110, 15.3.7: a part of a page, for which nobody asked"),
        (206, [("content-range", "bytes 0-9/10")], State.FAILED, "the same, whatever it says"),
        (226, [], State.FAILED, "RFC 3229: what has changed, for which nobody asked"),
        (304, [], State.FAILED, "RFC 9110, 15.4.5: nobody asked whether anything has changed"),
        (304, TO, State.FAILED, "the same, and it leads nowhere"),
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
        (102, [], State.FAILED, "not an answer yet"),
        (600, [], State.FAILED, "RFC 9110, 15: as 500"),
        (0, [], State.FAILED, "requirement 265: no answer"),
    ],
)
def test_each_code_or_its_class(status: int, headers: list[tuple[str, str]], state: State, why: str) -> None:
    assert classify_response(Fetch(Claim(1, URL, "http://h.example"), status, headers)).state is state, why


@pytest.mark.requirement(73)
def test_an_answer_that_confirms_what_we_have() -> None:
    """Only where we said what that is."""
    for claim in (Claim(1, URL, "http://h.example", etag='"1"'), Claim(1, URL, "", last_modified="then")):
        assert classify_response(Fetch(claim, 304)).unchanged


@pytest.mark.parametrize(
    ("error", "again", "away"),
    [
        ("answer cut short", True, False),
        ("no HTTP answer", True, False),
        ("response head too large", False, False),
        ("too large", False, False),
        ("connection refused", True, True),
        ("timeout", True, True),
    ],
)
def test_whose_fault_it_is(error: str, again: bool, away: bool) -> None:
    """What is wrong with one page costs its host nothing."""
    fetch = Fetch(Claim(1, URL, "http://h.example"), 0, error=error)
    assert (classify_response(fetch).again, is_unavailable(fetch), classify_response(fetch).reason) == (
        again,
        away,
        error,
    )


@pytest.mark.requirement(78, 86)
@pytest.mark.parametrize(
    ("status", "again"),
    [
        (499, False),
        (429, True),
        (500, True),
        (599, True),
        (999, True),
        (204, False),
        (206, False),
        (304, False),
    ],
)
def test_what_is_worth_another_try(status: int, again: bool) -> None:
    """What the server fails at may pass, what we did wrong does not."""
    assert classify_response(Fetch(Claim(1, URL, "http://h.example"), status)).again is again


@pytest.mark.requirement(82)
@pytest.mark.parametrize(
    ("secrets", "left", "why"),
    [
        (
            (),
            Reading("en", "text/html", Directives(), b"", (), b""),
            "what its owner asks, by which it is kept",
        ),
        ((Secret("private key", 1),), None, "its response is not: it has secrets"),
    ],
)
def test_what_is_left_of_a_page_that_leads_elsewhere(
    secrets: tuple[Secret, ...], left: Reading | None, why: str
) -> None:
    to = "http://h.example/b"
    reading = Reading("en", "text/html", Directives(), b"1", (to,), b"2", moved_to=to, secrets=secrets)
    visit = Visit(Fetch(Claim(1, URL, "http://h.example"), 200), State.STORED, reading=reading)
    after = apply_directives(visit, indexable=True)
    assert (after.state, after.target, after.reading) == (State.ALIAS, to, left), why
