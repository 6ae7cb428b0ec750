"""How much memory is in use: of a control group that has a limit, else of the machine."""

from pathlib import Path

import pytest

from engine.alerts.memory import MemoryUse, measure_memory

MEMINFO = "MemTotal: 1000 kB\nMemFree: 10 kB\nMemAvailable: 250 kB\n"


def measured(
    folder: Path, limit: str | None, machine: str = MEMINFO, path: str = "/lycosa"
) -> MemoryUse | None:
    group = folder / "cgroup" / path.strip("/")
    group.mkdir(parents=True, exist_ok=True)
    if limit is not None:
        (group / "memory.max").write_text(f"{limit}\n")
        (group / "memory.current").write_text("900\n")
        (group / "memory.stat").write_text("anon 500\ninactive_file 300\n")
    (folder / "own").write_text(f"0::{path}\n")
    (folder / "meminfo").write_text(machine)
    return measure_memory(folder / "cgroup", folder / "own", folder / "meminfo")


@pytest.mark.parametrize(
    ("limit", "machine", "path", "expected", "why"),
    [
        (
            "2000",
            MEMINFO,
            "/lycosa",
            MemoryUse(600, 2000, "this service"),
            "what is only cached does not count",
        ),
        ("2000", MEMINFO, "/", MemoryUse(600, 2000, "this service"), "in a container"),
        ("max", MEMINFO, "/lycosa", MemoryUse(768_000, 1_024_000, "this machine"), "it has no limit"),
        (None, MEMINFO, "/lycosa", MemoryUse(768_000, 1_024_000, "this machine"), "it is not there"),
        (None, "", "/lycosa", None, "the system tells nothing"),
        (None, "MemTotal: many kB\nMemAvailable: 1 kB", "/lycosa", None, "or what nobody can read"),
    ],
)
def test_memory(
    tmp_path: Path, limit: str | None, machine: str, path: str, expected: MemoryUse | None, why: str
) -> None:
    assert measured(tmp_path, limit, machine, path) == expected, why


def test_this_machine() -> None:
    used = measure_memory()
    assert used is None or 0 < used.used <= used.limit
