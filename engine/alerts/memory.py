"""Measures how much memory is in use of what may be: of this service's control group, or of the machine."""

from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

_GROUPS = Path("/sys/fs/cgroup")
_MACHINE = Path("/proc/meminfo")
_OWN_GROUP = Path("/proc/self/cgroup")


class MemoryUse(NamedTuple):
    """Bytes in use that cannot be given back, of how many."""

    used: float
    limit: float
    where: str  # what has this limit


def measure_memory(
    groups: Path = _GROUPS, own: Path = _OWN_GROUP, machine: Path = _MACHINE
) -> MemoryUse | None:
    """Measures the control group of this process where that has a limit, else the machine; None: unknown."""
    with suppress(OSError, ValueError):
        return _measure_group(groups, own)
    with suppress(OSError, ValueError, KeyError):
        fields = dict(line.split(":", 1) for line in machine.read_text("ascii").splitlines())
        whole, left = (1024.0 * int(fields[name].split()[0]) for name in ("MemTotal", "MemAvailable"))
        return MemoryUse(whole - left, whole, "this machine")
    return None


def _measure_group(groups: Path, own: Path) -> MemoryUse:
    """Measures a group of cgroup v2, without the files that the kernel only caches. Raises ValueError or
    OSError where it has no limit.
    """
    line = next(line for line in [*own.read_text("utf-8").splitlines(), "0::/"] if line.startswith("0::"))
    folder = groups / line[3:].strip("/")
    limit = float((folder / "memory.max").read_text("ascii"))  # "max" is no number
    counted = dict(line.split() for line in (folder / "memory.stat").read_text("ascii").splitlines())
    used = float((folder / "memory.current").read_text("ascii")) - float(counted.get("inactive_file", 0))
    return MemoryUse(used, limit, "this service")
