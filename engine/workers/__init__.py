"""Reads bodies in confined processes: bodies go out, readings come back."""

from engine.workers.content_coding import decompress, measure_decompressed
from engine.workers.page_screen import PageScreen
from engine.workers.readers import ReaderPool, check_memory
from engine.workers.reading_context import ReadingContext
from engine.workers.recognition import TextRecognition
from engine.workers.renewed_reading import renew_reading
from engine.workers.sandbox import describe_fences, probe_fences
from engine.workers.tesseract import Tesseract, find_tesseract

__all__ = [
    "PageScreen",
    "ReaderPool",
    "ReadingContext",
    "Tesseract",
    "TextRecognition",
    "check_memory",
    "decompress",
    "describe_fences",
    "find_tesseract",
    "measure_decompressed",
    "probe_fences",
    "renew_reading",
]
