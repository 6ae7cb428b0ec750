"""Follows the crawl database until standard input ends.

Started as `python -m engine.index.indexing DATA DATABASE CLUSTER RANKING FREE AUDIENCES NICENESS`.

DATABASE is the URL of the crawl database, CLUSTER the location of the index, '' where these are files in
DATA. RANKING is engine.ranking.dump_ranking(), FREE how many bytes of the disk stay free, AUDIENCES
engine.audience.AudienceRules.dump(), NICENESS how far others go first (nice(2)). At the end it catches up.
"""

import gc
import os
import select
import sqlite3
import sys
import time
import traceback
from pathlib import Path

from engine.audience import AudienceRules, load_audience_rules
from engine.database import open_clock
from engine.errors import EngineError
from engine.folder import OF_DATABASE, FreeSpace, explain_failure
from engine.generations import IndexLocation
from engine.index.indexing.election import elect_at_end
from engine.index.indexing.follow import Follower, follow
from engine.index.indexing.rebuild import COLLECTED_AFTER
from engine.opensearch import ClusterIndex
from engine.ranking import Ranking, load_ranking
from engine.store import Store


def _is_input_closed(seconds: float) -> bool:
    """Tells whether standard input is at its end; waits for that at most so long."""
    return bool(select.select([sys.stdin], [], [], seconds)[0])


def main(
    database: Path | str,
    index: IndexLocation,
    ranking: Ranking,
    room: FreeSpace | None,
    audiences: AudienceRules,
    niceness: int,
) -> int:
    """Follows the store until input ends; returns exit code 0, or 2 with one line on standard error."""
    os.nice(niceness)
    try:
        store = Store(database)
        follower = Follower(store, index, ranking, room, audiences)
        follow(follower, lambda: _is_input_closed(0.0), _is_input_closed)
        elect_at_end(follower, store.engine, index, open_clock(database, store.engine), time.sleep)
    except (EngineError, OSError, sqlite3.DatabaseError) as error:
        sys.stderr.write(f"the index in {index} cannot be written: {error}\n")
        return 2
    except Exception as error:
        if not isinstance(error, OF_DATABASE):
            traceback.print_exc()  # a bug in Lycosa, or damaged data
        sys.stderr.write(f"the index in {index} cannot follow: {explain_failure(error)}\n")
        return 2
    return 0


if __name__ == "__main__":
    gc.freeze()  # what was imported stays: the collector need not look at it again
    gc.set_threshold(COLLECTED_AFTER)
    folder, url, cluster, weights, free, hidden, nice = sys.argv[1:]
    in_folder = None if cluster else FreeSpace(Path(folder), int(free))
    place = ClusterIndex(cluster, url) if cluster else Path(folder)
    rules = load_audience_rules(hidden)
    sys.exit(main(url or Path(folder), place, load_ranking(weights), in_folder, rules, int(nice)))
