"""Exports what a crawl has stored: pages as JSON lines, the links between them."""

from engine.export.export import EXPORTED, Exported, export_to_file, export_to_stream

__all__ = [
    "EXPORTED",
    "Exported",
    "export_to_file",
    "export_to_stream",
]
