"""Writes the table of docs/benchmarks.md: `python -m benchmarks.table [NAME ...]`.

Each benchmark runs RUNS times, all of them by turns, so what else a machine does in the meantime is in the
spread of every figure. A figure is the median of its runs, with the least and the greatest behind it.
"""

import argparse
import json
import platform
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from benchmarks.instruments.row import DIGITS, report_progress
from engine.command import EXIT_MISUSE

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "benchmarks.md"
BEGIN, END = "<!-- made by `make bench` -->", "<!-- until here -->"
RUNS = 5
# What a person can do in an evening; the others need a server, or more pages than a package has.
BENCHMARKS: Mapping[str, Sequence[str]] = {
    "crawl": (),
    "query": ("--packages", "python3.11-doc", "openjdk-17-doc", "libboost1.81-doc"),
    "extract": (),
    "analysis": (),
    "robots": (),
    "request_log": (),
    "charset": (),
    "frontier": ("--urls", "100000"),
    "near": ("--urls", "100000"),
}

Fields = Mapping[str, object]
"""A row as `Row.line` writes it."""

Run = Callable[[str], Iterable[Fields]]
"""Runs a benchmark by its name. Raises CalledProcessError where it fails."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of several runs, and the same of a peer. `name` and `peer` are those of a row."""

    name: str
    peer: str
    ours: list[float] = field(default_factory=list)
    theirs: list[float] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)

    def add(self, row: Fields) -> None:
        """Adds what a run has found."""
        for values, key in ((self.ours, "ours"), (self.theirs, "peer_value"), (self.ratios, "ratio")):
            if isinstance(value := row[key], float | int):
                values.append(value)

    def line(self) -> str:
        """Returns its line of the table."""
        ratio = format_number(median(self.ratios)) if self.ratios else ""
        return f"| {self.name} | {_spread(self.ours)} | {self.peer} | {_spread(self.theirs)} | {ratio} |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures and writes the table; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.table",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m benchmarks.table robots charset",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {' '.join(BENCHMARKS)} (default: all)")
    names = parser.parse_args(arguments).names or [*BENCHMARKS]
    if unknown := [name for name in names if name not in BENCHMARKS]:
        report_progress(f"benchmarks.table: unknown {unknown[0]}; name some of {' '.join(BENCHMARKS)}")
        return EXIT_MISUSE
    table = write_table(names, run_benchmark)
    PAGE.write_text(replace_table(PAGE.read_text(encoding="utf-8"), table), encoding="utf-8")
    return 0


def run_benchmark(name: str) -> Iterator[Fields]:
    """Runs a benchmark in a process of its own. Raises CalledProcessError where it fails."""
    command = [sys.executable, "-m", "benchmarks", name, *BENCHMARKS[name]]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return map(json.loads, done.stdout.splitlines())


def write_table(names: Sequence[str], run: Run) -> str:
    """Runs each benchmark RUNS times; returns the table, with what could not be measured behind it."""
    figures, failed = dict[tuple[str, str], Figure](), dict[str, str]()
    for number in range(RUNS):
        for name in names:
            report_progress(f"{name}, {number + 1} of {RUNS}")
            try:
                for row in run(name):
                    key = str(row["name"]), str(row["peer"] or "")
                    figures.setdefault(key, Figure(*key)).add(row)
            except subprocess.CalledProcessError as error:
                failed[name] = (str(error.stderr).splitlines() or ["it failed"])[-1]
    lines = [
        f"{describe_machine()}. The medians of {RUNS} runs, with the least and the greatest.",
        "",
        "| | Lycosa | | peer | times better |",
        "|---|--:|---|--:|--:|",
        *(figure.line() for figure in figures.values()),
    ]
    lines += ["", *(f"Not measured: {name}: {why}." for name, why in failed.items())] if failed else []
    return "\n".join(lines)


def replace_table(page: str, table: str) -> str:
    """Replaces what stands between the two marks of a page."""
    before, _, rest = page.partition(BEGIN)
    after = rest.partition(END)[2]
    return f"{before}{BEGIN}\n\n{table}\n\n{END}{after}"


def describe_machine() -> str:
    """Describes what all was measured with: processor, memory, Python, commit."""
    described = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    models = [line.partition(": ")[2] for line in described.splitlines() if line.startswith("model name")]
    memory = Path("/proc/meminfo").read_text(encoding="utf-8").split()[1]
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=ROOT, check=False, capture_output=True, text=True
    ).stdout.strip()
    return (
        f"{len(models)} cores of {models[0] if models else platform.machine()}, {int(memory) / 1e6:.0f} GB, "
        f"Python {platform.python_version()}, commit {commit or 'unknown'}"
    )


def format_number(value: float) -> str:
    """Formats a number with the digits that a run repeats."""
    short = float(f"{value:.{DIGITS - 1}g}")
    return f"{short:,.0f}" if short >= 100 else f"{short:g}"


def _spread(values: Sequence[float]) -> str:
    if not values:
        return ""
    least, most = format_number(min(values)), format_number(max(values))
    middle = format_number(median(values))
    return middle if least == most else f"{middle} ({least}–{most})"


if __name__ == "__main__":
    sys.exit(main())
