"""Reads bodies in confined processes: bodies go out, readings come back."""

from engine.workers.content_coding import decompress, measure_decompressed
from engine.workers.page_screen import PageScreen
from engine.workers.readers import ReaderPool, check_memory
from engine.workers.renewed_reading import renew_reading
from engine.workers.sandbox import describe_fences, probe_fences

__all__ = [
    "PageScreen",
    "ReaderPool",
    "check_memory",
    "decompress",
    "describe_fences",
    "measure_decompressed",
    "probe_fences",
    "renew_reading",
]
