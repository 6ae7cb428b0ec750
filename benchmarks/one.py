"""Profiles one batch of indexing, or one query: `python -m benchmarks.one DATA_DIR [WORDS ...]`.

Of a data folder that was crawled, the first batch of changes is indexed, into a folder that is deleted
afterwards; or, where words are given, they are looked for in its index: parsed, found, ranked, the stored
fields of the hits unpacked, as benchmarks.query has it. `python -m cProfile` would show Python's imports
before all else, and of a query nothing but zeros. So all is done once before, and a query is asked ASKED
times: seconds of its profile are milliseconds of one query. A profile makes Python's own lines two to five
times as slow and NumPy's not: what counts is which come first.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from cProfile import Profile
from pathlib import Path
from pstats import SortKey, Stats
from tempfile import TemporaryDirectory

from benchmarks.peers.lycosa_index import open_index
from engine import generations
from engine.command import EXIT_MISUSE
from engine.errors import EngineError
from engine.index.indexing.batches import advance
from engine.index.indexing.opening import create_index
from engine.ranking import Ranking
from engine.store.page_store import Store
from engine.text.tokens.numbering import TermNumbering

ASKED = 1_000
LINES = 30  # of a profile; what comes after them takes less than a hundredth


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the profile, functions by their own time; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.one", description=__doc__)
    parser.add_argument("data_dir", type=Path, metavar="DATA_DIR")
    parser.add_argument("words", nargs="*", metavar="WORDS")
    chosen = parser.parse_args(arguments)
    try:
        if chosen.words:
            _query(chosen.data_dir, " ".join(chosen.words))
        else:
            _batch(chosen.data_dir)
    except EngineError as error:
        print(f"benchmarks.one: {error}", file=sys.stderr)
        return EXIT_MISUSE
    return 0


def _batch(data_dir: Path) -> None:
    with closing(Store(data_dir)) as store, TemporaryDirectory() as folder:
        warming, profiled = (generations.create_draft(Path(folder), kind) for kind in ("warming", "profiled"))
        for draft in (warming, profiled):
            create_index(draft, store.identity())
        numbering = TermNumbering()
        if not advance(store, warming, False, numbering, Ranking()):
            raise EngineError(f"there is no page in {data_dir} to index: name the folder of a crawl")
        _show(lambda: advance(store, profiled, False, numbering, Ranking()), 1)


def _query(data_dir: Path, typed: str) -> None:
    with closing(open_index(data_dir)) as index:

        def ask() -> None:
            index.kept(index.find(index.typed(typed)))

        ask()
        _show(ask, ASKED)


def _show(work: Callable[[], object], times: int) -> None:
    with Profile() as profile:
        for _ in range(times):
            work()
    Stats(profile).strip_dirs().sort_stats(SortKey.TIME).print_stats(LINES)


if __name__ == "__main__":
    sys.exit(main())
