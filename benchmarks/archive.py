"""Measures `scrapy import`: `python -m benchmarks.archive FILE.warc.gz...`, beside what its peer states.

A second of a core is one of processor time, of all processes together: the import, its readers, and the one
that indexes. Memory is what they hold at once in no file, as far as looks at them in the meantime saw.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.instruments.process_tree import ProcessSample, sample_tree
from benchmarks.instruments.row import Row, rate_row, report_progress
from benchmarks.instruments.space import MEGABYTE
from engine.command import EXIT_MISUSE
from engine.errors import EngineError

PEER, PEER_RATE = "webarchive-discovery", 0.5  # MB of compressed WARC a second, as its README states
LOOK_SECONDS = 0.2


def rows(files: Sequence[Path]) -> Iterator[Row]:
    """MB of the files a core's second and a second, pages a second, and MB of memory.

    Raises OSError for a file that is not there, EngineError where the import fails.
    """
    size = sum(path.stat().st_size for path in files) / MEGABYTE
    with TemporaryDirectory() as folder:
        settings = [word for name in ("DATA_DIR", "CRAWL_TOML") for word in ("-s", f"{name}={folder}/{name}")]
        began = time.perf_counter()
        command = [sys.executable, "-m", "scrapy", "import", *map(str, files), *settings]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as importing:
            seen, memory = _watch(importing)
            said = importing.stdout.read() if importing.stdout else ""
        seconds = time.perf_counter() - began
    if importing.returncode:
        raise EngineError(
            f"the import failed with exit code {importing.returncode}; what it said stands above"
        )
    cpu = sum(process.seconds for process in seen.values())
    pages = int(said.split()[0].replace(",", ""))
    yield rate_row("archive: MB of compressed WARC a core's second", size / cpu, PEER, PEER_RATE)
    yield Row("archive: MB of compressed WARC a second", size / seconds)
    yield Row("archive: pages a core's second", pages / cpu)
    yield Row("archive: pages", pages)
    yield Row("archive: MB of memory, all processes", memory / MEGABYTE)
    for line in said.splitlines():
        sys.stderr.write(f"{line}\n")


def _watch(importing: "subprocess.Popen[str]") -> tuple[dict[int, ProcessSample], int]:
    """Looks at a process and its children until it ends; returns the last look at each, and the peak."""
    last, peak = dict[int, ProcessSample](), 0
    while importing.poll() is None:
        now = sample_tree(importing.pid)
        last |= now
        peak = max(peak, sum(one.anonymous for one in now.values()))
        time.sleep(LOOK_SECONDS)
    return last, peak


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the rows; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.archive",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help="a WARC file")
    try:
        for row in rows(parser.parse_args(arguments).files):
            print(row.line(), flush=True)
    except (EngineError, OSError) as error:
        report_progress(f"benchmarks.archive: {error}")
        return EXIT_MISUSE
    return 0


if __name__ == "__main__":
    sys.exit(main())
