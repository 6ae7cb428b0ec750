"""Memory of a crawl's processes, at its highest: /proc knows (proc(5), VmHWM)."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

LOOK_SECONDS = 0.1
ROLES = (
    ("engine.workers", "reader"),
    ("engine.index.indexing", "follower"),
    (" serve", "page"),
    (" crawl", "crawl"),
)
BOUNDS = {"crawl": 700, "reader": 1100, "follower": 700, "page": 700}  # megabytes


def processes(pid: int) -> Iterator[tuple[str, Path]]:
    """The role and the /proc folder of a process of ours and of all that it started."""
    proc = Path(f"/proc/{pid}")
    with suppress(OSError):  # it has just ended
        line = proc.joinpath("cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        children = proc.joinpath(f"task/{pid}/children").read_text().split()
        yield from ((role, proc) for word, role in ROLES if word in line)
        for child in children:
            yield from processes(int(child))


def megabytes(proc: Path, field: str) -> float:
    """A field of /proc/PID/status, 0 when the process has ended."""
    with suppress(OSError):
        for line in proc.joinpath("status").read_text(errors="replace").splitlines():
            if line.startswith(f"{field}:"):
                return int(line.split()[1]) * 1024 / 1e6
    return 0.0


class Peaks:
    """The highest VmHWM of each role in megabytes, among a process and its descendants."""

    def __init__(self) -> None:
        self.highest: dict[str, float] = {}

    def look(self, pid: int) -> None:
        """Once at a process and all that it started."""
        for role, proc in processes(pid):
            self.highest[role] = max(self.highest.get(role, 0), megabytes(proc, "VmHWM"))

    @property
    def beyond(self) -> dict[str, float]:
        """Roles that took more than they may."""
        return {role: peak for role, peak in self.highest.items() if peak > BOUNDS[role]}

    def __str__(self) -> str:
        return "\n".join(f"{role:<10}{peak:>8,.0f} MB" for role, peak in self.highest.items())


@contextmanager
def watched(*pids: int) -> Iterator[Peaks]:
    """Looks now and then for as long as the block lasts."""
    peaks, over = Peaks(), threading.Event()

    def look() -> None:
        while not over.wait(LOOK_SECONDS):
            for pid in pids:
                peaks.look(pid)

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield peaks
    finally:
        over.set()
        thread.join()
