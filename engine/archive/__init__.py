"""Imports archives: WARC files whose captures become pages, as if they had been fetched that day."""

from engine.archive.importing import Imported, ImportOptions, import_archives

__all__ = ["ImportOptions", "Imported", "import_archives"]
