"""Indexes changes of the crawl database: documents, segments, generations. The write path."""

from engine.index.indexing.check import find_damages
from engine.index.indexing.expunge import expunge_deleted
from engine.index.indexing.follow import Follower, make_follower
from engine.index.indexing.rebuild import RebuildRefused, rebuild_index
from engine.index.indexing.rollback import return_to_older, roll_back, withdraw
from engine.index.indexing.weights import update_votes

__all__ = [
    "Follower",
    "RebuildRefused",
    "expunge_deleted",
    "find_damages",
    "make_follower",
    "rebuild_index",
    "return_to_older",
    "roll_back",
    "update_votes",
    "withdraw",
]
