"""`python -m engine.index DATA_DIR HALF_OWN HALF_FOREIGN`: follows the store until standard input closes.

Then it catches up. The numbers are those that votes are counted with.
"""

import os
import select
import sqlite3
import sys
import time
from pathlib import Path

from engine.errors import EngineError
from engine.index import generations
from engine.index.election import elect
from engine.index.follow import Follower, follow
from engine.store.links import Halves
from engine.store.pages import Store

NICENESS = 15  # the crawl goes first where both want the same processor core


def _closed(seconds: float) -> bool:
    """True once standard input is at its end; waits for that at most so long."""
    return bool(select.select([sys.stdin], [], [], seconds)[0])


def main(data_dir: Path, halves: Halves) -> int:
    """Exit code 0, or 2 with one line on standard error."""
    os.nice(NICENESS)
    try:
        store = Store(data_dir)
        follower = Follower(store, data_dir, halves)
        follow(follower, lambda: _closed(0.0), _closed)
        generation = generations.current(data_dir)
        if generation and elect(store.engine, generation, time.time()):
            follower.catch_up()
    except (EngineError, OSError, sqlite3.OperationalError) as error:
        sys.stderr.write(f"the index in {data_dir} cannot be written: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Halves(*map(float, sys.argv[2:]))))
