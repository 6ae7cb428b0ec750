"""Starts the process that makes the index follow the crawl database: `python -m engine.index.indexing`."""

import subprocess
import sys

from engine.audience import read_audience_rules
from engine.config import Config

NICENESS = 15  # the crawl goes first where both want the same processor core


def start_follower(config: Config, ranking: str, niceness: int = NICENESS) -> "subprocess.Popen[bytes]":
    """Starts a process that indexes what is stored, until its standard input ends. Raises OSError.

    `ranking`: engine.ranking.dump_ranking(). A process group of its own, because a Ctrl-C is not for it; but
    no session, because Linux shares the processor between sessions first, and its niceness would count for
    nothing. `niceness` (nice(2)): how far others go first.
    """
    places = (str(config.data_dir), config.database_url, config.cluster_url)
    rules = (ranking, str(config.limits.free_bytes), read_audience_rules(config).dump(), str(niceness))
    command = [sys.executable, "-m", "engine.index.indexing", *places, *rules]
    return subprocess.Popen(command, stdin=subprocess.PIPE, process_group=0)  # noqa: S603
