"""The arithmetic of pauses (C33)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.frontier.politeness import MAX_PAUSE, PACES, MachineDelays, Pace, compute_pause

pytestmark = pytest.mark.requirement(191, 264, 312)

POLITE, BRISK, STRICT, OWN = (PACES[name] for name in ("polite", "brisk", "strict", "own"))


@pytest.mark.requirement(64)
@pytest.mark.parametrize(
    ("pace", "response", "delay", "fails", "draw", "seconds", "why"),
    [
        (POLITE, 0.1, None, 0, 0.0, 5.0, "five seconds at least"),
        (POLITE, 0.1, None, 0, 1.0, 7.5, "drawn out by up to half"),
        (POLITE, 4.0, None, 0, 0.0, 8.0, "a slow host gets twice its own time"),
        (POLITE, 0.1, 30.0, 0, 0.0, 30.0, "the owner's delay, when it is longer"),
        (POLITE, 0.1, 1.0, 0, 0.0, 5.0, "a shorter wish of the owner's does not make us faster"),
        (BRISK, 0.1, None, 0, 0.0, 1.0, "where the owner agreed"),
        (BRISK, 0.1, 10.0, 0, 0.0, 10.0, "and still his delay counts"),
        (STRICT, 0.1, None, 0, 0.0, 15.0, "strict"),
        (OWN, 9.0, 30.0, 0, 1.0, 0.0, "the operator's own host: no pause, no Crawl-delay"),
        (OWN, 0.1, None, 1, 0.0, 2.0, "but a failing one rests, too"),
        (POLITE, 0.1, None, 2, 0.0, 20.0, "each failure doubles"),
        (POLITE, 0.1, None, 60, 1.0, MAX_PAUSE, "up to a cap"),
        (POLITE, 400.0, None, 60, 0.0, 800.0, "which never shortens what the host needs"),
    ],
)
def test_pause(
    pace: object, response: float, delay: float | None, fails: int, draw: float, seconds: float, why: str
) -> None:
    assert compute_pause(pace, response, delay, fails, draw) == seconds, why  # type: ignore[arg-type]


@given(
    st.sampled_from([POLITE, BRISK, STRICT]),
    st.floats(0, 1e4),
    st.none() | st.floats(0, 300),
    st.integers(0, 10_000),
    st.floats(0, 1),
)
def test_a_strangers_host_never_gets_less_than_its_pause(
    pace: object, response: float, delay: float | None, fails: int, draw: float
) -> None:
    seconds = compute_pause(pace, response, delay, fails, draw)  # type: ignore[arg-type]
    assert seconds >= max(pace.pause, 2 * response, delay or 0)  # type: ignore[attr-defined]


@pytest.mark.requirement(29)
@pytest.mark.parametrize(
    ("seen", "until", "why"),
    [
        ([], 0.0, "nobody was asked"),
        ([("192.0.2.7", STRICT, 100.0)], 103.0, "a fifth of the pause of its host"),
        ([("192.0.2.8", STRICT, 100.0)], 0.0, "another machine"),
        ([("192.0.2.7", STRICT, 100.0), ("192.0.2.7", BRISK, 100.5)], 103.0, "a quicker host ends no rest"),
        ([("192.0.2.7", BRISK, 100.0), ("192.0.2.7", STRICT, 100.1)], 103.1, "a slower one draws it out"),
        ([("192.0.2.7", OWN, 100.0)], 0.0, "the operator's own"),
        ([("", STRICT, 100.0)], 0.0, "where its host is, nobody knows"),
    ],
)
def test_the_floor_of_a_machine(seen: list[tuple[str, Pace, float]], until: float, why: str) -> None:
    floors = MachineDelays()
    for address, pace, now in seen:
        floors.record_contact(address, pace, now)
    assert floors.ready_at("192.0.2.7") == until, why
