"""Indexes changes of the crawl database: documents, segments, generations. The write path."""

from engine.index.indexing.batch import BatchEntries, make_entries, measure_texts
from engine.index.indexing.check import find_damages
from engine.index.indexing.document import Document
from engine.index.indexing.document_builder import DocumentBuilder
from engine.index.indexing.expunge import expunge_deleted
from engine.index.indexing.follow import Follower, make_follower
from engine.index.indexing.portions import SegmentBatch
from engine.index.indexing.rebuild import RebuildRefused, rebuild_index
from engine.index.indexing.rollback import return_to_older, roll_back, withdraw
from engine.index.indexing.weights import update_votes

__all__ = [
    "BatchEntries",
    "Document",
    "DocumentBuilder",
    "Follower",
    "RebuildRefused",
    "SegmentBatch",
    "expunge_deleted",
    "find_damages",
    "make_entries",
    "make_follower",
    "measure_texts",
    "rebuild_index",
    "return_to_older",
    "roll_back",
    "update_votes",
    "withdraw",
]
