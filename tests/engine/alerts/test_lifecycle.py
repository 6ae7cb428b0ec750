"""When an alarm is told: once it was seen for long enough, when it is over, and not while it flaps."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.alerts.alert import Alert, AlertKind, Finding
from engine.alerts.lifecycle import FORGOTTEN_SECONDS, REST_SECONDS, AlertRow, advance, forget

MINUTE = 60.0
BEGAN = 1_800_000_000.0


def seen(
    at: float, *, wrong: bool, hold: float = 0.0, mark: str = "", evidence: float | None = None
) -> Finding:
    """What a rule says of a host at a time."""
    when = at if evidence is None else evidence
    return Finding(AlertKind.HOST_DOWN, "h", wrong, when, "it is down", "look", hold, mark)


def follow(findings: list[tuple[float, Finding]]) -> list[tuple[float, Alert]]:
    """All that is told, with its time."""
    row: AlertRow | None = None
    told: list[tuple[float, Alert]] = []
    for now, finding in findings:
        row, news = advance(row, finding, now)
        told += [(now, alert) for alert in news]
        row, news = forget(row, now) if row else (None, [])
        told += [(now, alert) for alert in news]
    return told


def minutes(words: str, **more: float) -> list[tuple[float, Finding]]:
    """A finding a minute: x is wrong, . is well, a space says nothing."""
    return [
        (BEGAN + n * MINUTE, seen(BEGAN + n * MINUTE, wrong=word == "x", **more))  # type: ignore[arg-type]
        for n, word in enumerate(words)
        if word != " "
    ]


CASES = [
    ("x", 0.0, ["0 open"], "it is told at once"),
    ("xxxx", 0.0, ["0 open"], "and once"),
    ("xxx.", 0.0, ["0 open", "3 over"], "and when it is over"),
    ("....", 0.0, [], "nothing is wrong"),
    ("x...", 0.0, ["0 open", "1 over"], "the end once, too"),
    ("x  x.", 0.0, ["0 open", "4 over"], "nobody has looked meanwhile"),
    ("x.x.x.x.x.", 0.0, ["0 open", "1 over"], "it comes and goes within the hour"),
    ("x." + "x" * 70, 0.0, ["0 open", "1 over", "61 open"], "it came back, and is there after the hour"),
    ("x." + "x" * 70 + ".", 0.0, ["0 open", "1 over", "61 open", "72 over"], "and goes"),
    ("x" + "." * 62 + "x", 0.0, ["0 open", "1 over", "63 open"], "an hour later it is another"),
    ("xx.", 300.0, [], "shorter than its rule wants"),
    ("xxxxxxx.", 300.0, ["5 open", "7 over"], "longer"),
    ("xxx.xxx", 300.0, [], "each time anew"),
]


@pytest.mark.parametrize(("words", "hold", "told", "why"), CASES, ids=[row[-1] for row in CASES])
def test_what_is_told_and_when(words: str, hold: float, told: list[str], why: str) -> None:
    found = follow(minutes(words, hold=hold))
    assert [f"{(at - BEGAN) / MINUTE:.0f} {alert.status}" for at, alert in found] == told, why


def test_the_end_says_how_long_it_was_and_how_often_it_came() -> None:
    found = follow(minutes("x." + "x" * 70 + "."))
    assert found[1][1].line == "over, after 60 s: it is down"
    assert found[-1][1].line == "over, after 70 min, and came 2 times: it is down"
    assert found[0][1].id == found[1][1].id != found[2][1].id == found[3][1].id


def test_a_mark_that_changes_ends_it() -> None:
    """As a stalled crawl that gets one answer and stalls again: the second is held back as the first was."""
    marks = "aaaab" + "b" * 20
    findings = [
        (BEGAN + n * MINUTE, seen(BEGAN + n * MINUTE, wrong=True, hold=120.0, mark=mark))
        for n, mark in enumerate(marks)
    ]
    assert [alert.status for _, alert in follow(findings)] == ["open", "over"], "within the hour nothing more"


def test_what_was_seen_before_does_not_end_it() -> None:
    """A crawl failed before it could begin: that the one of yesterday came to its end is no news."""
    findings = [
        (BEGAN, seen(BEGAN, wrong=True)),
        (BEGAN + MINUTE, seen(0, wrong=False, evidence=BEGAN - 1)),
        (BEGAN + 2 * MINUTE, seen(0, wrong=False, evidence=BEGAN + 90)),
    ]
    told = follow(findings)
    assert [(at - BEGAN, alert.status) for at, alert in told] == [(0, "open"), (2 * MINUTE, "over")]
    assert told[-1][1].until == BEGAN + 90


def test_an_alarm_of_which_nobody_speaks_any_more_is_over_after_two_weeks() -> None:
    row, _ = advance(None, seen(BEGAN, wrong=True), BEGAN)
    assert row
    assert forget(row, BEGAN + FORGOTTEN_SECONDS - 1) == (row, [])
    ended, told = forget(row, BEGAN + FORGOTTEN_SECONDS)
    assert [alert.status for alert in told] == ["over"]
    assert ended
    assert forget(ended, BEGAN + FORGOTTEN_SECONDS + REST_SECONDS) == (None, [])


@given(
    st.lists(st.tuples(st.floats(1, 2_000), st.sampled_from("x.")), max_size=60),
    st.sampled_from([0.0, 300.0]),
)
def test_begin_and_end_take_turns_and_the_next_begin_is_an_hour_after_the_end(
    looks: list[tuple[float, str]], hold: float
) -> None:
    now, findings = BEGAN, []
    for pause, word in looks:
        now += pause
        findings.append((now, seen(now, wrong=word == "x", hold=hold)))
    told = follow(findings)
    assert [alert.status for _, alert in told] == (["open", "over"] * len(told))[: len(told)]
    for (before, first), (after, second) in pairwise(told):
        if first.status == "over":
            assert after - before >= REST_SECONDS
            assert first.id != second.id
        else:
            assert first.id == second.id
    if findings and not hold and not told:
        assert all(not finding.is_wrong for _, finding in findings)
