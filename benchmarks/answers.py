"""Measures whole result pages: `python -m benchmarks.answers DATA_DIR QUERIES`, CPU milliseconds a query.

QUERIES is a file with a query on each line; what stands behind a tab is not read. Each is asked ROUNDS times,
in rounds, one part after the other; answers are not remembered. `once` is the first round, when nothing was
remembered of this query but of others; the others are medians, and 95th percentiles, of the best:

    answer.whole       all of Search.search(): parsed, found, ranked, ten hits with snippets, suggestions
    answer.find        parsed and found alone
    answer.snippets    the snippets of the ten hits
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from statistics import median, quantiles

from benchmarks.instruments.row import Row
from benchmarks.peers.contest import TOP
from benchmarks.peers.lycosa_index import LycosaIndex, open_index
from engine.command import EXIT_MISUSE
from engine.errors import EngineError
from engine.index.reader.cache import IndexCache
from engine.index.snippets.matcher import build_matcher
from engine.index.snippets.snippet import make_snippet
from engine.search.answer import answer_query
from engine.search.search import SearchService

ROUNDS = 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the rows; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.answers", description=__doc__)
    parser.add_argument("data_dir", type=Path, metavar="DATA_DIR")
    parser.add_argument("queries", type=Path, metavar="QUERIES")
    chosen = parser.parse_args(arguments)
    try:
        for row in rows(chosen.data_dir, _queries(chosen.queries)):
            print(row.line(), flush=True)
    except EngineError as error:
        print(f"benchmarks.answers: {error}", file=sys.stderr)
        return EXIT_MISUSE
    return 0


def rows(data_dir: Path, queries: Sequence[str]) -> Iterator[Row]:
    """Raises IndexMissing where there is no index."""
    with (
        closing(open_index(data_dir)) as index,
        closing(SearchService(data_dir, cache=IndexCache(answers=0))) as search,
    ):
        parts: dict[str, Callable[[str], float]] = {
            "whole": lambda typed: _milliseconds(lambda: search.search(typed)),
            "find": lambda typed: _milliseconds(lambda: answer_query(index.snapshot, typed, TOP)),
            "snippets": lambda typed: _of_snippets(index, typed),
        }
        for name, milliseconds in parts.items():
            rounds = [list(map(milliseconds, queries)) for _ in range(ROUNDS)]
            least = [min(times) for times in zip(*rounds, strict=True)]
            yield Row(f"answer.{name}", median(least))
            yield Row(f"answer.info.{name}.p95", quantiles(least, n=20)[-1])
            yield Row(f"answer.info.{name}.once", median(rounds[0]))


def _of_snippets(index: LycosaIndex, typed: str) -> float:
    query, best, _ = answer_query(index.snapshot, typed, TOP)
    pages, wanted = (
        index.pages(index.snapshot.rank(best, TOP)),
        build_matcher(query, index.snapshot.reader.languages),
    )
    return _milliseconds(lambda: [make_snippet(page, wanted) for page in pages])


def _milliseconds(work: Callable[[], object]) -> float:
    began = time.thread_time()
    work()
    return (time.thread_time() - began) * 1000


def _queries(path: Path) -> list[str]:
    """At least two: there is no percentile of one."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise EngineError(f"{path} cannot be read: name a file with a query on each line") from error
    found = [line.split("\t")[0] for line in lines if line.split("\t")[0].strip()]
    if len(found) < 2:
        raise EngineError(f"there are fewer than two queries in {path}: write one on each line")
    return found


if __name__ == "__main__":
    sys.exit(main())
