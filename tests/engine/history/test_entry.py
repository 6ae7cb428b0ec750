"""Lines of the request log: what a person needs to prove how the crawl behaved, and no secret."""

import json
from typing import Any

import pytest

from engine.history.entry import (
    SkippedUrl,
    describe_fetch,
    describe_visit,
    format_request,
    format_skip,
    mask_secrets,
)
from engine.model.origin import Origin
from engine.model.page import Claim, Fetch, Purpose, State, Visit

CLAIM = Claim(1, "http://h.example/a", "http://h.example", referrer="http://h.example/", origin=Origin.LINK)
ANSWER = Fetch(CLAIM, 200, (("set-cookie", "sid=1"),), b"the text", at=1.8e9, seconds=0.25, received=700)


def fields(line: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(line)
    return found


VISITS: list[tuple[Visit, dict[str, Any], str]] = [
    (
        Visit(ANSWER, State.STORED),
        {
            "event": "request",
            "status": 200,
            "bytes": 700,
            "seconds": 0.25,
            "outcome": "stored",
            "from": "link",
        },
        "a page",
    ),
    (
        Visit(Fetch(CLAIM, 0, error="timeout", at=1.8e9), State.FAILED, "timeout", again=True),
        {"event": "request", "status": 0, "reason": "timeout", "outcome": "to be tried again"},
        "no answer is a request all the same",
    ),
    (
        Visit(Fetch(CLAIM, 0, at=1.8e9), State.DISALLOWED, "robots.txt"),
        {"event": "skip", "rule": "robots.txt"},
        "its turn came, and nothing was sent",
    ),
    (
        Visit(Fetch(CLAIM, 301, at=1.8e9), State.ALIAS, "redirect", target="http://h.example/b?key=1"),
        {"outcome": "alias", "reason": "redirect", "target": "http://h.example/b?key=***"},
        "where it leads",
    ),
    (Visit(Fetch(CLAIM, 304, at=1.8e9), State.STORED, unchanged=True), {"outcome": "unchanged"}, "a 304"),
    (
        Visit(Fetch(CLAIM, 200, at=1.8e9, replayed=True), State.STORED),
        {"replayed": True},
        "it was read from the journal after a kill, and not sent twice",
    ),
]


@pytest.mark.requirement(258)
@pytest.mark.parametrize(("visit", "expected", "why"), VISITS)
def test_a_visit_has_one_line(visit: Visit, expected: dict[str, Any], why: str) -> None:
    line = format_request(describe_visit(visit))
    found = fields(line)
    assert "\n" not in line
    assert found | expected == found, why
    assert found["time"] == "2027-01-15T08:00:00.000Z"
    assert (found["url"], found["referrer"]) == ("http://h.example/a", "http://h.example/")


def test_neither_headers_nor_texts_are_in_a_line() -> None:
    line = format_request(describe_visit(Visit(ANSWER, State.STORED)))
    assert "sid=1" not in line
    assert "the text" not in line


def test_an_answer_to_robots_txt_has_no_outcome() -> None:
    claim = Claim(
        0, "http://h.example/robots.txt", "http://h.example", kind=Purpose.ROBOTS, origin=Origin.CRAWL
    )
    found = fields(format_request(describe_fetch(Fetch(claim, 503, at=1.8e9))))
    assert (found["kind"], found["status"], "outcome" in found) == ("robots", 503, False)


def test_a_url_that_never_came_into_the_queue_has_its_rule() -> None:
    found = fields(format_skip(SkippedUrl(1.8e9, "links", "http://x.example/?a=\\", "scope")))
    assert found == {
        "time": "2027-01-15T08:00:00.000Z",
        "event": "skip",
        "kind": "links",
        "url": "http://x.example/?a=\\",
        "rule": "scope",
    }


@pytest.mark.parametrize(
    ("url", "masked", "why"),
    [
        ("http://h/?q=token", "http://h/?q=token", "a word that somebody looked for"),
        ("http://h/?a=1&access_token=x.y&b=2", "http://h/?a=1&access_token=***&b=2", "the others stay"),
        ("http://h/?PHPSESSID=1", "http://h/?PHPSESSID=***", "in capitals"),
        ("http://h/?X-Amz-Signature=ab=cd", "http://h/?X-Amz-Signature=***", "with a sign of its own in it"),
        ("http://h/a;sid=1?b=2", "http://h/a;sid=***?b=2", "in a path"),
        ("http://h/a;jsessionid=1/b", "http://h/a;jsessionid=***/b", "in the middle of one"),
        ("http://h/?key=a?b&c=d", "http://h/?key=***&c=d", "a value with a question in it"),
        ("http://h/password=1", "http://h/password=1", "no query at all"),
    ],
)
def test_values_that_let_somebody_in_are_masked(url: str, masked: str, why: str) -> None:
    assert mask_secrets(url) == masked, why
