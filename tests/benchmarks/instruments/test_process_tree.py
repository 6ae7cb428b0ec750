"""What a tree of processes took is read, without those that have ended."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchmarks.instruments.process_tree import sample_tree

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="only Linux tells by /proc")
CHILD = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; held = bytearray(50_000_000); time.sleep(60)"])
used = time.process_time() + 0.3
while time.process_time() < used:
    pass
print("burnt", flush=True)
sys.stdin.read()
child.kill()
child.wait()
"""


def test_a_process_and_its_child() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", CHILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == b"burnt\n"
        held = 0
        while held < 50_000_000:  # the child begins when it likes
            found = sample_tree(os.getpid())
            held = sum(one.anonymous for one in found.values() if "bytearray" in one.command)
            time.sleep(0.01)
        assert found[process.pid].seconds > 0.2  # of ticks
        assert found[process.pid].command.startswith(f"{sys.executable} -c")
        assert os.getpid() in found
        process.communicate()
    assert process.pid not in sample_tree(os.getpid())
