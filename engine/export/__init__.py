"""Exports what a crawl has stored: pages as JSON lines, the links between them, responses."""

from engine.export.export import Exported, begin_export, describe_export, export_to_file, export_to_stream
from engine.export.format import SITEMAP, WARC
from engine.export.response_records import open_responses
from engine.export.sitemap_files import export_sitemap

__all__ = [
    "SITEMAP",
    "WARC",
    "Exported",
    "begin_export",
    "describe_export",
    "export_sitemap",
    "export_to_file",
    "export_to_stream",
    "open_responses",
]
