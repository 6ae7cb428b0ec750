"""Follows the crawl database until standard input ends.

Started as `python -m engine.index.indexing DATA DATABASE SAME_DOMAIN_PIVOT OTHER_DOMAIN_PIVOT FREE`.

DATABASE is the URL of the crawl database, '' where it is a file in DATA. The numbers are those that votes are
counted with, and bytes of the disk that stay free. At the end it catches up.
"""

import gc
import os
import select
import sqlite3
import sys
import time
import traceback
from pathlib import Path

from engine import generations
from engine.errors import EngineError
from engine.folder import OF_DATABASE, FreeSpace, explain_failure
from engine.index.indexing.election import elect
from engine.index.indexing.follow import Follower, follow
from engine.index.indexing.rebuild import COLLECTED_AFTER
from engine.linkgraph import VotePivots
from engine.store import Store

NICENESS = 15  # the crawl goes first where both want the same processor core


def _is_input_closed(seconds: float) -> bool:
    """Tells whether standard input is at its end; waits for that at most so long."""
    return bool(select.select([sys.stdin], [], [], seconds)[0])


def main(data_dir: Path, location: Path | str, pivots: VotePivots, room: FreeSpace) -> int:
    """Follows the store until input ends; returns exit code 0, or 2 with one line on standard error."""
    os.nice(NICENESS)
    try:
        store = Store(location)
        follower = Follower(store, data_dir, pivots, room)
        follow(follower, lambda: _is_input_closed(0.0), _is_input_closed)
        generation = generations.current_generation(data_dir)
        if generation and elect(store.engine, generation, time.time()):
            follower.catch_up()
    except (EngineError, OSError, sqlite3.DatabaseError) as error:
        sys.stderr.write(f"the index in {data_dir} cannot be written: {error}\n")
        return 2
    except Exception as error:
        if not isinstance(error, OF_DATABASE):
            traceback.print_exc()  # a bug in Lycosa, or damaged data
        sys.stderr.write(f"the index in {data_dir} cannot follow: {explain_failure(error)}\n")
        return 2
    return 0


if __name__ == "__main__":
    gc.freeze()  # what was imported stays: the collector need not look at it again
    gc.set_threshold(COLLECTED_AFTER)
    folder, url, half_own, half_foreign, free = sys.argv[1:]
    room = FreeSpace(Path(folder), int(free))
    sys.exit(main(Path(folder), url or Path(folder), VotePivots(float(half_own), float(half_foreign)), room))
