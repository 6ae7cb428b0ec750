"""Measures the disk space of a folder and the memory of this process."""

from pathlib import Path

MEGABYTE = 1e6
_SELF = Path("/proc/self")


def disk_bytes(folder: Path) -> int:
    """What the files below a folder take."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def peak_bytes() -> int:
    """The most memory that this process ever held; getrusage would count the parent's."""
    return _kernel_says("status", "VmHWM")


def private_bytes() -> int:
    """What ending this process would free: its unique set size, with files that it alone has mapped."""
    return _kernel_says("smaps_rollup", "Private_Clean", "Private_Dirty")


def anonymous_bytes() -> int:
    """What of it is in no file, so that the kernel cannot take it back when others want memory."""
    return _kernel_says("smaps_rollup", "Anonymous")


def _kernel_says(name: str, *wanted: str) -> int:
    """The sum of these lines of a file of proc(5), in bytes."""
    lines = (_SELF / name).read_text(encoding="ascii").splitlines()
    kilobytes = dict(line.split(":", 1) for line in lines if line.endswith("kB"))
    return sum(int(kilobytes[field].split()[0]) for field in wanted) * 1024
