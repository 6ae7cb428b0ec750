"""What is measured of a process, and that it is the contestant's own."""

import mmap
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.instruments.space import anonymous_bytes, disk_bytes, peak_bytes, private_bytes

SIZE = 20_000_000  # bytes; what else happens in this process takes far less


def test_memory_of_its_own_is_private_and_anonymous() -> None:
    private, anonymous = private_bytes(), anonymous_bytes()
    with mmap.mmap(
        -1, SIZE, flags=mmap.MAP_PRIVATE
    ) as taken:  # from the kernel, whatever Python has left over
        taken[:] = b"x" * SIZE
        assert private_bytes() - private > 0.9 * SIZE
        assert anonymous_bytes() - anonymous > 0.9 * SIZE
        assert peak_bytes() >= SIZE


def test_a_mapped_file_is_private_where_nobody_else_has_it_but_not_anonymous(tmp_path: Path) -> None:
    path = tmp_path / "segment"
    with open(path, "wb") as file:
        file.write(b"x" * SIZE)
        file.flush()
        os.fsync(file.fileno())  # else its pages were dirty
    assert disk_bytes(tmp_path) == SIZE
    private, anonymous = private_bytes(), anonymous_bytes()
    with open(path, "rb") as read, mmap.mmap(read.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert mapped[:: mmap.PAGESIZE].count(b"x") == -(-SIZE // mmap.PAGESIZE)
        assert private_bytes() - private > 0.9 * SIZE
        assert anonymous_bytes() - anonymous < 0.1 * SIZE


@pytest.mark.slow
def test_a_searcher_has_imported_neither_crawl_nor_crawl_database() -> None:
    """Its memory is measured."""
    script = "import sys, benchmarks.instruments.apart, benchmarks.peers.lycosa_index; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not {"scrapy", "twisted", "sqlalchemy"} & set(run.stdout.split())
