"""Makes documents of pages: texts, keys, what is stored; without what hosts repeat on all their pages."""

from engine.index.documents.batch import make_entries, measure_texts, write_batch
from engine.index.documents.document import Document
from engine.index.documents.document_builder import DocumentBuilder
from engine.index.documents.index_writer import BATCH_BYTES, IndexWriter, make_change
from engine.index.documents.own_signals import SignalTerms, load_signals, no_signals
from engine.index.documents.portions import SegmentBatch

__all__ = [
    "BATCH_BYTES",
    "Document",
    "DocumentBuilder",
    "IndexWriter",
    "SegmentBatch",
    "SignalTerms",
    "load_signals",
    "make_change",
    "make_entries",
    "measure_texts",
    "no_signals",
    "write_batch",
]
