"""Exports what a crawl has stored: pages as JSON lines, the links between them."""

from engine.export.export import Exported, begin_export, describe_export, export_to_file, export_to_stream

__all__ = [
    "Exported",
    "begin_export",
    "describe_export",
    "export_to_file",
    "export_to_stream",
]
