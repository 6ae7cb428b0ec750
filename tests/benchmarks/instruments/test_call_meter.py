"""The CPU of a server's processes, some of which end while they are measured."""

import subprocess
import sys
from contextlib import closing

import pytest

from benchmarks.instruments.call_meter import CallMeter
from engine.errors import EngineError


def test_a_process_that_ends_costs_no_more() -> None:
    """A server ends one for each connection that was lost."""
    with closing(CallMeter()) as meter:
        meter.begin()
        with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
            before = meter._read(process.pid)
            meter._before[process.pid] = before
            process.kill()
        assert meter._read(process.pid) == before
        assert 0 <= meter.spent() < 10


def test_a_server_on_another_machine() -> None:
    with closing(CallMeter()) as meter, pytest.raises(EngineError, match="has to run on this machine"):
        meter._read(2**22 + 1)
