"""Memory of a crawl's processes, at its highest: /proc knows (proc(5), VmHWM)."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

LOOK_SECONDS = 0.1
ROLES = (("engine.reading", "reader"), ("engine.index", "follower"), (" serve", "page"), (" crawl", "crawl"))
BOUNDS = {"crawl": 700, "reader": 1100, "follower": 700, "page": 700}  # megabytes


class Peaks:
    """The highest VmHWM of each role in megabytes, among a process and its descendants."""

    def __init__(self) -> None:
        self.highest: dict[str, float] = {}

    def look(self, pid: int) -> None:
        """Once at a process and all that it started; one that has just ended is left out."""
        with suppress(OSError, StopIteration):
            proc = Path(f"/proc/{pid}")
            line = proc.joinpath("cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            status = proc.joinpath("status").read_text(errors="replace").splitlines()
            kilobytes = next(one for one in status if one.startswith("VmHWM")).split()[1]
            role = next(role for word, role in ROLES if word in line)
            self.highest[role] = max(self.highest.get(role, 0), int(kilobytes) * 1024 / 1e6)
            for child in proc.joinpath(f"task/{pid}/children").read_text().split():
                self.look(int(child))

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
