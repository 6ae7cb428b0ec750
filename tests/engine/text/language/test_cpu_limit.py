"""A page pays for its own reading only."""

import signal

import pytest

from engine.text.language.cpu_limit import pause_cpu_limit


@pytest.mark.parametrize(
    ("seconds", "why"), [(60.0, "a page is being read"), (0.0, "nothing is being timed")]
)
def test_the_timer_rests(seconds: float, why: str) -> None:
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        with pause_cpu_limit():
            assert signal.getitimer(signal.ITIMER_PROF)[0] == 0.0, why
        assert (signal.getitimer(signal.ITIMER_PROF)[0] > 0.0) == bool(seconds), why
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
