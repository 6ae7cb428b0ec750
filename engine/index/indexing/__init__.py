"""Indexes changes of the crawl database: documents, segments, generations. The write path."""

from engine.index.indexing.check import damages
from engine.index.indexing.expunge import expunge_deleted
from engine.index.indexing.follow import Follower, following
from engine.index.indexing.names import ANCHOR, BEHIND, DEFINITION, HEADING, MAX_FOLDED, TITLE, as_typed
from engine.index.indexing.rebuild import Refused, rebuild_index
from engine.index.indexing.rollback import roll_back
from engine.index.indexing.weights import weigh

__all__ = [
    "ANCHOR",
    "BEHIND",
    "DEFINITION",
    "HEADING",
    "MAX_FOLDED",
    "TITLE",
    "Follower",
    "Refused",
    "as_typed",
    "damages",
    "expunge_deleted",
    "following",
    "rebuild_index",
    "roll_back",
    "weigh",
]
