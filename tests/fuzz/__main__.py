"""`python -m tests.fuzz [TARGET...]`: one after the other, FUZZ_SECONDS each; exit code 1 for findings.

Corpora and findings stay in build/fuzz; a finding becomes a row of the tests' tables.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT
from tests.fuzz.targets import TARGETS

SECONDS = 3600 // len(TARGETS)  # an hour in all
FOLDER = ROOT / "build" / "fuzz"
EXECUTED = re.compile(r"stat::number_of_executed_units:\s*(\d+)")


def fuzzed(name: str, seconds: str) -> tuple[int, list[Path]]:
    """How many inputs one target was given, and the files of those that broke a law."""
    folder = FOLDER / name.replace(" ", "-")
    folder.mkdir(parents=True, exist_ok=True)
    for old in (folder / "findings").glob("*"):
        old.unlink()
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.one", name, seconds, str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        errors="replace",
    )
    counted = EXECUTED.search(done.stderr)
    (folder / "log").write_text(done.stdout + done.stderr)
    if not counted:
        sys.exit(f"{name} did not begin: {done.stderr[-2000:]}")
    return int(counted[1]), sorted((folder / "findings").glob("*"))


def main() -> int:
    """A line for each target."""
    seconds, findings = os.environ.get("FUZZ_SECONDS", str(SECONDS)), 0
    for name in sys.argv[1:] or TARGETS:
        executions, found = fuzzed(name, seconds)
        findings += len(found)
        print(f"{name:<14}{executions:>12,} executions{len(found):>5} findings", flush=True)  # noqa: T201
        for path in found:
            print(f"    {path.relative_to(ROOT)}")  # noqa: T201
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
