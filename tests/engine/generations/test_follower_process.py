"""The process that makes the index follow, and where it stands among others."""

import os
from pathlib import Path

from engine.config import Config
from engine.generations import start_follower
from engine.ranking import Ranking, dump_ranking
from tests.running import until


def test_others_go_first_as_far_as_who_starts_it_says(tmp_path: Path) -> None:
    ours = os.getpriority(os.PRIO_PROCESS, 0)
    follower = start_follower(Config(tmp_path), dump_ranking(Ranking()), 3)
    until(lambda: os.getpriority(os.PRIO_PROCESS, follower.pid) == ours + 3, "it is nicer than we are by 3")
    assert follower.stdin
    follower.stdin.close()
    assert follower.wait() == 0
